// The page: formulas are put in, answers are marked, figures start, progress is kept where the browser allows it.
(async () => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = (selector, within = document) => within.querySelector(selector);
  if (!("DecompressionStream" in globalThis)) {
    one(".progress").textContent = "This browser cannot unpack formulas and tasks: that needs one of 2023 or later.";
    return;
  }
  const packed = Uint8Array.from(atob(one("#packed").textContent.trim()), (c) => c.charCodeAt(0));
  const data = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).json();

  // Formulas stand in the page by number, each kept once.
  const fill = (within) => {
    for (const place of all("x-f", within)) {
      const formula = data.formulas[Number(place.getAttribute("n"))];
      place.outerHTML = place.hasAttribute("block") ? formula.replace("<math>", '<math display="block">') : formula;
    }
  };
  fill(document);

  // ---------------------------------------------------------------- progress

  const KEY = "lnsym-learn";
  const kept = (() => { try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; } })();
  const keep = () => { try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* a page from disk may have no storage */ } };
  const tasks = all("[data-task]");
  const showProgress = () => {
    const solved = tasks.filter((task) => kept[task.dataset.task]?.done).length;
    one("#progress").value = solved;
    one("#solved").textContent = `${solved} of ${tasks.length} tasks solved`;
    for (const share of all("[data-share]")) {
      const own = all("[data-task]", one(`section[data-lesson="${share.dataset.share}"]`)), done = own.filter((task) => kept[task.dataset.task]?.done).length;
      share.textContent = done === own.length ? "■ done" : `${done} of ${own.length}`;
      share.closest("li").classList.toggle("proved", done === own.length);
    }
    for (const task of tasks) one(".solved-mark", task).hidden = !kept[task.dataset.task]?.done;
  };

  // ---------------------------------------------------------------- tasks

  const course = new Marking.Course(data);
  const element = (kind, text, name = "") => Object.assign(document.createElement(kind), { textContent: text, className: name });
  const reply = (task, said) => {
    const place = one(".reply", task), [tone, sign] = said.done ? ["proved", "■"] : said.head === "Not yet" ? ["refuted", "✕"] : ["principle", "?"];
    place.className = `reply ${tone}`;
    const head = element("p", "", "head");
    head.append(Object.assign(element("span", sign, "sign"), { ariaHidden: "true" }), ` ${said.head}.`);
    place.replaceChildren(head);
    for (const text of [said.right, said.slip, said.text].filter(Boolean)) head.append(` ${text}`);
    if (said.caret) place.append(element("pre", said.caret.join("\n"), "caret"));
    if (said.meant) {
      const take = element("button", said.meant);
      take.type = "button";
      take.addEventListener("click", () => {
        const input = one(".answer", task);
        input.value = said.meant;
        input.focus();  // the button goes with this reply
        check(task);
      });
      const line = element("p", "Did you mean ");
      line.append(take, " ?");
      place.append(line);
    }
  };
  const WRONG = { flaw: "is proved; another line fails.", rule: "is not what the step follows from, though the step is true.", predict: "is not so; the hints have numbers." };
  const choice = (own, letter) => (letter === own.right ? { done: true, head: "Right", text: "" } : { head: "Not yet", text: `Choice ${letter} ${WRONG[own.asked]}` });
  const check = (task) => {
    const own = data.tasks[task.dataset.task], input = one(".answer", task);
    const answer = input ? input.value : one("input:checked", task)?.value ?? "";
    if (!answer.trim()) return reply(task, { head: input ? "Nothing to read" : "Nothing chosen", text: input ? "Type a line, or take a hint." : "Choose one, or take a hint." });
    const said = own.kind === "choice" ? choice(own, answer) : course.mark(own, answer);
    kept[task.dataset.task] = { answer, done: said.done || kept[task.dataset.task]?.done || undefined };
    keep();
    if (said.done) one(".solution", task).hidden = false;
    reply(task, said);
    return showProgress();
  };
  const CONTROLS = `<p class="after"><button type="submit" class="check">Check</button> <button type="button" class="hint"></button>
    <button type="button" class="show" aria-expanded="false">Solution</button></p>
    <div class="reply" role="status"></div><ol class="hints"></ol><div class="solution" hidden></div>`;
  const equip = (task, own) => {
    const form = one("form", task);
    one(".prompt", task).insertAdjacentHTML("beforeend", ' <span class="solved-mark" hidden><span class="sign" aria-hidden="true">■</span> solved</span>');
    form.insertAdjacentHTML("beforeend", CONTROLS);
    one(".hints", task).innerHTML = own.hints.map((hint) => `<li hidden>${hint}</li>`).join("");
    one(".solution", task).innerHTML = own.solution.map((line) => `<p>${line}</p>`).join("");
    one(".check", task).hidden = own.kind === "none";
    one(".hint", task).textContent = `Hint 1 of ${own.hints.length}`;
    fill(form);
  };
  for (const task of tasks) {
    equip(task, data.tasks[task.dataset.task]);
    const before = kept[task.dataset.task], hints = all(".hints > li", task), button = one(".hint", task);
    if (before?.answer !== undefined) {
      const input = one(".answer", task);
      if (input) input.value = before.answer;
      else for (const radio of all("input", task)) radio.checked = radio.value === before.answer;
    }
    one("form", task).addEventListener("submit", (event) => { event.preventDefault(); if (!one(".check", task).hidden) check(task); });
    button.hidden = !hints.length;
    button.addEventListener("click", () => {
      hints.find((hint) => hint.hidden)?.removeAttribute("hidden");
      const left = hints.filter((hint) => hint.hidden).length;
      button.disabled = !left;
      if (left) button.textContent = `Hint ${hints.length - left + 1} of ${hints.length}`;
    });
    one(".show", task).addEventListener("click", () => {
      const solution = one(".solution", task);
      solution.hidden = !solution.hidden;
      one(".show", task).setAttribute("aria-expanded", String(!solution.hidden));
    });
  }
  one("#forget").addEventListener("click", () => {
    for (const name of Object.keys(kept)) delete kept[name];
    keep();
    for (const task of tasks) {
      one("form", task).reset();
      one(".reply", task).replaceChildren();
      one(".solution", task).hidden = true;
    }
    showProgress();
  });
  showProgress();

  // ---------------------------------------------------------------- figures and vectors

  for (const figure of all("figure.live")) Figures.start(figure);

  one("#run-vectors").addEventListener("click", () => {
    let agree = 0, most = 0;
    for (const [x, eps, u, allowed] of data.vectors) {
      const shares = Plain.normalize(x, eps).map((value, k) => (value === u[k] ? 0 : Math.abs(value - u[k]) / allowed[k]));
      agree += shares.every((share) => share <= 1) ? 1 : 0;
      most = Math.max(most, ...shares);
    }
    const own = [Plain.check(), Exact.check()], passed = own.map((outcome) => outcome.passed), failed = own.map((outcome) => outcome.failed.length);
    one("#vectors-said").textContent = `${agree} of ${data.vectors.length} rows agree within the bound; the largest error takes ${Figures.said(100 * most)} % of it. `
      + `The emitted modules' own test vectors: ${passed[0]} of ${passed[0] + failed[0]} in float64, ${passed[1]} of ${passed[1] + failed[1]} in exact fractions.`;
  });
  const [, emitted] = /const Plain = \(\(\) => \{\n([\s\S]*?)\nreturn \{/.exec(one("#script").textContent);
  one("#emitted").textContent = emitted;
  document.documentElement.dataset.ready = "true";
})();
