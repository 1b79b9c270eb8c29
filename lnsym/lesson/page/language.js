// The language of statements, read in the browser: tokens, a parser by recursive descent, and evaluation at an exact point.
//
// A term is a list whose first entry names its kind:
//   ["n", "1/3"]  ["s", name]  ["e", vector, indices]  ["δ", i, j]  ["+", ...terms]  ["*", ...terms]  ["^", base, exponent]  ["√", radicand]
//   ["Σ", index, body]  ["D", body, variable]  ["w", word, arguments, indices]  ["a", holes, body]
// An index is a name, a position, or a name with its range, as in "i:inputs"; the holes of a vector or matrix are ·1 and ·2.
const Language = (() => {
  const N = Numbers;

  /** A text that cannot be read: what is wrong, and where. */
  class Unreadable extends Error {
    constructor(message, at) { super(message); this.at = at; }
  }

  // ---------------------------------------------------------------- tokens

  const GREEK = {
    α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "eps", ϵ: "eps", ζ: "zeta", η: "eta", θ: "theta", ι: "iota", κ: "kappa", λ: "lambda",
    μ: "mu", "\u00b5": "mu", ν: "nu", ξ: "xi", π: "pi", ρ: "rho", σ: "sigma", τ: "tau", φ: "phi", χ: "chi", ψ: "psi", ω: "omega",
  };
  const SIGNS = { "==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "**": "^", "·": "*", "⋅": "*", "×": "*", "−": "-" };
  const NAMES = { ...GREEK, epsilon: "eps", "√": "sqrt", "∑": "sum", "Σ": "sum" };
  const SMALL = Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₗₘ"].map((c, k) => [c, "0123456789-0123456789ijklm"[k]]));
  const TOKEN = new RegExp([
    "(?<blank>[ \\t\\r\\n\\u00a0\\u2009\\u200a\\u202f]+)",
    "(?<decimal>[0-9]+\\.[0-9]*(?:[eE][+-]?[0-9]+)?|\\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)",
    "(?<number>[0-9]+)",
    `(?<name>(?:[A-Za-z][A-Za-z0-9]*|[${Object.keys(GREEK).join("")}√∑Σ])['′’]*)`,
    "(?<super>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)",
    "(?<sub>[₀-₉ᵢⱼₖₗₘ]+)",
    "(?<operator><=|>=|==|!=|\\*\\*|[-+*/^@=<>()\\[\\]{},_·⋅×−≤≥≠‖])",
    "(?<wrong>.)",
  ].join("|"), "gsu");
  const REMEDIES = {
    "|": "Write norm(x) for a norm and sqrt(a^2) for an absolute value.", "∥": "Write norm(x) for a norm.",
    "⟨": "Write an inner product as dot(x, y).", "∂": "Write a derivative as D(a, z_j).", ".": "Write fractions such as 1/10, and * for a product.",
  };

  const fractionOf = (decimal) => {
    const [digits, exponent = "0"] = decimal.toLowerCase().split("e"), [whole, after = ""] = digits.split(".");
    const shift = after.length - Number(exponent), size = BigInt(whole + after);
    if (Math.abs(shift) > 12) return "";
    return N.text(shift > 0 ? N.number(size, 10n ** BigInt(shift)) : N.number(size * 10n ** BigInt(-shift)));
  };

  /** The tokens of a text, { kind, text, at }, the last of kind "end". */
  function tokens(text) {
    const found = [];
    for (const match of text.matchAll(TOKEN)) {
      const [kind, raw] = Object.entries(match.groups).find(([, value]) => value !== undefined), at = match.index;
      if (kind === "wrong") throw new Unreadable(`unexpected character '${raw}'. ${REMEDIES[raw] ?? "Remove it."}`, at);
      if (kind === "decimal") {
        const fraction = fractionOf(raw);
        throw new Unreadable(`decimal number '${raw.length <= 40 ? raw : `${raw.slice(0, 37)}...`}': numbers are exact here. Write ${fraction || "an exact fraction, such as 1/10"}.`, at);
      }
      if (kind === "number" && raw.length > 200) throw new Unreadable("a number of more than 200 digits. Give it a name, such as c.", at);
      if (kind === "name") {
        const plain = raw.replace(/[′’]/g, "'"), base = plain.replace(/'+$/, "");
        found.push({ kind, text: (NAMES[base] ?? base) + plain.slice(base.length), at });
      } else if (kind === "super" || kind === "sub") found.push({ kind, text: [...raw].map((c) => SMALL[c]).join(""), at });
      else if (kind === "operator") found.push({ kind: SIGNS[raw] ?? raw, text: SIGNS[raw] ?? raw, at });
      else if (kind !== "blank") found.push({ kind, text: raw, at });
    }
    return [...found, { kind: "end", text: "", at: text.length }];
  }

  // ---------------------------------------------------------------- terms

  const ZERO = ["n", "0"], ONE = ["n", "1"], MINUS = ["n", "-1"];
  const HOLES = ["·1", "·2"];
  const rank = (node) => (node[0] === "a" ? node[1].length : 0);
  const body = (node) => (node[0] === "a" ? node[2] : node);
  const minus = (node) => (node[0] === "n" ? ["n", N.text(N.negative(N.read(node[1])))] : ["*", MINUS, node]);
  const joined = (kind, x, y) => [kind, ...(x[0] === kind ? x.slice(1) : [x]), y];
  const entrywise = (make, ...nodes) => {
    const holes = nodes.find(rank)?.[1];
    const made = make(...nodes.map(body));
    return holes ? ["a", holes, made] : made;
  };
  const range = (index) => index.split(":")[1] ?? "";
  const isFixed = (index) => /^[0-9]+$/.test(index.split(":")[0]);
  const sorted = (set) => [...set].sort();

  /** The indices that are free in a term. */
  function free(node, bound = new Set(), found = new Set()) {
    const see = (...indices) => indices.forEach((i) => { if (!isFixed(i) && !bound.has(i)) found.add(i); });
    switch (node[0]) {
      case "n": case "s": break;
      case "e": see(...node[2]); break;
      case "δ": see(node[1], node[2]); break;
      case "^": free(node[1], bound, found); break;
      case "Σ": free(node[2], new Set([...bound, node[1]]), found); break;
      case "a": free(node[2], new Set([...bound, ...node[1]]), found); break;
      case "w": node[2].forEach((x) => free(x, bound, found)); see(...node[3]); break;
      default: node.slice(1).forEach((x) => free(x, bound, found));
    }
    return found;
  }

  /** A term with indices put in the place of others; a bound index that would catch one of them is renamed. */
  function placed(node, places) {
    const put = (i) => places.get(i) ?? i, again = (x) => placed(x, places);
    const inner = (own, inside) => {
      const kept = new Map([...places].filter(([i]) => !own.includes(i)));
      const names = own.map((i) => {
        let name = i;
        while ([...kept.values()].includes(name)) name = range(name) ? name.replace(":", "'+:") : `${name}'`;
        return name;
      });
      names.forEach((name, k) => { if (name !== own[k]) kept.set(own[k], name); });
      return [names, placed(inside, kept)];
    };
    switch (node[0]) {
      case "n": case "s": return node;
      case "e": return ["e", node[1], node[2].map(put)];
      case "δ": return ["δ", put(node[1]), put(node[2])];
      case "^": return ["^", again(node[1]), node[2]];
      case "Σ": { const [[name], inside] = inner([node[1]], node[2]); return ["Σ", name, inside]; }
      case "a": { const [names, inside] = inner(node[1], node[2]); return ["a", names, inside]; }
      case "w": return ["w", node[1], node[2].map(again), node[3].map(put)];
      default: return [node[0], ...node.slice(1).map(again)];
    }
  }

  /** An array at some indices. */
  const at = (array, indices) => placed(array[2], new Map(array[1].map((hole, k) => [hole, indices[k]])));

  // ---------------------------------------------------------------- the parser

  const word = (name, shape) => (...args) => (shape ? ["a", HOLES.slice(0, shape), ["w", name, args, HOLES.slice(0, shape)]] : ["w", name, args, []]);
  const FUNCTIONS = {
    mean: [word("mean"), "v"], var: [word("var"), "v"], norm: [word("norm"), "v"], total: [word("total"), "v"], cov: [word("cov"), "vv"],
    dot: [word("dot"), "vv"], outer: [word("outer", 2), "vv"], diag: [word("diag", 2), "v"], sqrt: [(x) => ["√", x], "s"],
    D: [(x, by) => ["D", x, by], "ss"], core: [(x, eps = ["s", "eps"]) => word("core", 1)(x, eps), "v?s"],
    rms: [(x, eps = ["s", "eps"]) => word("rms", 1)(x, eps), "v?s"], trace: [word("trace"), "m"], transpose: [word("transpose", 2), "m"],
  };
  const KINDS = { s: "scalar", v: "vector", m: "matrix" }, RANKS = ["scalar", "vector", "matrix"];
  const RESERVED = ["i", "j", "k", "l", "m"];
  const MEANT = {
    abs: "Write an absolute value as sqrt(a^2).", std: "Say whether eps is inside: s is sqrt(q + eps), sigma is sqrt(q).",
    max: "State a bound for every coordinate instead.", min: "State a bound for every coordinate instead.",
  };
  const LIMIT = 50;

  class Parser {
    constructor(text, names) { Object.assign(this, { text, names, tokens: tokens(text), here: 0, nesting: 0, ended: new Set() }); }

    get next() { return this.tokens[this.here]; }
    take(...kinds) { return kinds.includes(this.next.kind) ? this.tokens[this.here++] : null; }
    fail(token, message) { throw new Unreadable(message, token.at); }
    unexpected(wanted, remedy = "") {
      this.fail(this.next, `expected ${wanted}, found ${this.next.kind === "end" ? "the end" : `'${this.next.text}'`}. ${remedy}`.trim());
    }
    expect(kind, remedy) { return this.take(kind) ?? this.unexpected(`'${kind}'`, remedy); }

    expression() {
      let left = this.product();
      for (let token; (token = this.take("+", "-"));) {
        const right = this.product();
        const kinds = [rank(left), rank(right)];
        if (kinds.includes(2) && kinds[0] !== kinds[1]) this.fail(token, `cannot add a ${RANKS[kinds[0]]} and a ${RANKS[kinds[1]]}. Write c*I for the matrix with c on its diagonal.`);
        left = entrywise((x, y) => joined("+", x, token.kind === "+" ? y : minus(y)), left, right);
      }
      return left;
    }

    product() {
      let left = this.prefix(), closed = this.ended;
      for (let token; (token = this.take("*", "/", "@"));) {
        const after = this.tokens[this.here + 1];
        if (token.kind === "/" && this.next.kind === "number" && ["name", "("].includes(after?.kind)) {
          this.fail(token, "a product without * after '/' can be read in two ways. Write 1/(2*q) or (1/2)*q.");
        }
        const right = this.prefix();
        for (const i of closed) if (free(right).has(i)) this.fail(token, `'sum_${i}(...)' ends at its bracket, but this factor has ${i}. Write sum_${i}((...)*...).`);
        left = this.combined(token, left, right);
        closed = new Set([...closed, ...this.ended]);
      }
      return left;
    }

    combined(token, left, right) {
      const sign = token.kind, kinds = [rank(left), rank(right)], [a, b] = kinds.map((k) => RANKS[k]);
      if (sign === "@") {
        if (kinds[0] !== 2 || !kinds[1]) this.fail(token, `'@' takes a matrix and a vector or matrix, found a ${a} and a ${b}. Write dot(x, y) or *.`);
        return word(kinds[1] === 1 ? "apply" : "matmul", kinds[1])(left, right);
      }
      if (kinds.includes(2) && !(kinds[1] === 0 || (kinds[0] === 0 && sign === "*"))) {
        this.fail(token, `cannot take ${a} ${sign} ${b}. Write P(x) for a matrix applied to a vector, J @ J for a product of matrices.`);
      }
      if (sign === "*") return entrywise((x, y) => joined("*", x, y), left, right);
      if (right[0] === "n" && right[1] === "0") this.fail(token, "division by zero. Change the denominator.");
      if (left[0] === "n" && right[0] === "n") return ["n", N.text(N.product(N.read(left[1]), N.inverse(N.read(right[1]))))];
      return entrywise((x, y) => joined("*", x, ["^", y, -1]), left, right);
    }

    prefix() {
      if (++this.nesting > LIMIT) this.fail(this.next, `more than ${LIMIT} levels of brackets, signs and sums. Simplify the line.`);
      const sign = this.take("-", "+");
      const value = sign ? this.prefix() : this.power(this.postfix(this.atom()));
      this.nesting--;
      return sign?.kind === "-" ? entrywise(minus, value) : value;
    }

    postfix(value) {
      for (;;) {
        const token = this.next;
        if (token.kind === "(" && rank(value) === 2) {
          const found = this.args();
          if (found.length !== 1 || rank(found[0]) !== 1) this.fail(token, "a matrix applies to one vector, as in P(x). Write J @ J for a product, J[i,j] for an entry.");
          value = word("apply", 1)(value, found[0]);
        } else if (["[", "_", "sub"].includes(token.kind)) {
          const found = this.indices();
          if (!rank(value)) this.fail(token, "only a vector or a matrix has entries, this is a scalar. Remove the index.");
          if (found.length !== rank(value)) this.fail(token, `a ${RANKS[rank(value)]} takes ${rank(value) === 1 ? "one index, as in z_i" : "two indices, as in J[i,j]"}; found ${found.length}.`);
          value = at(value, found);
        } else return value;
      }
    }

    indices() {
      const opening = this.take("[", "_", "sub") ?? this.unexpected("an index", "Write z_i, z[i] or z_1.");
      if (opening.kind === "sub") return this.named(opening);
      const one = () => this.named(this.take("name", "number") ?? this.unexpected("an index", "Write z_i, z[i] or z_1."));
      if (opening.kind === "_" && !this.take("{")) return one();
      const found = one();
      while (this.take(",")) found.push(...one());
      this.expect(opening.kind === "[" ? "]" : "}");
      return found;
    }

    named(token) {
      const found = token.text.match(/[1-9][0-9]*|[ijklm]/g) ?? [];
      if (found.join("") !== token.text || found.some((i) => Number(i) > 99)) this.fail(token, `'${token.text}' is not an index. Use i, j, k, l, m or a position 1, 2, ..., 99.`);
      return found;
    }

    power(base) {
      const token = this.take("^", "super");
      if (!token) return base;
      if (rank(base) === 2) this.fail(token, "a power of a matrix is not in the language. Write J @ J for the matrix product.");
      let exponent;
      if (token.kind === "super") exponent = Number(token.text);
      else {
        const bracket = this.take("("), sign = this.take("-", "+");
        const found = this.take("number") ?? this.unexpected("a whole number as exponent", "Write a square root as sqrt(...).");
        if (bracket) this.expect(")", "An exponent is a whole number; write a square root as sqrt(...).");
        exponent = sign?.kind === "-" ? -Number(found.text) : Number(found.text);
      }
      if (["^", "super"].includes(this.next.kind)) this.fail(this.next, "a power of a power can be read in two ways. Write brackets: (a^2)^3.");
      if (Math.abs(exponent) > 64) this.fail(token, "exponent too large: the limit is 64. Use a smaller one.");
      return entrywise((x) => ["^", x, exponent], base);
    }

    atom() {
      this.ended = new Set();
      const token = this.next;
      if (this.take("number")) {
        const value = ["n", String(BigInt(token.text))];
        return ["name", "("].includes(this.next.kind) ? this.combined({ kind: "*", at: token.at }, value, this.prefix()) : value;
      }
      if (this.take("(")) return this.closed(")");
      if (this.take("‖")) return this.applied("norm", token, [this.closed("‖")]);
      if (token.kind === "name") return this.word();
      return this.unexpected("an operand", "An operand is a number, a name such as z, or a bracket.");
    }

    closed(bracket) {
      const value = this.expression();
      if (!this.take(bracket)) this.unexpected(`an operator or '${bracket}'`, this.hint());
      this.ended = new Set();
      return value;
    }

    hint() { return ["name", "number", "("].includes(this.next.kind) ? "Write * for a product: it may be left out only after a number." : ""; }

    args() {
      this.expect("(");
      const found = [this.expression()];
      while (this.take(",")) found.push(this.expression());
      if (!this.take(")")) this.unexpected("an operator or ')'", this.hint());
      this.ended = new Set();
      return found;
    }

    word() {
      const token = this.tokens[this.here++], name = token.text;
      if (name === "sum") return this.sum(token);
      if (name === "delta") {
        const found = this.indices();
        if (found.length !== 2) this.fail(token, `delta takes two indices, as in delta_ij; found ${found.length}.`);
        return ["δ", ...found];
      }
      if (Object.hasOwn(FUNCTIONS, name)) {
        if (this.next.kind !== "(") this.unexpected(`'(' after ${name}`, `Write ${name}(...).`);
        return this.applied(name, token, this.args());
      }
      if (Object.hasOwn(this.names, name)) return this.names[name];
      if (RESERVED.includes(name)) this.fail(token, `'${name}' is an index and has no value of its own. Write z_${name} for an entry.`);
      const close = closest(name, [...Object.keys(this.names), ...Object.keys(FUNCTIONS), "sum", "delta"])[0];
      return this.fail(token, `'${name}' is not a word of the language. ${MEANT[name] ?? (close ? `Did you mean '${close}'?` : "Use the names that stand in the lines above.")}`);
    }

    applied(name, token, given) {
      const [make, signature] = FUNCTIONS[name], wanted = signature.replace("?", ""), least = signature.split("?")[0].length;
      if (given.length < least || given.length > wanted.length) this.fail(token, `${name} takes ${least < wanted.length ? "1 or 2 arguments" : `${least} argument${least > 1 ? "s" : ""}`}, found ${given.length}.`);
      given.forEach((one, k) => {
        const kind = KINDS[wanted[k]];
        if (RANKS[rank(one)] === kind) return;
        const remedy = { scalar: "Write an entry, such as u_i or J[i,j].", matrix: "Write a matrix, such as J or outer(u, u)." }[kind]
          ?? (free(one).size ? `Write the vector without its index: ${name}(u^2).` : "Write c*one for a constant vector.");
        this.fail(token, `${name} takes a ${kind} here, found a ${RANKS[rank(one)]}. ${remedy}`);
      });
      if (name === "D" && !["s", "e"].includes(given[1][0])) this.fail(token, "a derivative is taken by a name or an entry. Write D(a, z_j).");
      return make(...given);
    }

    sum(token) {
      let start = this.here - 2;
      if (!["_", "sub", "["].includes(this.next.kind)) this.unexpected("an index after sum", "Write sum_i(...), or total(x) for a vector x.");
      const found = this.indices();
      if (found.some(isFixed)) this.fail(token, "a sum runs over an index, not over a position. Write sum_i(...).");
      let inside, outer = new Set();
      if (this.take("(")) {
        inside = this.closed(")");
        if (["^", "super"].includes(this.next.kind)) this.fail(this.next, "a power after sum_i(...) can be read in two ways. Write sum_i((...)^2) or (sum_i(...))^2.");
        outer = new Set(found);
      } else {
        while (start >= 0 && ["-", "+"].includes(this.tokens[start].kind)) start--;
        if (start >= 0 && this.tokens[start].kind === "/") this.fail(token, "a sum after '/' can be read in two ways. Write brackets: 1/(sum_i v_i^2).");
        inside = this.product();
      }
      if (rank(inside)) this.fail(token, `a sum takes a scalar, found a ${RANKS[rank(inside)]}. Write sum_i z_i with the index, or total(z).`);
      for (const i of [...found].reverse()) inside = ["Σ", i, inside];
      this.ended = outer;
      return inside;
    }
  }

  /** The term of a text; `names` gives the term of each name. */
  function parse(text, names) {
    const parser = new Parser(text, names);
    if (parser.next.kind === "end") throw new Unreadable("expected an expression, found nothing. Write for example v/s.", 0);
    const found = parser.expression();
    if (parser.next.kind !== "end") parser.unexpected("an operator or the end", parser.hint());
    return found;
  }

  /** Known names near a word, the nearest first. */
  function closest(name, known) {
    const near = (other) => {
      let row = [...other, ""].map((_, k) => k);
      for (let i = 1; i <= name.length; i++) {
        let diagonal = row[0];
        row[0] = i;
        for (let k = 1; k <= other.length; k++) [diagonal, row[k]] = [row[k], Math.min(row[k] + 1, row[k - 1] + 1, diagonal + (name[i - 1] !== other[k - 1]))];
      }
      return row[other.length] / Math.max(name.length, other.length);
    };
    return known.map((other) => [near(other), other]).filter(([far]) => far <= 0.4).sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1)).map(([, other]) => other);
  }

  // ---------------------------------------------------------------- spelling

  /** A text that is the same for all spellings of a term: order, brackets and names of bound indices do not count. */
  function spelling(node, bound = new Map(), depth = 0) {
    const index = (i) => bound.get(i) ?? i;
    const inside = (own, x) => spelling(x, new Map([...bound, ...own.map((i, k) => [i, `#${depth}.${k}`])]), depth + 1);
    switch (node[0]) {
      case "n": case "s": return node[1];
      case "e": return `${node[1]}[${node[2].map(index)}]`;
      case "δ": return `δ[${[index(node[1]), index(node[2])].sort()}]`;
      case "+": return flat(node, "+").map((x) => spelling(x, bound, depth)).sort().join("+");
      case "*": case "^": return factors(node, bound, depth);
      case "Σ": return `Σ(${inside([node[1]], node[2])})`;
      case "a": return `a(${inside(node[1], node[2])})`;
      case "w": return `${node[1]}(${[...node[2].map((x) => spelling(x, bound, depth)), ...node[3].map(index)]})`;
      default: return `${node[0]}(${node.slice(1).map((x) => spelling(x, bound, depth))})`;
    }
  }
  const flat = (node, kind) => (node[0] === kind ? node.slice(1).flatMap((x) => flat(x, kind)) : [node]);
  function factors(node, bound, depth) {
    let number = N.number(1);
    const powers = new Map(), stack = [[node, 1]];
    while (stack.length) {
      const [factor, exponent] = stack.pop();
      if (factor[0] === "*") factor.slice(1).forEach((x) => stack.push([x, exponent]));
      else if (factor[0] === "^") stack.push([factor[1], exponent * factor[2]]);
      else if (factor[0] === "n" && (factor[1] !== "0" || exponent >= 0)) number = N.product(number, N.power(N.read(factor[1]), exponent));
      else { const shown = spelling(factor, bound, depth); powers.set(shown, (powers.get(shown) ?? 0) + exponent); }
    }
    const shown = [...powers].sort().map(([x, n]) => (n === 1 ? `(${x})` : `(${x})^${n}`)).join("*");
    const size = N.text(number);
    return !shown ? size : size === "1" ? shown : `${size}*${shown}`;
  }

  // ---------------------------------------------------------------- evaluation at a point

  const add = (values) => values.reduce(N.sum, N.number(0));
  const mean = (values) => N.product(add(values), N.number(1, values.length));
  const less = (x, y) => N.sum(x, N.negative(y));
  const covariance = (xs, ys) => {
    const [a, b] = [mean(xs), mean(ys)];
    return mean(xs.map((x, k) => N.product(less(x, a), less(ys[k], b))));
  };
  const inner = (xs, ys) => add(xs.map((x, k) => N.product(x, ys[k])));
  const over = (x, y) => N.product(x, N.inverse(y));
  const MEANINGS = {
    total: (at_, [x]) => add(at_.entries(x)), mean: (at_, [x]) => mean(at_.entries(x)), dot: (at_, [x, y]) => inner(at_.entries(x), at_.entries(y)),
    var: (at_, [x]) => { const xs = at_.entries(x); return covariance(xs, xs); }, cov: (at_, [x, y]) => covariance(at_.entries(x), at_.entries(y)),
    norm: (at_, [x]) => { const xs = at_.entries(x); return N.root(inner(xs, xs)); },
    core: (at_, [x, eps], [i]) => { const xs = at_.entries(x); return over(less(xs[i - 1], mean(xs)), N.root(N.sum(covariance(xs, xs), at_.value(eps)))); },
    rms: (at_, [x, eps], [i]) => { const xs = at_.entries(x); return over(xs[i - 1], N.root(N.sum(over(inner(xs, xs), N.number(xs.length)), at_.value(eps)))); },
    outer: (at_, [x, y], [i, j]) => N.product(at_.entry(x, [i]), at_.entry(y, [j])),
    diag: (at_, [x], [i, j]) => (i === j ? at_.entry(x, [i]) : N.number(0)),
    transpose: (at_, [x], [i, j]) => at_.entry(x, [j, i]),
    trace: (at_, [x]) => add(at_.counted(x[1][0]).map((k) => at_.entry(x, [k, k]))),
    apply: (at_, [a, x], [i]) => add(at_.counted(x[1][0]).map((k) => N.product(at_.entry(a, [i, k]), at_.entry(x, [k])))),
    matmul: (at_, [a, b], [i, j]) => add(at_.counted(b[1][0]).map((k) => N.product(at_.entry(a, [i, k]), at_.entry(b, [k, j])))),
    jacobian: (at_, [x, z], [i, j]) => at_.derivative((seeded) => seeded.entry(x, [i]), body(z)[1], [j]),
    gradient: (at_, [x, z], [j]) => at_.derivative((seeded) => seeded.value(x), body(z)[1], [j]),
  };

  /** Values at one point, { sizes, vectors, scalars }, by the book's theory, { families, definitions }. `seed` is what a derivative is taken by. */
  class At {
    constructor(theory, point, env = {}, seed = "", memo = new Map()) { Object.assign(this, { theory, point, env, seed, memo }); }

    within(env) { return new At(this.theory, this.point, { ...this.env, ...env }, this.seed, this.memo); }
    outside() { return new At(this.theory, this.point, {}, this.seed, this.memo); }
    counted(index) {
      const size = this.point.sizes[range(index)];
      if (!size) throw new N.NoValue("a length that the point does not give");
      return Array.from({ length: size }, (_, k) => k + 1);
    }
    places(indices) {
      return indices.map((i) => {
        const place = this.env[i] ?? (isFixed(i) ? Number(i.split(":")[0]) : undefined);
        if (place === undefined || place > this.point.sizes[range(i)]) throw new N.NoValue(`there is no place ${i}`);
        return place;
      });
    }
    entry(array, places) { return rank(array) ? this.within(Object.fromEntries(array[1].map((hole, k) => [hole, places[k]]))).value(array[2]) : this.value(array); }
    entries(array) { return this.counted(array[1][0]).map((k) => this.entry(array, [k])); }

    value(node) {
      switch (node[0]) {
        case "n": return N.read(node[1]);
        case "s": return this.known(node[1], []);
        case "e": return this.known(node[1], this.places(node[2]));
        case "δ": { const [i, j] = this.places(node.slice(1)); return N.number(i === j ? 1 : 0); }
        case "+": return add(node.slice(1).map((x) => this.value(x)));
        case "*": return node.slice(1).map((x) => this.value(x)).reduce(N.product);
        case "^": return N.power(this.value(node[1]), node[2]);
        case "√": return N.root(this.value(node[1]));
        case "Σ": return add(this.counted(node[1]).map((k) => this.within({ [node[1]]: k }).value(node[2])));
        case "D": return this.derivative((seeded) => seeded.value(node[1]), node[2][1], node[2][0] === "e" ? this.places(node[2][2]) : []);
        case "w": return this.word(node);
      }
      throw new N.NoValue(`a term of kind ${node[0]}`);
    }

    word([, name, args, indices]) {
      const places = this.places(indices);
      if (Object.hasOwn(MEANINGS, name)) return MEANINGS[name](this, args, places);
      return this.outside().entry(this.theory.words[name], places);
    }

    derivative(inside, name, places) {
      const { families, definitions } = this.theory;
      const derived = Object.hasOwn(definitions, name) || families.some((f) => [f.deviation, f.mean, f.variance].includes(name)) || name === "d";
      if (derived || this.seed) throw new N.NoValue(derived ? `a derivative by ${name}, which depends on others` : "a derivative of a derivative");
      return N.derivative(inside(new At(this.theory, this.point, this.env, `${name} ${places}`)));
    }

    known(name, places) {
      const key = `${name} ${places}`;
      if (!this.memo.has(key)) this.memo.set(key, this.outside().found(name, places, key));
      return this.memo.get(key);
    }

    found(name, places, key) {
      const { families, definitions } = this.theory, { vectors, scalars, sizes, curves = {} } = this.point;
      const family = families.find((f) => [f.deviation, f.mean, f.variance].includes(name));
      const all = () => this.counted("").map((k) => this.known(family.vector, [k]));
      if (family?.deviation === name) return less(this.known(family.vector, places), this.known(family.mean, []));
      if (family?.mean === name) return mean(all());
      if (family) { const xs = all(); return covariance(xs, xs); }
      if (Object.hasOwn(definitions, name)) return this.entry(definitions[name], places);
      if (Object.hasOwn(curves, name)) return this.value(curves[name][places[0] - 1]);
      const lengths = { d: "", n: "inputs", N: "rows", T: "steps", B: "blocks" };
      if (name in lengths && sizes[lengths[name]]) return N.number(sizes[lengths[name]]);
      let given = Object.hasOwn(vectors, name) ? vectors[name] : scalars[name];
      for (const place of places) given = given?.[place - 1];
      if (typeof given !== "string") throw new N.NoValue(`the point does not give ${name}`);
      return { ...N.read(given), moves: key === this.seed ? N.number(1).is : [] };
    }
  }

  return { Unreadable, At, FUNCTIONS, ONE, ZERO, tokens, parse, spelling, free, rank, at, sorted, range, flat, closest, fractionOf };
})();
