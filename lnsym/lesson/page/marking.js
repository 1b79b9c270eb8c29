// Marks an answer: both lines are computed at exact points, in every place of the free indices. Points that agree prove nothing, and the reply says so.
const Marking = (() => {
  const { Unreadable, At, parse, spelling, free, rank, at, sorted, flat, range } = Language, N = Numbers;
  const LONGEST = 400, REPAIRS = 3;
  const KINDS = ["number", "vector", "matrix"];
  const prepared = (point) => ({
    ...point,
    vectors: Object.fromEntries(Object.entries(point.vectors).map(([name, text]) => {
      const rows = text.split(";").map((row) => row.split(" "));
      return [name, rows.length > 1 ? rows : rows[0]];
    })),
  });

  // Assumptions that may be missing: what is said, what becomes of a point so that it holds, and the names that must occur, where these are others.
  const ASSUMPTIONS = [
    ["eps = 0", { eps: "0" }],
    ...["a", "b", "c", "delta", "m", "t"].flatMap((x) => [[`${x} > 0`, { [x]: `sqrt(${x}^2)` }], [`${x} = 1`, { [x]: "1" }], [`${x} = 0`, { [x]: "0" }]]),
    ...[["g", "g", "one"], ["h", "h", "one"], ["w", "w", "one"], ["g", "gamma*g", "gamma"]].flatMap(([x, k, by]) => {
      const share = `mean(${k})/mean(${by}^2)`, rest = `(v - one*mean(${by}^2*v)/mean(${by}^2))`, first = `mean(${k}) = 0`, second = `${k} is orthogonal to u`;
      return [
        [first, { [x]: `${x} - ${by}*${share}` }, k.split("*")],
        [second, { [x]: `${x} - ${by}*v*dot(${k}, v)/dot(${by}^2*v, v)` }, k.split("*")],
        [`${first} and ${second}`, { [x]: `${x} - ${by}*${share} - ${by}*${rest}*dot(${k} - ${by}^2*${share}, v)/dot(${by}^2*${rest}, v)` }, k.split("*")],
      ];
    }),
    ["mean(z) = 0", { z: "v" }], ["all gains are 1", { gamma: "one" }], ["beta = 0", { beta: "0*one" }], ["all gains are equal", { gamma: "gamma_1*one" }], ["d = 2", { d: "2" }],
  ];

  /** The marking of one course: its theory and its points. */
  class Course {
    constructor(data) {
      this.theory = data.theory;
      this.points = data.points.map(prepared);
      this.places = new Map();
    }

    /** A term as it was sent: a text; a text with the indices that are the holes of a vector or matrix; or a nested list. */
    term(sent, names) {
      if (typeof sent === "string") return parse(sent, names);
      if (sent.tree) return sent.tree;
      const [text, indices] = sent, term = parse(text, names), holes = indices.map((_, k) => `·${k + 1}`);
      return ["a", holes, at(["a", indices, term], holes)];
    }

    task(data) {
      const names = { ...this.theory.names, ...data.names };
      return { ...data, names, target: this.term(data.target, names), before: data.before && this.term(data.before, names), sent: data.before };
    }

    /** What is to be said of an answer: { done, head, text, caret }. */
    mark(data, answer) {
      const task = this.task(data);
      try {
        return data.kind === "number" ? this.number(task, plain(answer)) : this.expression(task, plain(answer));
      } catch (error) {
        if (error instanceof Unreadable) return this.unreadable(task, plain(answer), error);
        if (error instanceof RangeError || error instanceof N.NoValue) return { head: "Not compared", text: "This line is too large to be computed here. Write it in fewer words." };
        throw error;
      }
    }

    // ---------------------------------------------------------------- expressions

    expression(task, answer) {
      const sides = line(answer, task.names), last = sides.at(-1).term;
      const fault = shapeFault(last, task.target, task.before);
      if (fault) return { head: "Not yet", text: fault };
      for (const side of sides.slice(0, -1)) {
        const wrong = [task.before, task.target].filter(Boolean).map((line_) => this.difference(task, side.term, line_));
        if (wrong.every(Boolean)) return { head: "Not yet", text: `The side ${side.text} of your line is not the line above. ${wrong[0].said}` };
      }
      const isTarget = alike(last, task.target);
      if (task.before && alike(last, task.before) && !isTarget) return { head: "Not yet", text: "That is the line you have. Take one step from it." };
      const found = this.compare(task, last, task.target);
      if (!found.differs) return this.agrees(found, isTarget);
      const tooMany = indexFault(last, task.target, task.before);
      if (tooMany) return { head: "Not yet", text: tooMany };
      const slip = [this.slip(task, last), this.assumed(task, last)].filter(Boolean).join(" ");
      return { head: "Not yet", right: this.rightPart(task, sides.at(-1)), slip, text: found.differs.said };
    }

    /** The first assumption under which a wrong line agrees with the right one, in words. */
    assumed(task, answer) {
      const spoken = new Set([answer, task.target].flatMap((term) => [...named(term)]).concat("eps", "z", "d"));
      for (const assumption of ASSUMPTIONS) {
        const [said, change, about = Object.keys(change)] = assumption;
        if (!about.every((name) => spoken.has(name))) continue;
        const found = this.compare(task, answer, task.target, assumption);
        if (!found.differs && found.agreed > 2 && (found.telling || answer[1] === "0")) return `It agrees where ${said}, but not in general.`;
      }
      return "";
    }

    agrees(found, isTarget) {
      if (!found.agreed) {
        const why = found.nested ? "it takes a root of a root" : "it has no value at the points of this page";
        return { head: "Not compared", text: `Your line cannot be compared here: ${why}. The same task in a terminal decides it.` };
      }
      const points = `${found.agreed} exact point${found.agreed > 1 ? "s" : ""}`;
      const but = found.undefined ? ` At ${found.undefined} it has no value, though the line asked for has one.` : "";
      if (found.undefined) return { head: "Nearly", text: `It agrees at ${points}.${but}` };
      return { done: true, head: "Right", text: isTarget ? `It is the line asked for, and agrees at ${points}.` : `It agrees at ${points}.` };
    }

    /** Whether two lines differ anywhere, at how many points they agree, whether the second is ever not 0, and where the first has no value. */
    compare(task, left, right, assumption) {
      const [x, y, indices] = opened(left, right), found = { agreed: 0 };
      for (const place of task.points.map((number) => this.place(number, task.names, assumption)).filter(Boolean)) {
        let counts = true;
        for (const env of environments(indices, place.point)) {
          const wanted = this.at(place, y, env);
          if (!wanted.is) { counts = false; continue; }
          const given = this.at(place, x, env);
          found.telling ||= wanted.is.is.length > 0;
          if (!given.is) {
            counts = false;
            if (given.nested) found.nested = true;
            else found.undefined ??= told(place.point, [left, right], env);
          } else if (!N.agree(given.is, wanted.is)) {
            found.differs ??= { said: `At ${told(place.point, [left, right], env)}: yours ${shown(given.is)}, right ${shown(wanted.is)}.` };
            return found;
          }
        }
        found.agreed += counts ? 1 : 0;
      }
      return found;
    }

    difference(task, left, right) {
      const fault = shapeFault(left, right);
      return fault ? { said: fault } : this.compare(task, left, right).differs;
    }

    /** { point, memo }: a point of the course and the values known there; or what an assumption makes of it, null where it makes nothing. */
    place(number, names, assumption) {
      const key = `${number} ${assumption?.[0] ?? ""}`;
      if (!this.places.has(key)) {
        const point = assumption ? this.changed(this.points[number], assumption[1], names) : this.points[number];
        this.places.set(key, point && { point, memo: new Map() });
      }
      return this.places.get(key);
    }

    changed(point, change, names) {
      const here = new At(this.theory, point), scalars = { ...point.scalars }, vectors = { ...point.vectors };
      try {
        for (const [name, text] of Object.entries(change)) {
          const term = parse(text, names), kind = rank(term) ? vectors : scalars;
          if (name === "d" ? point.sizes[""] !== Number(text) : !Object.hasOwn(kind, name)) return null;
          if (name !== "d") kind[name] = rank(term) ? here.entries(term).map(N.text) : N.text(here.value(term));
        }
      } catch (error) {
        if (error instanceof N.NoValue || error instanceof Unreadable) return null;
        throw error;
      }
      return { ...point, scalars, vectors };
    }

    /** { is }, the value of a term at a place; without it where there is none. */
    at({ point, memo }, term, env) {
      try {
        return { is: new At(this.theory, point, env, "", memo).value(term) };
      } catch (error) {
        if (!(error instanceof N.NoValue)) throw error;
        return { nested: error instanceof N.RootOfRoot };
      }
    }

    /** The known slip that gives the answer, in words. */
    slip(task, answer) {
      const factors = this.theory.factors.map(([what, factor]) => [what, entry(["*", parse(factor, task.names), entryOf(task.target)], task.target)]);
      for (const [what, sent] of [...task.slips.map(([what_, sent_]) => [what_, this.term(sent_, task.names)]), ...factors]) {
        const wrong = entry(sent, task.target);
        if (shapeFault(answer, wrong)) continue;
        const found = this.compare(task, answer, wrong);
        if (!found.differs && found.agreed > 3) return `${what}.`;
      }
      return "";
    }

    /** Summands of the answer that stand in the right line too. */
    rightPart(task, side) {
      const inside = (term) => flat(rank(term) ? term[2] : term, "+"), wrap = (term, like) => (rank(like) ? ["a", like[1], term] : term);
      const left = inside(task.target), said = [];
      if (left.length < 2 || inside(side.term).length < 2) return "";
      for (const part of inside(side.term)) {
        const index = left.findIndex((one) => {
          const a = wrap(part, side.term), b = wrap(one, task.target);
          if (shapeFault(a, b)) return false;
          const found = this.compare(task, a, b);
          return !found.differs && found.agreed > 3;
        });
        if (index < 0) continue;
        left.splice(index, 1);
        said.push(written(part));
      }
      if (!said.length || !left.length) return "";
      return `The term${said.length > 1 ? "s" : ""} ${said.join(" and ")} ${said.length > 1 ? "are" : "is"} right.`;
    }

    // ---------------------------------------------------------------- numbers

    number(task, answer) {
      const value = (x) => new At(this.theory, { sizes: {}, vectors: {}, scalars: {} }).value(x), wanted = value(task.target);
      const comma = /^\s*[-+−]?\d+(,\d+)+\s*$/.test(answer) && answer.trim().replaceAll(",", /^[-+−]?[1-9]\d{0,2}(,\d{3})+$/.test(answer.trim()) ? "" : ".");
      if (comma) return { head: "Not read", text: "A comma parts the entries of a row, and one number is asked for.", meant: comma };
      const rough = decimalOf(answer), given = rough || this.given(task, answer, value);
      if (!given) return { head: "Not yet", text: "A number is asked for, such as -2/3 or 2*sqrt(3)/3. Put the values in." };
      if (N.agree(given, wanted)) return { done: true, head: "Right", text: `The exact value is ${N.text(wanted)}.` };
      const [mine, exact] = [given, wanted].map(decimal);
      if (rough && Math.abs(mine - exact) <= 0.01 * Math.abs(exact)) return { head: "Nearly", text: "Give the exact value, such as -2/3 or 2*sqrt(3)/3." };
      const two = N.number(2), slips = [
        ["The sign is wrong", () => N.negative(wanted)], ["This is the square of the value: a root is missing", () => N.product(wanted, wanted)],
        ["The square of this is the value: a square is missing", () => N.root(wanted)], ["This is the inverse of the value", () => N.inverse(wanted)],
        ["This is twice the value", () => N.product(two, wanted)], ["This is half of the value", () => N.product(N.inverse(two), wanted)],
      ];
      const slip = slips.find(([, make]) => { try { return N.agree(make(), given); } catch { return false; } });
      return { head: "Not yet", slip: slip ? `${slip[0]}.` : "", text: slip ? "" : `The value is ${exact > mine ? "larger" : "smaller"} than ${shown(given)}.` };
    }

    /** The number that is typed as a term; null where it is none. */
    given(task, answer, value) {
      const text = answer.slice(answer.lastIndexOf("=") + 1).replace(/^\s*\d{1,3}([ '’_]\d{3})+\s*$/, (number) => number.replace(/\D/g, ""));
      const term = spelled(" ".repeat(answer.lastIndexOf("=") + 1) + text, (words) => parse(words, task.names));
      return rank(term) || /\["[sew]"/.test(JSON.stringify(term)) ? null : value(term);
    }

    // ---------------------------------------------------------------- what cannot be read

    unreadable(task, answer, error) {
      const meant = this.suggestion(task, answer, error);
      const message = error.message[0].toUpperCase() + error.message.slice(1);
      const above = task.before && (typeof task.sent === "string" ? task.sent : task.sent.tree ? written(task.before) : task.sent[0]);
      const typed = above ? ` The last line above is typed so: ${above}` : "";
      return { head: "Not read", text: `Column ${error.at + 1}: ${message}${typed}`, meant, caret: [answer, `${" ".repeat(error.at)}^`] };
    }

    /** The answer with one to three small repairs that make it readable; empty if none do. */
    suggestion(task, answer, error) {
      if (answer.length > LONGEST / 2) return "";
      const known = (word) => Object.hasOwn(task.names, word) || Object.hasOwn(Language.FUNCTIONS, word), { aliases } = this.theory;
      const named_ = answer.replace(/(?<!\w)(?:x_hat|z_hat|inv_std|[A-Za-z]+)(?![A-Za-z0-9])/g, (word) => (known(word) || !Object.hasOwn(aliases, word) ? word : aliases[word]));
      const translated = NOTATIONS.reduce((text, [pattern, put]) => text.replace(pattern, put), named_), fault = faultOf(translated, task.names);
      if (!fault) return translated.trim();
      return this.mended(task, answer, error) || (translated !== answer ? this.mended(task, translated, fault) : "");
    }

    mended(task, answer, error) {
      let text = answer, where = error.at;
      for (let n = 0; n < REPAIRS && where >= 0 && text.length <= LONGEST / 2; n++) {
        let furthest = null;
        for (const repaired of repairs(text, where, task.names, this.theory.aliases)) {
          const fault = faultOf(repaired, task.names);
          if (!fault) return repaired.trim();
          if (fault.at > Math.max(where + 1, furthest?.at ?? -1)) furthest = { at: fault.at, repaired };
        }
        if (!furthest) return "";
        [text, where] = [furthest.repaired, furthest.at];
      }
      return "";
    }
  }

  /** The exact number of a text with a decimal, an exponent or a percent sign in it; null where it is anything else. */
  function decimalOf(answer) {
    const found = /^[\s(]*([-+−]?)(\d+\.\d*|\.\d+|\d+)(e[-+]?\d{1,2})?\s*(%?)[\s)]*(?:\.*|…)\s*$/i.exec(answer.replace(/^.*[=≈~]/, ""));
    const [sign, digits, exponent = "", percent] = found?.slice(1) ?? ["", ""], fraction = /[.e%]/i.test(digits + exponent + percent) && Language.fractionOf(digits + exponent);
    if (!found || !fraction) return null;
    const size = N.product(N.read(fraction), N.number(1, percent ? 100 : 1));
    return /[-−]/.test(sign) ? N.negative(size) : size;
  }

  // ---------------------------------------------------------------- reading a line

  const plain = (answer) => {
    const text = answer.replace(/[.;,]?\s*$/, "");
    return text.trim().startsWith("$") ? text.replaceAll("$", " ") : text;
  };

  const NAME = "[A-Za-zα-ω][A-Za-z0-9_ᵢⱼₖₗₘ₀-₉]*", ENTRY = "[A-Za-zα-ω](?:_[a-z1-9]|[ᵢⱼₖₗₘ₁-₉])";
  const SIGNS = { "⊙": "*", "⟨": "dot(", "⟩": ")", "𝟏": "one", "∘": "*", "∗": "*", "⁄": "/", "÷": "/", "–": "-", "‐": "-", "½": "(1/2)", "⅓": "(1/3)", "⅔": "(2/3)", "¼": "(1/4)", "¾": "(3/4)" };
  const PRINTED = new RegExp(`[${Object.keys(SIGNS).join("")}]|√ ?(\\d+|${NAME})(?![\\w^'(⁰¹²³⁴-⁹])|∂ ?(${NAME}) ?/ ?∂ ?(${NAME})|(?<!\\w)d ?(${ENTRY}|s|q|mu|μ) ?/ ?d ?(${ENTRY})(?![\\w(])`, "gu");
  const OPERATOR = new RegExp(`(?:∂/∂ ?(${NAME})|(?<!\\w)d/d ?(${ENTRY}|t)) ?(?=\\()`, "u");
  const NUMERATOR = /(?:∂|(?<!\w)d) ?(?=\()/gu, DENOMINATOR = new RegExp(`^ ?/ ?(?:∂ ?(${NAME})|d ?(${ENTRY}|t)(?![\\w(]))`, "u");

  /** What is read of a text with the signs of printed formulas in words; what cannot be read is placed in the text that was typed. */
  function spelled(shown, read) {
    let text = "", places = [], done = 0;
    const until = (end) => { for (; done < end; done++) { text += shown[done]; places.push(done); } };
    const say = (words, place) => { text += words; places.push(...Array(words.length).fill(place)); };
    for (const sign of shown.matchAll(PRINTED)) {
      until(sign.index);
      say(SIGNS[sign[0]] ?? (sign[1] ? `sqrt(${sign[1]})` : `D(${sign[2] ?? sign[4]}, ${sign[3] ?? sign[5]})`), done);
      done += sign[0].length;
    }
    until(shown.length);
    places.push(done);
    const asWord = (start, open, end, variable, after) => {  // D(v_i/s, z_j) for ∂/∂zⱼ (vᵢ/s) and ∂(vᵢ/s)/∂zⱼ
      const behind = `, ${variable})`;
      text = `${text.slice(0, start)}D${text.slice(open, end)}${behind}${text.slice(after)}`;
      places = [...places.slice(0, start + 1), ...places.slice(open, end), ...Array(behind.length).fill(places[end]), ...places.slice(after)];
    };
    for (let sign; (sign = OPERATOR.exec(text));) {
      const open = sign.index + sign[0].length, end = closing(text, open);
      if (end < 0) break;
      asWord(sign.index, open, end, sign[1] ?? sign[2], end + 1);
    }
    for (const sign of [...text.matchAll(NUMERATOR)].reverse()) {
      const open = sign.index + sign[0].length, end = closing(text, open), under = end >= 0 && DENOMINATOR.exec(text.slice(end + 1));
      if (under) asWord(sign.index, open, end, under[1] ?? under[2], end + 1 + under[0].length);
    }
    try {
      return read(text);
    } catch (error) {
      if (error instanceof Unreadable) {
        error.at = places[Math.min(error.at, places.length - 1)];
        const word = /found '(\w+)'/.exec(error.message);
        if (word && error.at < shown.length && !shown.startsWith(word[1], error.at)) error.message = error.message.replace(word[0], `found '${shown[error.at]}'`);
      }
      throw error;
    }
  }

  /** Where the bracket closes that opens at a place; -1 where none does. */
  function closing(text, open) {
    for (let depth = 0, place = open; place < text.length; place++) {
      depth += ("([".includes(text[place]) ? 1 : 0) - (")]".includes(text[place]) ? 1 : 0);
      if (!depth) return place;
    }
    return -1;
  }

  /** Where the bracket opens that closes before a place; the place itself where none does. */
  function opening(text, end) {
    for (let depth = 0, place = end - 1; place >= 0; place--) {
      depth += (text[place] === ")") - (text[place] === "(");
      if (!depth) return text[place] === "(" ? place : end;
    }
    return end;
  }

  /** The sides of a line with equals signs, { text, term }; a name before the first sign, as in dx = ..., says nothing. */
  function line(shown, names) {
    if (shown.length > LONGEST) throw new Unreadable(`the answer has ${shown.length} characters, the limit is ${LONGEST}.`, LONGEST);
    return spelled(shown, (text) => sidesOf(text, names));
  }

  function sidesOf(text, names) {
    const cuts = [], found = [];
    let start = 0;
    for (const sign of Language.tokens(text).filter(({ kind }) => ["=", "<=", "<"].includes(kind))) {
      if (text.slice(start, sign.at).trim()) cuts.push([start, sign.at]);
      start = sign.at + (["==", "<="].includes(text.slice(sign.at, sign.at + 2)) ? 2 : 1);
    }
    cuts.push([start, text.length]);
    cuts.forEach(([from, to], n) => {
      const own = text.slice(from, to);
      try {
        found.push({ text: own.trim(), term: parse(" ".repeat(from) + own, names) });
      } catch (error) {
        const label = n === 0 && cuts.length > 1 && /^\s*[A-Za-z]\w*(\/[A-Za-z]\w*)?('|\[\w\]|\(\w\))?\s*$/.test(own);
        if (!label) throw error;
      }
    });
    return found;
  }

  const faultOf = (text, names) => {
    try { line(text, names); return null; } catch (error) {
      if (error instanceof Unreadable) return error;
      return { at: -1 };
    }
  };

  const NOTATIONS = [  // how others write it
    [/(?<!\w)[E𝔼]\[([^[\]]*)\]/gu, "mean($1)"], [/(?<!\w)[E𝔼]\(/gu, "mean("], [/<([^<>,=]+),([^<>,=]+)>/g, "dot($1,$2)"],
    [/(?<!\w)([PJ])(?:\^T|ᵀ) ?(?=\()/g, "transpose($1)"], [/(?<!\w)([PJ])([ghuvwyz])(?![\w([])/g, "$1($2)"],
    [/([\wα-ω]{1,9}'?) ?\*? ?([\wα-ω]{1,9}'?)(?:\^T|ᵀ)(?! ?\*? ?[A-Za-zα-ω])/g, "outer($1, $2)"], [/([\wα-ω]{1,9}'?)(?:\^T|ᵀ) ?\*? ?([\wα-ω]{1,9}'?)/g, "dot($1, $2)"],
    [/(?<!\w)abs\(([^()]*)\)/g, "sqrt(($1)^2)"], [/(?<!\w)(delta|δ) ?\(? ?([ijklm]) ?,? ?([ijklm])(?: ?\)|(?!\w))/g, "$1_$2$3"],
    [/(?<!\w)([PIJ])([ijklm])([ijklm])(?!\w)/g, "$1[$2,$3]"], [/(?<!\w)([PIJ]) ?\* ?([A-Za-z]\w*)(?![\w([])/g, "$1($2)"],
    [/(sum|[∑Σ]) ?(?=\(?[A-Za-z]\w*_([ijklm]))/g, "$1_$2 "],
    [/(?<!\w)(mean|var|norm|total)\(([^()]*)\)/g, (_, word, inside) => `${word}(${inside.replace(/_[ijklm](?!\w)|\[[ijklm]\]|[ᵢⱼₖₗₘ]/g, "")})`],
  ];

  /** The text with something changed at a place: what is most likely meant comes first. */
  function* repairs(text, where, names, aliases) {
    const before = text.slice(0, where), after = text.slice(where);
    for (const [pattern, put] of NOTATIONS) { const other = text.replace(pattern, put); if (other !== text) yield other; }
    const word = /^[A-Za-zα-ωϵ]\w*'*/.exec(after)?.[0] ?? "", rest = after.slice(word.length);
    const known = [...Object.keys(names), ...Object.keys(Language.FUNCTIONS)];
    if (word) {
      const head = word.slice(0, -1), stem = /^[A-Za-zα-ωϵ]+/.exec(word)[0];
      if (/[ijk]$/.test(word) && names[head]?.[0] === "a") yield `${before}${head}_${word.at(-1)}${rest}`;
      const [base, tail] = [word.split("_")[0], word.includes("_") ? word.slice(word.indexOf("_")) : ""];
      if (Object.hasOwn(aliases, word)) yield before + aliases[word] + rest;
      if (tail && !known.includes(base) && Object.hasOwn(aliases, base)) yield before + aliases[base] + tail + rest;
      for (const one of known) if (one.toLowerCase() === word.toLowerCase() && one !== word) yield before + one + rest;
      if (rank(names[/\w*$/.exec(before.trimEnd())[0]] ?? ["n"]) === 2 && Object.hasOwn(names, word)) yield `${before.trimEnd()}(${word})${rest}`;
      if (Object.hasOwn(names, word.split("_")[0])) yield `${before.trimEnd()}*${after}`;
      else {
        for (const parts of split(stem, known)) yield before + parts.join("*") + after.slice(stem.length);
        for (const one of Language.closest(word, known).slice(0, 2)) yield before + one + rest;
      }
    }
    if (word === "D" && rest[0] === "(" && closing(rest, 0) > 0) yield `${before}D${rest.slice(0, closing(rest, 0))}, z_j${rest.slice(closing(rest, 0))}`;
    const constant = /^((?:mean|var)\()([A-Za-z0-9]+)(?=\))/.exec(after);
    if (constant) yield `${before}${constant[1]}${constant[2] === "1" ? "" : `${constant[2]}*`}one${after.slice(constant[0].length)}`;
    yield* powers(before, after);
    const decimal = /^\d*\.\d+/.exec(after)?.[0];
    const glued = /^([A-Za-z]+)([0-9])$/.exec(word);
    if (glued && Object.hasOwn(names, glued[1])) yield `${before}${glued[1]}^${glued[2]}${rest}`;
    if (decimal && Language.fractionOf(decimal) && !/\d$/.test(before) && !/^[.\d]/.test(after.slice(decimal.length))) yield before + Language.fractionOf(decimal) + after.slice(decimal.length);
    if (after[0] === ":") yield `${before}/${after.slice(1)}`;
    if (after[0] === "\\") yield fromLatex(text);
    const norm = /^\|+([^|]*)\|+/.exec(after);
    if (norm) yield before + (Object.hasOwn(names, norm[1]) && !rank(names[norm[1]]) ? `sqrt(${norm[1]}^2)` : `norm(${norm[1]})`) + after.slice(norm[0].length);
    const index = /^(_\w|\[\w+\])/.exec(after)?.[0];
    if (index) yield before + after.slice(index.length);
    if (/\d\s*$/.test(before) && /^\d/.test(after)) yield before.trimEnd() + (/^\d{3}(?!\d)/.test(after) ? "" : /^\d+\/\d/.test(after) ? " + " : "*") + after;
    else if (before.trim() && (word || /^[([0-9]/.test(after))) yield `${before.trimEnd()}*${after}`;
    const open = text.split("(").length - text.split(")").length;
    if (open > 0) yield text + ")".repeat(open);
    else if (open < 0) yield after[0] === ")" ? before + after.slice(1) : "(".repeat(-open) + text;
    const missing = /(var|mean)\s*$/.exec(before);
    if (missing) yield before.slice(0, missing.index) + { var: "q", mean: "mu" }[missing[1]] + after;
    const bare = /(sqrt|√|mean|var|norm)\s*$/.exec(before), root = /^(sqrt|√|mean|var|norm)\s*([A-Za-z]\w*|\d+)/.exec(bare ? text.slice(bare.index) : after);
    if (root) yield `${text.slice(0, bare?.index ?? where)}${root[1]}(${root[2]})${text.slice((bare?.index ?? where) + root[0].length)}`;
    const over = /^\/\s*(\d+)\s*\*?\s*([A-Za-z]\w*)/.exec(after);
    if (over) yield `${before}/(${over[1]}*${over[2]})${after.slice(over[0].length)}`;
    if ("+-*/^_,.:;!?()[]{}&%#@~`'=<>|".includes(after[0] ?? " ") && !(/\d$/.test(before) && /^.\d/.test(after)) && !after.startsWith("/0")) yield before + after.slice(1);  // a slip of the finger
  }

  /** LaTeX's fractions, roots and names as they are typed here. */
  function fromLatex(text) {
    for (let before = ""; text !== before;) {  // the inner ones first
      before = text;
      text = text.replace(/\\sqrt\{([^{}]*)\}/g, "sqrt($1)").replace(/\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}/g, "($1)/($2)").replace(/\\(?:bar|overline)\{([^{}]*)\}/g, "mean($1)");
    }
    return text.replace(/\\(?:odot|cdot|times)\b ?/g, "*").replace(/\\(?:var)?epsilon/g, "eps").replace(/\\(?:left|right|,|;|!|quad)?/g, "");
  }

  /** A half power as a root, and a square behind a sum as a sum of squares. */
  function* powers(before, after) {
    const half = /\^\((-?)(\d*[13579])$/.exec(before), power = /^(\^\d+|[²³])/.exec(after);
    if (half && after.startsWith("/2)")) {
      const open = opening(before, half.index), base = before.slice(0, open).search(/[A-Za-zα-ω]\w*$|\d+$|$/);
      const inside = base < open ? before.slice(base, half.index) : before.slice(open + 1, half.index - 1);
      yield `${before.slice(0, base)}${half[1] ? "1/" : ""}sqrt(${inside})${half[2] === "1" ? "" : `^${half[2]}`}${after.slice(3)}`;
    }
    if (power && before.endsWith(")")) {
      const open = opening(before, before.length);
      if (/(sum|∑|Σ)_?[\wᵢⱼₖₗₘ]\s*$/.test(before.slice(0, open))) yield `${before.slice(0, open).trimEnd()}(${before.slice(open)}${power[0]})${after.slice(power[0].length)}`;
    }
  }

  function* split(word, known) {
    for (let cut = word.length - 1; cut > 0; cut--) {
      if (!known.includes(word.slice(0, cut))) continue;
      if (known.includes(word.slice(cut))) yield [word.slice(0, cut), word.slice(cut)];
      if (word.length < 12) for (const more of split(word.slice(cut), known)) if (more.length === 2) yield [word.slice(0, cut), ...more];
    }
  }

  // ---------------------------------------------------------------- shapes

  const shapeOf = (target, before = target) => Math.max(...[target, before].map((one) => rank(one) || free(one).size));  // a constant may be a vector too
  const shapeFault = (value, target, before) => (rank(value) && rank(value) !== shapeOf(target, before) ? `Your answer is a ${KINDS[rank(value)]}, and a ${KINDS[shapeOf(target)]} is asked for.` : "");

  /** What is to be said of a wrong line with more indices than the right one. */
  function indexFault(value, target, before) {
    const mine = rank(value) ? [] : sorted(free(value)).map((index) => index.split(/[*:]/)[0]), asked = shapeOf(target, before);
    if (mine.length <= asked) return "";
    return `Your answer depends on the ind${mine.length > 1 ? "ices" : "ex"} ${mine.join(" and ")}, and ${["no index", "one index", "two indices"][asked]} can stand there.`;
  }

  /** Both as terms over the same free indices, and these. An array beside an entry is taken at the indices of that entry. */
  function opened(left, right) {
    const array = rank(left) ? left : rank(right) ? right : null;
    if (!array) return [left, right, sorted(new Set([...free(left), ...free(right)]))];
    const own = sorted(free(array === left ? right : left));
    const ranges = array[1].map(range).join();
    const indices = !(rank(left) && rank(right)) && own.length === array[1].length && own.map(range).join() === ranges ? own
      : array[1].map((hole, k) => `${"ij"[k]}*${range(hole) && `:${range(hole)}`}`);
    const open = (x) => (rank(x) ? at(x, indices) : x);
    const terms = [open(left), open(right)];
    return [...terms, sorted(new Set([...free(terms[0]), ...free(terms[1])]))];
  }

  const entryOf = (target) => (rank(target) ? target[2] : target);
  const entry = (term, target) => (rank(target) && !rank(term) && [...free(term)].some((i) => i.startsWith("·")) ? ["a", target[1], term] : term);
  const alike = (x, y) => {
    if (shapeFault(x, y)) return false;
    const [a, b] = opened(x, y);
    return spelling(a) === spelling(b);
  };

  function* environments(indices, point) {
    if (!indices.length) { yield {}; return; }
    const [first, ...rest] = indices;
    for (let place = 1; place <= (point.sizes[range(first)] ?? 0); place++) for (const env of environments(rest, point)) yield { [first]: place, ...env };
  }

  // ---------------------------------------------------------------- words

  const shown = (value) => {
    const exact = N.text(value);
    if (exact.length <= 24) return exact;
    return `about ${Number(decimal(value).toPrecision(6))}`;
  };
  const decimal = (value) => value.is.reduce((sum, [n, [p, q]]) => sum + (Number(p) / Number(q)) * Math.sqrt(Number(n)), 0);

  /** The names that stand in a term. */
  function named(node, found = new Set()) {
    if (["s", "e"].includes(node[0]) || (node[0] === "w" && !node[2].length)) found.add(node[1]);
    if (["core", "rms"].includes(node[1])) found.add("core");
    for (const inner of node.slice(1).flat(node[0] === "w" ? 1 : 0)) if (Array.isArray(inner)) named(inner, found);
    return found;
  }

  /** The point in words: what the two lines depend on. */
  function told(point, terms, env) {
    const found = new Set(terms.flatMap((term) => [...named(term)])), uses = (name) => found.has(name);
    const defined = { z: ["v", "u", "y", "mu", "q", "s", "r", "rho", "J"], "z'": ["v'", "u'", "mu'", "q'", "s'"], eps: ["s", "r", "rho", "u", "y", "J", "s'", "u'", "y"], gamma: ["y"], beta: ["y"] };
    const own = (name) => uses(name) || (defined[name] ?? []).some(uses);
    const list = (entries) => `(${entries.map((x) => (Array.isArray(x) ? list(x) : x)).join(", ")})`;
    const vectors = Object.entries(point.vectors).filter(([name]) => own(name)).map(([name, entries]) => `${name} = ${list(entries)}`);
    const scalars = Object.entries(point.scalars).filter(([name]) => own(name)).map(([name, value]) => `${name} = ${value}`);
    const places = Object.entries(env).map(([index, place]) => `${index.split(/[*:]/)[0]} = ${place}`);
    const d = vectors.length || !uses("d") ? [] : [`d = ${point.sizes[""]}`];
    return [...d, ...vectors, ...scalars, ...places].join(", ") || "any point";
  }

  /** A term as it is typed, in brackets where it needs them. */
  function written(node, level = 0) {
    const put = (text, own) => (own < level ? `(${text})` : text);
    const entries = (indices) => (indices.length === 1 ? `_${index(indices[0])}` : `[${indices.map(index)}]`);
    const index = (i) => ({ "·1": "i", "·2": "j" })[i] ?? i.split(/[*:]/)[0];
    switch (node[0]) {
      case "n": return put(node[1], /[-/]/.test(node[1]) ? 1 : 9);
      case "s": return node[1];
      case "e": return node[1] + entries(node[2]);
      case "δ": return `delta_${index(node[1])}${index(node[2])}`;
      case "+": return put(node.slice(1).map((x, k) => { const text = written(x, 1); return k && !text.startsWith("-") ? ` + ${text}` : k ? ` - ${text.slice(1)}` : text; }).join(""), 1);
      case "*": {
        const under = node.slice(1).filter((x) => x[0] === "^" && x[2] < 0), over = node.slice(1).filter((x) => !under.includes(x));
        const minus = over[0]?.[0] === "n" && over[0][1] === "-1" && over.length > 1;
        const top = over.slice(minus ? 1 : 0).map((x) => written(x, 2)).join("*") || "1";
        const low = under.map((x) => written(x[2] === -1 ? x[1] : ["^", x[1], -x[2]], 3));
        return put(`${minus ? "-" : ""}${top}${low.length ? `/${low.length > 1 ? `(${low.join("*")})` : low[0]}` : ""}`, minus ? 1 : 2);
      }
      case "^": return node[2] < 0 ? put(`1/${written(node[2] === -1 ? node[1] : ["^", node[1], -node[2]], 3)}`, 2) : put(`${written(node[1], 9)}^${node[2]}`, 3);
      case "√": return `sqrt(${written(node[1])})`;
      case "Σ": return `sum_${index(node[1])}(${written(node[2])})`;
      case "D": return `D(${written(node[1])}, ${written(node[2])})`;
      case "a": return array(node);
      case "w": return `${{ apply: "" }[node[1]] ?? node[1]}${node[1] === "apply" ? `${written(node[2][0])}(${written(node[2][1])})` : node[2].length ? `(${node[2].map((x) => written(x)).join(", ")})` : ""}${node[3].length ? entries(node[3]) : ""}`;
    }
    return "";
  }
  // A vector as it is typed: its entries lose the index.
  const array = (node) => written(node[2]).replaceAll(/_i\b|\[i\]|\[i,j\]/g, "");

  return { Course, line, written };
})();
