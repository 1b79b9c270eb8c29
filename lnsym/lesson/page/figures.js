// The figures: each is drawn from numbers that the emitted plain module computes, again at every move of a slider, and reads them out.
const Figures = (({ normalize, layer_norm, layer_norm_jvp }) => {
  const WIDE = 640, NARROW = 380, NS = "http://www.w3.org/2000/svg";
  const svg = (kind, attributes, text = "") => {
    const element = document.createElementNS(NS, kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  };
  /** A number in three digits, as people write it. */
  const said = (x) => {
    if (!Number.isFinite(x)) return Number.isNaN(x) ? "NaN" : x > 0 ? "∞" : "−∞";
    const size = Math.abs(x);
    const digits = size !== 0 && (size < 1e-3 || size >= 1e5) ? x.toExponential(2).replace(/\.?0+e/, "e") : String(Number(x.toPrecision(3)));
    return digits.replace(/e([+-])(\d+)/, (_, sign, n) => `·10${sign === "-" ? "⁻" : ""}${[...n].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("")}`).replace("-", "−");
  };
  const row = (xs) => `(${xs.map(said).join(", ")})`;
  const line = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
  const steps = (low, high, count) => Array.from({ length: count + 1 }, (_, k) => low + ((high - low) * k) / count);

  /** Axes with ticks [value, text]; returns the places of values. A logarithmic axis takes exponents of 10. */
  const axes = (drawing, { x, y, top = 14, left = 54, bottom = 44, right = 16, space: { width, height } }) => {
    const across = (value) => left + ((width - left - right) * (value - x.low)) / (x.high - x.low);
    const up = (value) => height - bottom - ((height - bottom - top) * (value - y.low)) / (y.high - y.low);
    for (const [value, text] of x.ticks) {
      drawing.append(svg("path", { class: "grid", d: `M${across(value)} ${top}V${height - bottom}` }));
      drawing.append(svg("text", { class: "tick", x: across(value), y: height - bottom + 18, "text-anchor": "middle" }, text));
    }
    for (const [value, text] of y.ticks) {
      drawing.append(svg("path", { class: "grid", d: `M${left} ${up(value)}H${width - right}` }));
      drawing.append(svg("text", { class: "tick", x: left - 8, y: up(value) + 4, "text-anchor": "end" }, text));
    }
    drawing.append(svg("path", { class: "frame", d: `M${left} ${top}V${height - bottom}H${width - right}` }));
    drawing.append(svg("text", { class: "axis", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, x.name));
    drawing.append(svg("text", { class: "axis", transform: `translate(14 ${(top + height - bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, y.name));
    return { across, up, left, right: width - right, top, bottom: height - bottom };
  };
  const decades = (low, high, by = 1) => steps(low, high, (high - low) / by).map((k) => [k, k === 0 ? "1" : k === 1 ? "10" : `10${k < 0 ? "⁻" : ""}${"⁰¹²³⁴⁵⁶⁷⁸⁹"[Math.abs(k)]}`]);

  // ---------------------------------------------------------------- bars

  const GAIN = [1, 2, 0.5], BIAS = [0, 1, 0.25];
  function bars(drawing, { eps, scale }, space) {
    const z = [1, 2, 3].map((x) => scale * x), core = normalize(z, eps);
    const { y, mean, rstd } = layer_norm(z, GAIN, BIAS, eps, { returnStats: true });
    const deviations = z.map((x) => x - mean), q = deviations.reduce((sum, x) => sum + x * x, 0) / 3;
    const kept = core.reduce((sum, x) => sum + x * x, 0) / 3;
    const groups = [["input z", z, "c1"], ["deviations v", deviations, "c3"], ["core u", core, "c2"], ["output y", y, "c4"]];
    const columns = space.narrow ? 2 : 4, width = space.width / columns, height = (space.height * columns) / 4, reach = height / 2 - 52;
    groups.forEach(([name, values, color], n) => {
      const top = Math.floor(n / columns) * height, middle = top + height / 2 - 6;
      // Input and deviations share a scale of their own; core and output are shown in units, the largest at 1.6 and 3.7.
      const largest = n < 2 ? Math.max(...z.map(Math.abs)) : n === 2 ? 1.6 : 3.7;
      const left = (n % columns) * width + 22, each = (width - 44) / values.length;
      drawing.append(svg("text", { class: `label ${color}`, x: left + (width - 44) / 2, y: top + 18, "text-anchor": "middle" }, name));
      drawing.append(svg("path", { class: "frame", d: `M${left - 8} ${middle}H${left + width - 36}` }));
      if (n === 2) {
        for (const sign of [1, -1]) drawing.append(svg("path", { class: "guide", d: `M${left - 8} ${(middle - (sign * reach * Math.sqrt(1.5)) / largest).toFixed(1)}h${width - 28}` }));
      }
      values.forEach((value, k) => {
        const size = (reach * value) / largest, x = left + each * k + each * 0.16;
        drawing.append(svg("rect", { class: `column ${color}`, x: x.toFixed(1), y: (middle - Math.max(size, 0)).toFixed(1), width: (each * 0.68).toFixed(1), height: Math.max(Math.abs(size), 0.8).toFixed(1) }));
        drawing.append(svg("text", { class: "tick", x: (x + each * 0.34).toFixed(1), y: (middle - size + (value < 0 ? 15 : -6)).toFixed(1), "text-anchor": "middle" }, said(value)));
      });
      const notes = [`mean ${said(mean)}`, `q = ${said(q)}`, `mean of u²: ${said(kept)}`, "y = γu + β"];
      drawing.append(svg("text", { class: "note", x: left + (width - 44) / 2, y: top + height - 12, "text-anchor": "middle" }, notes[n]));
    });
    return `z = ${row(z)} has mean ${said(mean)} and variance q = ${said(q)}. With ε = ${said(eps)} the deviations are divided by ${said(1 / rstd)}: u = ${row(core)}, whose variance is `
      + `${said(kept)}. With gain (1, 2, 1/2) and bias (0, 1, 1/4), y = ${row(y)}. The dashed lines are ±√(3/2), where u would be without ε.`;
  }

  // ---------------------------------------------------------------- the share of the variance

  /** The variance of the core of (-√q, √q), at eps = 1. */
  const share = (ratio) => normalize([-Math.sqrt(ratio), Math.sqrt(ratio)], 1)[1] ** 2;
  function variance_share(drawing, { ratio }, space, drag) {
    const place = axes(drawing, { x: { low: -3, high: 3, ticks: decades(-3, 3), name: "q/ε" }, y: { low: 0, high: 1.1, ticks: [[0, "0"], [0.5, "0.5"], [1, "1"]], name: "ρ" }, space });
    drawing.append(svg("path", { class: "guide", d: `M${place.left} ${place.up(1)}H${place.right}` }));
    drawing.append(svg("path", { class: "curve c1", d: line(steps(-3, 3, 120).map((k) => [place.across(k), place.up(share(10 ** k))])) }));
    const x = place.across(Math.log10(ratio)), rho = share(ratio), y = place.up(rho);
    drawing.append(svg("path", { class: "guide", d: `M${x.toFixed(1)} ${place.bottom}V${y.toFixed(1)}H${place.left}` }));
    drag(drawing, x, y, "ratio", (at) => 10 ** (-3 + (6 * (at - place.left)) / (place.right - place.left)));
    return `At q/ε = ${said(ratio)} the core keeps ρ = ${said(rho)} of variance 1${ratio >= 0.999 && ratio <= 1.001 ? ", one half, because q = ε" : ""}; `
      + `${said(1 - rho)} is missing. The entries of the core are ${said(Math.sqrt(rho))} times what they would be without ε.`;
  }

  // ---------------------------------------------------------------- the response of one coordinate

  const response = (eps, t) => normalize([-t, 0, t], eps)[2];
  function drawResponse(drawing, { eps, t }, space, drag) {
    const place = axes(drawing, { x: { low: -4, high: 4, ticks: [-4, -2, 0, 2, 4].map((n) => [n, said(n)]), name: "t" }, y: { low: -1.6, high: 1.6, ticks: [-1, 0, 1].map((n) => [n, said(n)]), name: "h" }, space });
    const limit = Math.sqrt(1.5), slope = layer_norm_jvp([0, 0, 0], [-1, 0, 1], null, eps)[2], reach = Math.min(4, 1.6 / slope);
    for (const sign of [1, -1]) drawing.append(svg("path", { class: "guide", d: `M${place.left} ${place.up(sign * limit)}H${place.right}` }));
    drawing.append(svg("text", { class: "note", x: place.left + 8, y: place.up(limit) - 6 }, "√(3/2)"));
    drawing.append(svg("path", { class: "curve c3 thin", d: line([[place.across(-reach), place.up(-reach * slope)], [place.across(reach), place.up(reach * slope)]]) }));
    drawing.append(svg("path", { class: "curve c1", d: line(steps(-4, 4, 200).map((at) => [place.across(at), place.up(response(eps, at))])) }));
    const h = response(eps, t);
    drag(drawing, place.across(t), place.up(h), "t", (at) => -4 + (8 * (at - place.left)) / (place.right - place.left));
    const q = (2 * t * t) / 3, side = q > eps ? "above ε: the flat part" : q < eps ? "below ε: the steep part" : "equal to ε";
    return `ε = ${said(eps)}: the slope at 0 is ${said(slope)}. At t = ${said(t)} the height is ${said(h)}, ${said(100 * Math.abs(h) / limit)} % of √(3/2); q is ${said(q)}, ${side}.`;
  }

  // ---------------------------------------------------------------- the Jacobian on the pieces of a direction

  const dot = (x, y) => x.reduce((sum, a, k) => sum + a * y[k], 0);
  const ROW = [1, 2, 4], AROUND = [1, 1, 1], OUT = ROW.map((x) => x - 7 / 3), REST = [2, -3, 1]; // orthogonal to both
  const unit = (x) => x.map((a) => a / Math.sqrt(dot(x, x)));
  function jacobian_split(drawing, { eps, angle }, space) {
    const turn = (angle * Math.PI) / 180, [a, b, c] = [AROUND, OUT, REST].map(unit);
    // The direction turns from along 1, through a mixture, to along v; half of what is not along 1 lies in the rest.
    const h = a.map((_, k) => Math.cos(turn) * a[k] + Math.sin(turn) * Math.SQRT1_2 * (b[k] + c[k]));
    const pieces = [["along 1", a, "c3"], ["along v", b, "c1"], ["the rest", c, "c2"]].map(([name, axis, color]) => {
      const size = dot(h, axis), after = layer_norm_jvp(ROW, axis.map((x) => size * x), null, eps), length = Math.sqrt(dot(after, after));
      return { name, color, before: Math.abs(size), after: length < 1e-12 ? 0 : length, factor: layer_norm_jvp(ROW, axis, null, eps).reduce((sum, x, k) => sum + x * axis[k], 0) };
    });
    const columns = space.narrow ? 1 : 2, height = (space.height * columns) / 2, reach = height - 96;
    const largest = Math.max(1, ...pieces.map((one) => one.after));
    [["h", "before"], ["J h", "after"]].forEach(([name, key], n) => {
      const top = space.narrow ? n * height : 0, base = top + height - 52;
      const left = 26 + (n % columns) * (space.width / columns), width = space.width / columns - 52, each = width / 3;
      drawing.append(svg("text", { class: "label", x: left + width / 2, y: top + 18, "text-anchor": "middle" }, name));
      drawing.append(svg("path", { class: "frame", d: `M${left} ${base}H${left + width}` }));
      pieces.forEach((one, k) => {
        const size = (reach * one[key]) / largest, x = left + each * k + each * 0.2;
        drawing.append(svg("rect", { class: `column ${one.color}`, x: x.toFixed(1), y: (base - Math.max(size, 0.8)).toFixed(1), width: (each * 0.6).toFixed(1), height: Math.max(size, 0.8).toFixed(1) }));
        drawing.append(svg("text", { class: "tick", x: (x + each * 0.3).toFixed(1), y: (base - size - 7).toFixed(1), "text-anchor": "middle" }, said(one[key])));
        drawing.append(svg("text", { class: `label ${one.color}`, x: (x + each * 0.3).toFixed(1), y: base + 18, "text-anchor": "middle" }, one.name));
        if (n) drawing.append(svg("text", { class: "note", x: (x + each * 0.3).toFixed(1), y: base + 38, "text-anchor": "middle" }, `× ${said(Math.abs(one.factor) < 1e-12 ? 0 : one.factor)}`));
      });
    });
    const q = dot(OUT, OUT) / 3, [, along, rest] = pieces;
    return `h has length 1 and is parted into ${pieces.map((one) => `${said(one.before)} ${one.name}`).join(", ")}. At ε = ${said(eps)}, with q = ${said(q)}, J multiplies these by 0, `
      + `${said(along.factor)} and ${said(rest.factor)}: what goes along v is damped ${said(rest.factor / along.factor)} times more than the rest.`;
  }

  // ---------------------------------------------------------------- half precision

  /** The nearest number of half precision: ten bits after the leading one, in steps of 2^-24 below 2^-14, and ties to even. */
  const half = (x) => {
    const step = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(x) || 1)), -14) - 10), units = x / step, low = Math.floor(units);
    const rounded = units - low === 0.5 ? low + (low % 2) : Math.round(units);
    return Math.abs(rounded * step) >= 65520 ? Math.sign(x) * Infinity : rounded * step;
  };
  /** 1/sqrt(eps): the rstd of a row without variance; the emitted code refuses eps = 0, where it is infinite. */
  const gain = (eps) => (eps > 0 ? layer_norm([0, 0], null, null, eps, { returnStats: true }).rstd : Infinity);
  function eps_cliff(drawing, { eps }, space, drag) {
    const place = axes(drawing, { x: { low: -9, high: -2, ticks: decades(-9, -2), name: "ε" }, y: { low: 1, high: 4.8, ticks: decades(1, 4), name: "1/√ε" }, space });
    const at = (value) => place.across(Math.log10(value)), up = (value) => place.up(Math.min(Math.log10(value), 4.8));
    const cliff = 2 ** -25;
    drawing.append(svg("rect", { class: "void", x: place.left, y: place.top, width: (at(cliff) - place.left).toFixed(1), height: place.bottom - place.top }));
    drawing.append(svg("text", { class: "note", x: place.left + 10, y: place.bottom - 12 }, "stored as 0"));
    drawing.append(svg("path", { class: "curve c1 thin", "stroke-dasharray": "6 4", d: line(steps(-9, -2, 80).map((k) => [place.across(k), up(gain(10 ** k))])) }));
    const stairs = steps(Math.log10(cliff) + 1e-9, -2, 900).map((k) => [place.across(k), up(gain(half(10 ** k)))]);
    drawing.append(svg("path", { class: "curve c4", d: `M${at(cliff).toFixed(1)} ${place.top}${line(stairs).replace("M", "L")}` }));
    drawing.append(svg("text", { class: "label c1", x: at(2e-9), y: up(gain(2e-9)) + 40 }, "ε as it is"));
    drawing.append(svg("text", { class: "label c4", x: at(4e-5), y: up(gain(4e-5)) - 14 }, "ε in half precision"));
    const stored = half(eps), high = up(gain(stored));
    drag(drawing, at(eps), stored > 0 ? high : place.top + 6, "eps", (x) => 10 ** (-9 + (7 * (x - place.left)) / (place.right - place.left)));
    if (!stored) return `ε = ${said(eps)} is stored as 0 in half precision. A constant row then has 0/0: every entry of its core is NaN. As it is, 1/√ε would be ${said(gain(eps))}.`;
    const off = (stored - eps) / eps;
    return `ε = ${said(eps)} is stored as ${said(stored)} in half precision, ${Math.abs(off) < 5e-5 ? "nearly the same" : `${said(Math.abs(100 * off))} % ${off > 0 ? "too large" : "too small"}`}. `
      + `1/√ε is ${said(gain(stored))} in place of ${said(gain(eps))}.`;
  }

  // ---------------------------------------------------------------- sliders and points

  const DRAWINGS = { bars, variance_share, response: drawResponse, jacobian_split, eps_cliff };

  /** Bring one figure of the page to life: its sliders move between 0 and 1000. */
  function start(figure) {
    const drawing = figure.querySelector("svg"), numbers = figure.querySelector("output"), height = Number(drawing.getAttribute("viewBox").split(" ")[3]);
    const stacked = ["bars", "jacobian_split"].includes(figure.dataset.figure);
    const measure = () => {
      const narrow = figure.clientWidth > 0 && figure.clientWidth < 480;
      return { narrow, width: narrow ? NARROW : WIDE, height: narrow && stacked ? 2 * height : height };
    };
    let space = measure();
    const sliders = [...figure.querySelectorAll("input[type=range]")].map((input) => {
      const [low, high] = [Number(input.dataset.low), Number(input.dataset.high)], log = input.dataset.log === "true";
      const value = () => (log ? low * (high / low) ** (input.value / 1000) : low + ((high - low) * input.value) / 1000);
      const set = (to) => {
        const kept = Math.min(Math.max(to, low), high);
        input.value = 1000 * (log ? Math.log(kept / low) / Math.log(high / low) : (kept - low) / (high - low));
        // The slider moves in small steps: a value put there by the page is kept as it is.
        input.exact = kept;
      };
      input.addEventListener("input", () => { input.exact = value(); draw(); });
      return { input, name: input.dataset.name, set, start: Number(input.dataset.start) };
    });
    const drag = (into, x, y, name, valueAt) => {
      const handle = svg("g", { class: "mark handle", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
      handle.append(svg("circle", { r: 22, class: "grip" }), svg("circle", { r: 7 }));
      into.append(handle);
      drawing.moving = { name, valueAt, handle };
    };
    function draw() {
      const values = Object.fromEntries(sliders.map(({ name, input }) => [name, input.exact]));
      drawing.setAttribute("viewBox", `0 0 ${space.width} ${space.height}`);
      drawing.replaceChildren();
      numbers.textContent = DRAWINGS[figure.dataset.figure](drawing, values, space, drag);
      for (const { input } of sliders) {
        input.parentElement.querySelector("b").textContent = said(input.exact);
        input.setAttribute("aria-valuetext", `${said(input.exact)}. ${numbers.textContent}`);
      }
    }
    const moveTo = (event) => {
      const box = drawing.getBoundingClientRect(), { name, valueAt } = drawing.moving;
      sliders.find((one) => one.name === name).set(valueAt(((event.clientX - box.left) * space.width) / box.width));
      draw();
    };
    drawing.addEventListener("pointerdown", (event) => {
      if (!event.target.closest?.(".handle")) return;
      event.preventDefault();
      drawing.setPointerCapture(event.pointerId);
      drawing.held = event.pointerId;
    });
    drawing.addEventListener("pointermove", (event) => { if (drawing.held === event.pointerId) moveTo(event); });
    for (const kind of ["pointerup", "pointercancel"]) drawing.addEventListener(kind, () => { drawing.held = undefined; });
    const reset = () => { sliders.forEach((one) => one.set(one.start)); draw(); };
    figure.querySelector("button.reset").addEventListener("click", reset);
    reset();
    addEventListener("resize", () => {
      const other = measure();
      if (other.narrow !== space.narrow) { space = other; draw(); }
    });
  }

  return { start, half, said };
})(Plain);
