// The page without a network: theme, search, copying, the dependency map, the slider. The page is complete without this file.
"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const say = (text) => { one("#said").textContent = text; };
  root.classList.add("with-script");

  // Theme: the system's unless the reader chose; ?theme=dark or ?theme=light overrides for one visit.
  const remembered = () => { try { return localStorage.getItem("lnsym-theme"); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem("lnsym-theme", theme); } catch { /* a page from disk may have no storage */ } };
  const asked = new URLSearchParams(location.search).get("theme") || remembered();
  if (asked === "dark" || asked === "light") root.dataset.theme = asked;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const nameTheme = () => { one("#theme").textContent = isDark() ? "Light" : "Dark"; };
  one("#theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remember(root.dataset.theme);
    nameTheme();
  });
  dark.addEventListener("change", nameTheme);
  nameTheme();

  // Contents: closed at first where it stands above the text.
  if (matchMedia("(max-width: 60rem)").matches) one("nav > details").open = false;

  // Steps: one button for all; paper shows every one.
  const steps = all("details.step");
  const opener = one("#open-all");
  if (!steps.length) opener.hidden = true;
  opener.addEventListener("click", () => {
    const open = opener.getAttribute("aria-pressed") !== "true";
    steps.forEach((step) => { step.open = open; });
    opener.setAttribute("aria-pressed", String(open));
    opener.textContent = open ? "Close all steps" : "Open all steps";
  });
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("main details:not([open])");
    closed.forEach((part) => { part.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((part) => { part.open = false; }));

  // Search: every word must occur; chapters with nothing left disappear. TeX annotations count, so \sqrt finds roots.
  const box = one("#search");
  const parts = all("[data-search]").map((part) => ({ part, text: null }));
  const textOf = (entry) => (entry.text ??= (entry.part.id + " " + entry.part.textContent).toLowerCase());
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const entry of parts) {
      const shown = words.every((word) => textOf(entry).includes(word));
      entry.part.hidden = !shown;
      count += shown ? 1 : 0;
    }
    root.classList.toggle("searching", words.length > 0);
    for (const section of all("main > section")) {
      const inside = all("[data-search]", section);
      section.hidden = words.length > 0 && !inside.some((part) => !part.hidden);
    }
    one("#found").textContent = words.length ? `${count} found` : "";
    one("#nothing").hidden = !words.length || count > 0;
  };
  const clear = () => { box.value = ""; filter(); };
  box.addEventListener("input", filter);
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) { clear(); target.scrollIntoView(); }
    target.closest("details:not([open])")?.setAttribute("open", "");
  };
  addEventListener("hashchange", reveal);
  reveal();

  // Copying: the clipboard where the browser allows it, else a selected text area.
  const copyText = async (text) => {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* not allowed from disk in some browsers */ }
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button || button.dataset.words) return;
    const done = await copyText(button.dataset.copy);
    button.dataset.words = button.textContent;
    button.textContent = done ? "copied" : "not allowed here";
    say(button.textContent);
    button.focus();
    setTimeout(() => { button.textContent = button.dataset.words; delete button.dataset.words; }, 1400);
  });

  // Dependency map: choose a node to see its ancestors; choose it again to go to the theorem.
  const map = one("svg.map");
  const nodes = new Map(map ? all("a.node", map).map((node) => [node.dataset.node, node]) : []);
  const edges = map ? all(".edge", map) : [];
  const panel = one("#chosen");
  const invitation = panel?.textContent;
  let chosen = null;
  const ancestorsOf = (name) => {
    const found = new Set([name]);
    const waiting = [name];
    while (waiting.length) {
      const now = waiting.pop();
      for (const edge of edges) {
        if (edge.dataset.to === now && !found.has(edge.dataset.from)) { found.add(edge.dataset.from); waiting.push(edge.dataset.from); }
      }
    }
    return found;
  };
  const choose = (name) => {
    chosen = name;
    map.classList.toggle("choosing", name !== null);
    const kept = name === null ? new Set() : ancestorsOf(name);
    nodes.forEach((node, key) => {
      node.classList.toggle("kept", kept.has(key));
      node.classList.toggle("picked", key === name);
    });
    edges.forEach((edge) => edge.classList.toggle("kept", kept.has(edge.dataset.to)));
    panel.textContent = invitation;
    if (name === null) return;
    const title = nodes.get(name).querySelector("title").textContent;
    const link = document.createElement("a");
    link.href = "#" + name;
    link.textContent = title;
    const others = kept.size - 1;
    panel.replaceChildren(link, others ? ` rests on ${others} theorem${others > 1 ? "s" : ""}, highlighted. ` : " rests on the definitions alone. ",
      "Choose it again to go there; Esc shows all again.");
  };
  nodes.forEach((node, name) => node.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || chosen === name) return;
    event.preventDefault();
    choose(name);
  }));

  // Slider: the highlighted curve, its marked point and the numbers. The scale of the slider is logarithmic.
  const responseAt = (eps, t) => t / Math.sqrt((2 * t * t) / 3 + eps);
  for (const slider of all(".slider")) {
    const figure = slider.closest("figure");
    const curve = figure.querySelector("[data-live]");
    const mark = figure.querySelector("[data-live-mark]");
    const plan = JSON.parse(curve.dataset.live);
    const place = ([low, high, start, end]) => (value) => start + ((end - start) * (value - low)) / (high - low);
    const across = place(plan.x), up = place(plan.y);
    const input = slider.querySelector("input"), shown = slider.querySelector("output");
    const low = Math.log(Number(input.min)), high = Math.log(Number(input.max));
    input.min = low; input.max = high; input.value = Math.log(Number(input.dataset.start));
    const draw = () => {
      const eps = Math.exp(Number(input.value));
      const points = [];
      for (let k = 0; k <= 320; k += 1) {
        const t = plan.x[0] + ((plan.x[1] - plan.x[0]) * k) / 320;
        points.push(`${across(t).toFixed(2)} ${up(responseAt(eps, t)).toFixed(2)}`);
      }
      curve.setAttribute("d", "M" + points.join("L"));
      const half = Math.sqrt(1.5 * eps);
      mark.setAttribute("transform", `translate(${across(half).toFixed(2)} ${up(Math.sqrt(0.75)).toFixed(2)})`);
      const number = (value) => value.toPrecision(3);
      shown.textContent = `ε = ${number(eps)}: slope at 0 is ${number(1 / Math.sqrt(eps))}; q = ε at t = ±${number(half)}`;
      input.setAttribute("aria-valuetext", shown.textContent);
    };
    input.addEventListener("input", draw);
    draw();
  }

  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
      box.select();
    }
    if (event.key === "Escape") {
      if (box.value) clear();
      if (event.target === box) box.blur();
      if (chosen !== null) choose(null);
    }
  });
})();
