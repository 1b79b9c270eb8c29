// Exact numbers for marking: sums of rational multiples of square roots, each with a derivative. Fractions are those of the emitted exact module.
const Numbers = (({ fraction, plus, minus, times, over, wholeRoot, numberGiven }) => {
  /** A value that does not exist at a point, or that this arithmetic cannot write down. */
  class NoValue extends Error {}
  class RootOfRoot extends NoValue {}

  const LARGEST = 10n ** 15n; // a radicand beyond it is not split into its square part
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a; };
  const rational = (f) => (f[0] === 0n ? [] : [[1n, f]]);
  const isRational = (x) => x.every(([n]) => n === 1n);
  const part = (x) => (x.length ? x[0][1] : fraction(0));

  // A surd is a list of [squarefree whole number, fraction], in order and without zeros: equal numbers are equal lists.
  const collected = (pairs) => {
    const sums = new Map();
    for (const [n, f] of pairs) sums.set(n, sums.has(n) ? plus(sums.get(n), f) : f);
    return [...sums].filter(([, f]) => f[0] !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  };
  const surdSum = (x, y) => (!x.length ? y : !y.length ? x : collected([...x, ...y]));
  const surdMinus = (x) => x.map(([n, f]) => [n, minus(f)]);
  const surdProduct = (x, y) => collected(x.flatMap(([m, f]) => y.map(([n, g]) => {
    const common = gcd(m, n);
    return [(m / common) * (n / common), times(f, g, fraction(common))];
  })));
  const surdInverse = (x) => {
    if (!x.length) throw new NoValue("a denominator is 0");
    if (isRational(x)) return [[1n, over(fraction(1), part(x))]];
    // The roots divisible by one factor change sign: the product with that conjugate has fewer roots.
    let factor = x.find(([n]) => n > 1n)[0];
    for (const [n] of x) factor = gcd(factor, n) > 1n ? gcd(factor, n) : factor;
    const conjugate = x.map(([n, f]) => [n, n % factor ? f : minus(f)]);
    return surdProduct(conjugate, surdInverse(surdProduct(x, conjugate)));
  };
  const splits = new Map();
  const splitSquare = (n) => {
    if (!splits.has(n)) {
      let square = 1n, free = 1n, rest = n;
      for (let p = 2n; p * p * p <= rest; p += p === 2n ? 1n : 2n) {
        for (let odd = false; rest % p === 0n; odd = !odd) {
          rest /= p;
          if (odd) { square *= p; free /= p; } else free *= p;
        }
      }
      const last = wholeRoot(rest);
      splits.set(n, last * last === rest ? [square * last, free] : [square, free * rest]);
    }
    return splits.get(n);
  };
  const surdRoot = (x) => {
    if (!x.length) return x;
    if (!isRational(x)) throw new RootOfRoot("a root of a root");
    const [p, q] = part(x);
    if (p < 0n) throw new NoValue("a root of a negative number");
    const roots = [wholeRoot(p), wholeRoot(q)];
    if (roots[0] ** 2n === p && roots[1] ** 2n === q) return [[1n, fraction(...roots)]];
    if (p * q > LARGEST) throw new RootOfRoot("a root of a large number");
    const [square, free] = splitSquare(p * q);
    return [[free, fraction(square, q)]];
  };
  const surdsAgree = (x, y) => x.length === y.length && x.every(([n, f], k) => n === y[k][0] && f[0] === y[k][1][0] && f[1] === y[k][1][1]);

  // A number is { is, moves }: its value and how it changes with the variable of a derivative.
  const exact = (is, moves = []) => ({ is, moves });
  const number = (p, q = 1n) => exact(rational(fraction(p, q)));
  const read = (text) => number(...text.split("/").map(BigInt));
  const sum = (x, y) => exact(surdSum(x.is, y.is), surdSum(x.moves, y.moves));
  const negative = (x) => exact(surdMinus(x.is), surdMinus(x.moves));
  const product = (x, y) => exact(surdProduct(x.is, y.is), surdSum(surdProduct(x.is, y.moves), surdProduct(x.moves, y.is)));
  const inverse = (x) => {
    const is = surdInverse(x.is);
    return exact(is, x.moves.length ? surdMinus(surdProduct(x.moves, surdProduct(is, is))) : []);
  };
  const root = (x) => {
    const is = surdRoot(x.is);
    if (!x.moves.length) return exact(is);
    if (!is.length) throw new NoValue("the derivative of a root at 0");
    return exact(is, surdProduct(x.moves, surdInverse(surdSum(is, is))));
  };
  const power = (base, exponent) => {
    let result = number(1);
    const factor = exponent < 0 ? inverse(base) : base;
    for (let n = 0; n < Math.abs(exponent); n++) result = product(result, factor);
    return result;
  };

  /** A number as people write it: 3/4, sqrt(2)/3, 1 - sqrt(2). */
  const text = ({ is }) => {
    let said = "";
    for (const [n, f] of is) {
      const size = f[0] < 0n ? minus(f) : f, [p, q] = size;
      const shown = n === 1n ? numberGiven(size) : `${p === 1n ? "" : `${p}*`}sqrt(${n})${q === 1n ? "" : `/${q}`}`;
      said += said ? `${f[0] < 0n ? " - " : " + "}${shown}` : `${f[0] < 0n ? "-" : ""}${shown}`;
    }
    return said || "0";
  };

  return { NoValue, RootOfRoot, number, read, sum, negative, product, inverse, root, power, text, agree: (x, y) => surdsAgree(x.is, y.is), derivative: (x) => exact(x.moves) };
})(Exact);
