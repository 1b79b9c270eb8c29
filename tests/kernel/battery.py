"""What the kernel must prove, and what it must refuse: one table, run against the kernel and against mutants of it.

A row is a statement with its hypotheses and the verdict wanted: "proved", "conditional" (a side condition is left) or "refused".
Imports the words, the terms and the errors only; the kernel to be judged is given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

from derivations.definitions import THEORY, J, a, beta, c, d, eps, g, gamma, h, mu, mu_, q, r, s, t, u, v, v_, w, y, z, z_
from lnsym.errors import LnsymError
from lnsym.kernel.terms import (
    COORDINATES,
    INPUTS,
    ROWS,
    STEPS,
    Components,
    Definition,
    Delta,
    Entry,
    Expectation,
    Geometric,
    Hypothesis,
    Index,
    Pow,
    Power,
    Range,
    Relation,
    Sum,
    Sym,
    Term,
    Theory,
    hole,
    lift,
)
from lnsym.lang import (
    D,
    Eq,
    Le,
    Lt,
    Ne,
    P,
    core,
    cov,
    delta,
    dot,
    expectation,
    fraction,
    gradient,
    i,
    identity,
    j,
    jacobian,
    k,
    matrix,
    mean,
    norm,
    one,
    outer,
    sqrt,
    sum_over,
    symbols,
    total,
    trace,
    var,
    vector,
)  # fmt: skip

PROVED, CONDITIONAL, REFUSED = "proved", "conditional", "refused"
b, x, e, m, T = symbols("b x e m T")
ONE, TWO, THREE = Index("1"), Index("2"), Index("3")
n, step = Index("n", ROWS), Index("i", STEPS)
FIRST, NEXT = Index("1", STEPS), Index("t+1", STEPS)
W, V = matrix("W"), matrix("V")
A = matrix("A", ROWS, COORDINATES)
xs = vector("xs", STEPS)
EPS = (Lt(0, eps),)
CURVE = Components("z", COORDINATES, (-t, lift(0), t))
PAIR = Components("w", COORDINATES, (lift(1), lift(0)))


def G(body: Term, shift: int = 0, base: Sym = b) -> Term:  # noqa: N802 - as in the texts
    """The sum over i = 1, ..., t + shift of base^(t + shift - i) body_i."""
    return Geometric(base, t, shift, step, lift(body))


@dataclass(frozen=True)
class Kernel:
    """A kernel to be judged: the two modules that do the work."""

    normal: ModuleType
    prove: ModuleType

    def verdict(self, relation: Relation, *given: Hypothesis, gap: Term | None = None, squares: Term | None = None,
                theory: Theory = THEORY, **options: Any) -> str:  # fmt: skip
        """What becomes of a relation; `gap` and `squares` are certificates."""
        term = squares if gap is None else gap
        certificate = None if term is None else self.prove.Certificate(term, squared=gap is None)
        return self.judged(lambda: self.prove.prove(theory, relation, given, certificate=certificate, **options))

    def judged(self, attempt: Callable[[], Any]) -> str:
        """The verdict of an attempt; an error that is not the kernel's own goes on."""
        try:
            return CONDITIONAL if attempt().conditions else PROVED
        except LnsymError:
            return REFUSED


@dataclass(frozen=True)
class Row:
    """One entry of the table."""

    name: str
    wanted: str
    run: Callable[[Kernel], str]


ROWS_OF_TABLE: list[Row] = []


def row(wanted: str, name: str, relation: Relation, *given: Hypothesis, **options: Any) -> None:
    """A statement for prove()."""
    ROWS_OF_TABLE.append(Row(name, wanted, lambda kernel: kernel.verdict(relation, *given, **options)))


def attempt(wanted: str, name: str, run: Callable[[Kernel], Any]) -> None:
    """An attempt by another function of the kernel."""
    ROWS_OF_TABLE.append(Row(name, wanted, lambda kernel: kernel.judged(lambda: run(kernel))))


# ---------------------------------------------------------------- sums, bound indices, deltas

row(PROVED, "a bound index has no name", Eq(sum_over(i, z[i]), sum_over(j, z[j])))
row(PROVED, "a free index is another statement than itself renamed, but equal to itself", Eq(v[i], v[i]))
row(REFUSED, "a free index renamed", Eq(v[i], v[j]))
row(PROVED, "a sum is linear", Eq(sum_over(i, a * w[i] + g[i]), a * total(w) + total(g)))
row(REFUSED, "a product leaves no sum whole", Eq(sum_over(i, w[i] * g[i]), total(w) * total(g)))
row(PROVED, "an inner index shadows an outer one", Eq(sum_over(i, z[i] * sum_over(i, z[i])), total(z) ** 2))
row(REFUSED, "an inner index is not the outer one", Eq(sum_over(i, z[i] * sum_over(i, z[i])), d * dot(z, z)))
row(PROVED, "the sum of 1 is d", Eq(sum_over(i, 1), d))
row(PROVED, "the sum of a constant", Eq(sum_over(i, a), d * a))
row(REFUSED, "the sum of a constant is not the constant", Eq(sum_over(i, a), a))
row(PROVED, "each range has a length of its own", Eq(Sum(n, lift(1)), Sym("N")))
row(REFUSED, "rows are not coordinates", Eq(Sum(n, lift(1)), d))
row(PROVED, "a sum over rows and coordinates", Eq(Sum(n, Sum(i, A[n, i] + 1)), Sum(n, Sum(i, A[n, i])) + Sym("N") * d))
row(REFUSED, "same letter, other range", Eq(Entry("gn", (Index("a"),)), Entry("gn", (Index("a", INPUTS),))))
row(REFUSED, "one name with two shapes", Eq(Entry("w", (i, j)), w[i]))
row(PROVED, "a delta picks a term", Eq(sum_over(i, delta(i, j) * w[i]), w[j]))
row(REFUSED, "a delta picks no other term", Eq(sum_over(i, delta(i, j) * w[i]), w[k]))
row(PROVED, "a delta identifies indices", Eq(delta(i, j) * v[i], delta(i, j) * v[j]))
row(PROVED, "two deltas", Eq(delta(i, j) * delta(j, k), delta(i, k) * delta(j, k)))
row(REFUSED, "two deltas are not one", Eq(delta(i, j) * delta(j, k), delta(i, k)))
row(PROVED, "a delta is its square", Eq(delta(i, j) ** 2, delta(i, j)))
row(PROVED, "delta_ii is 1", Eq(delta(i, i), 1))
row(PROVED, "the trace of the identity", Eq(trace(identity()), d))
row(PROVED, "two fixed positions differ", Eq(delta(ONE, TWO), 0))
row(PROVED, "a sum over two deltas", Eq(sum_over(i, delta(i, j) * delta(i, k) * v[i]), delta(j, k) * v[k]))
row(PROVED, "a delta with two fixed positions vanishes", Eq(delta(i, ONE) * delta(i, TWO), 0))
row(PROVED, "a delta and a fixed position", Eq(sum_over(i, delta(i, ONE) * w[i]), w[ONE]))
row(REFUSED, "one position written twice", Eq(Delta(Index("01"), ONE), 0))
row(REFUSED, "a bound index that is a position", Eq(Sum(ONE, Delta(ONE, TWO)), 0))
row(REFUSED, "a made-up range", Eq(Sum(Index("a", Range("coordinates", "x")), lift(1)), d))
row(REFUSED, "an index with a private letter", Eq(Entry("w", (Index("*1"),)), Entry("w", (Index("*1"),))))
row(
    PROVED,
    "two-index arrays are nested sums",
    Eq(sum_over(i, w[i] * sum_over(j, W[i, j] * g[j])), sum_over(k, sum_over(i, W[k, i] * g[i] * w[k]))),
)
row(REFUSED, "a matrix is not symmetric", Eq(W[i, j], W[j, i]))
row(
    REFUSED,
    "rows and columns of a sum",
    Eq(sum_over(i, w[i] * sum_over(j, W[i, j] * g[j])), sum_over(i, w[i] * sum_over(j, W[j, i] * g[j]))),
)
row(PROVED, "the matrix product is linear", Eq(((W + V) @ w)[i], (W @ w)[i] + (V @ w)[i]))
row(PROVED, "transposed twice", Eq(W.T.T, W))
row(
    PROVED,
    "Lagrange's identity",
    Eq(sum_over(i, sum_over(j, (v[i] * w[j] - v[j] * w[i]) ** 2)) / 2, dot(v, v) * dot(w, w) - dot(v, w) ** 2),
)
row(REFUSED, "Cauchy-Schwarz is no identity", Eq(dot(v, w) ** 2, dot(v, v) * dot(w, w)))
row(REFUSED, "true at d = 2 only", Eq(v[i] * v[j], q * (2 * delta(i, j) - 1)))
row(REFUSED, "true at d = 1 only", Eq(v[i], 0))
row(PROVED, "a name substituted into a bound place is not captured", Eq(sum_over(j, W[i, j]), sum_over(k, W[i, k])))

# ---------------------------------------------------------------- facts

row(PROVED, "z is its mean plus its deviations", Eq(z, mu + v))
row(PROVED, "the deviations sum to zero", Eq(total(v), 0))
row(REFUSED, "the entries do not", Eq(total(z), 0))
row(PROVED, "q is the variance", Eq(var(z), q))
row(REFUSED, "with divisor d - 1 it is not", Eq(dot(v, v), (d - 1) * q))
row(PROVED, "the squared deviations sum to d q", Eq(dot(v, v), d * q))
row(PROVED, "another vector has its own mean", Eq(mean(z_), mu_))
row(REFUSED, "two vectors do not share a mean", Eq(mean(z_), mu))
row(REFUSED, "two vectors are not orthogonal", Eq(dot(v, v_), d * q))
row(REFUSED, "the deviations of z' are not of z", Eq(dot(v_, v_), d * q))
row(PROVED, "cov(z, w) needs no centred w", Eq(cov(z, w), mean(v * w)))
row(PROVED, "the core has mean 0", Eq(mean(u), 0), *EPS)
row(PROVED, "the core's variance", Eq(var(u), q / (q + eps)), *EPS)
row(REFUSED, "the core's variance is not 1", Eq(var(u), 1), *EPS)
row(PROVED, "core(z) is u", Eq(core(z), u), *EPS)
row(PROVED, "the mean of the output", Eq(mean(y), mean(gamma * u) + mean(beta)), *EPS)
row(REFUSED, "a label that does not cover the step", Eq(total(v), 0), facts=frozenset({"count"}))
row(PROVED, "a label that covers it", Eq(total(v), 0), facts=frozenset({"count", "centred"}))
row(REFUSED, "the variance by the wrong fact", Eq(dot(v, v), d * q), facts=frozenset({"count", "centred"}))
row(REFUSED, "a split that is not named", Eq(z, mu + v), facts=frozenset())
row(REFUSED, "a definition that is not named", Eq(u, v / s), *EPS, facts=frozenset())
row(REFUSED, "the square of the root is not named", Eq(s**2, q + eps), *EPS, facts=frozenset({"unfold:s"}))
row(PROVED, "the square of the root is named", Eq(s**2, q + eps), *EPS, facts=frozenset({"unfold:s", "root"}))
row(REFUSED, "a hypothesis that is not named", Eq(total(w), 0), Eq(total(w), 0), facts=frozenset({"count"}))
row(REFUSED, "a derivative that is not named", Eq(D(a**2, a), 2 * a), facts=frozenset())
row(PROVED, "by the entries alone", Eq(total(v), 0), level=0)
row(PROVED, "by the entries alone, the variance", Eq(dot(v, v), d * q), level=0)
row(PROVED, "by the entries alone, the mean", Eq(mean(z), mu), level=0)
row(PROVED, "by the entries alone, the core", Eq(var(u), q / (q + eps)), *EPS, level=0)
row(PROVED, "by the entries alone, the Jacobian", Eq(D(u[i], z[j]), J[i, j]), *EPS, level=0)
row(REFUSED, "by the entries alone, not d - 1", Eq(dot(v, v), (d - 1) * q), level=0)
row(REFUSED, "the family's vector over another range", Eq(Sum(Index("a", INPUTS), Entry("v", (Index("a", INPUTS),)) ** 2), d * q))
row(REFUSED, "the family's vector with two indices", Eq(Sum(i, Entry("v", (n, i))), 0))
row(REFUSED, "the core over another range", Eq(Sum(n, Entry("u", (n,))), 0), *EPS)
row(REFUSED, "a vector read as a scalar", Eq(Sum(hole(1), Sym("u")), 0), *EPS)
row(CONDITIONAL, "a folded definition keeps its side conditions", Eq(r / r, 1), facts=frozenset())
_FOLDED = Theory(THEORY.families, (*THEORY.definitions, Definition("m", mean(w))), THEORY.positive)
row(REFUSED, "a root solved for before the roots were numbered", Eq(a, sqrt(t + 1)), *EPS, Lt(0, c), Lt(0, t), Eq(a, sqrt(c + 1)),
    theory=_FOLDED, facts=frozenset({"given", "root"}))  # fmt: skip
row(REFUSED, "a name declared twice", Eq(a, a), theory=Theory(THEORY.families, (*THEORY.definitions, Definition("q", a)), THEORY.positive))

# ---------------------------------------------------------------- inverses, roots, side conditions

row(CONDITIONAL, "x/x", Eq(x / x, 1))
row(PROVED, "x/x for x > 0", Eq(x / x, 1), Lt(0, x))
row(PROVED, "x/x for x != 0", Eq(x / x, 1), Ne(x, 0))
row(PROVED, "x/x for 0 != x", Eq(x / x, 1), Ne(0, x))
row(CONDITIONAL, "x/x for x >= 0", Eq(x / x, 1), Le(0, x))
row(PROVED, "d/d", Eq(d / d, 1))
row(CONDITIONAL, "q/q", Eq(q / q, 1))
row(CONDITIONAL, "(d - 1)/(d - 1)", Eq((d - 1) / (d - 1), 1))
row(PROVED, "(d - 1)/(d - 1) for d >= 2", Eq((d - 1) / (d - 1), 1), Le(2, d))
row(CONDITIONAL, "(d - 2)/(d - 2) for d >= 2", Eq((d - 2) / (d - 2), 1), Le(2, d))
row(CONDITIONAL, "an entry may be zero", Eq(w[i] / w[i], 1))
row(PROVED, "1/(1/x) is x", Eq(1 / (1 / x), x), Ne(x, 0))
row(CONDITIONAL, "1/(1/x) is x where x is not 0", Eq(1 / (1 / x), x))
row(PROVED, "the inverse of a positive sum", Eq((q + eps) / (q + eps), 1), *EPS)
row(PROVED, "the inverse of a product", Eq(1 / (a * c), 1 / a / c), Ne(a, 0), Ne(c, 0))
row(PROVED, "negative exponents", Eq(a**-2 * a**3, a), Ne(a, 0))
row(REFUSED, "1/(a + c) is not 1/a + 1/c", Eq(1 / (a + c), 1 / a + 1 / c), Lt(0, a), Lt(0, c))
row(PROVED, "an inverse below a sum", Eq(sum_over(i, w[i] / (1 + g[i] ** 2)), sum_over(j, w[j] / (1 + g[j] ** 2))))
row(REFUSED, "division by 0", Eq(a / lift(0), a / lift(0)))
row(REFUSED, "division by the sum of deviations", Eq(1 / total(v), 1 / total(v)))
row(REFUSED, "division by a hidden zero", Eq(1 / (s**2 - q - eps), 1), *EPS)
row(REFUSED, "zero times the inverse of a hidden zero", Eq(0 * (1 / (s**2 - q - eps)), 0), *EPS)
row(REFUSED, "a denominator that a hypothesis makes zero", Eq(1 / total(w), 1 / total(w)), Eq(total(w), 0))
row(REFUSED, "a power 0 of a hidden zero's inverse", Eq(Pow(1 / total(v), 0), 1))
row(REFUSED, "division by a delta", Eq(delta(i, j) / delta(i, j), 1))
row(REFUSED, "root of -1", Eq(sqrt(-1) ** 2, -1))
row(PROVED, "sqrt(4) is 2", Eq(sqrt(4), 2))
row(REFUSED, "sqrt(4) is not -2", Eq(sqrt(4), -2))
row(REFUSED, "sqrt(2) is not 2", Eq(sqrt(2), 2))
row(CONDITIONAL, "sqrt(x)^2", Eq(sqrt(x) ** 2, x))
row(PROVED, "sqrt(x)^2 for x >= 0", Eq(sqrt(x) ** 2, x), Le(0, x))
row(CONDITIONAL, "sqrt(x)^2 for x != 0", Eq(sqrt(x) ** 2, x), Ne(0, x))
row(REFUSED, "sqrt(x^2) is not x", Eq(sqrt(x**2), x))
row(REFUSED, "sqrt(x^2) is not x for x != 0", Eq(sqrt(x**2), x), Ne(x, 0))
row(PROVED, "sqrt(x^2) is x for x >= 0", Eq(sqrt(x**2), x), Le(0, x))
row(PROVED, "sqrt(q^2) is q", Eq(sqrt(q**2), q))
row(PROVED, "sqrt(4 q + 4 eps) is 2 s", Eq(sqrt(4 * q + 4 * eps), 2 * s), *EPS)
row(REFUSED, "sqrt(q + eps) is not -s", Eq(sqrt(q + eps), -s), *EPS)
row(CONDITIONAL, "s needs q + eps >= 0", Eq(s**2, q + eps))
row(REFUSED, "a factor of unknown sign stays under the root", Eq(sqrt(a**2 * (q + eps)), a * s), *EPS)
row(PROVED, "a positive factor leaves the root", Eq(sqrt(a**2 * (q + eps)), a * s), *EPS, Lt(0, a))
row(CONDITIONAL, "a factor that may vanish hides the sign of the rest", Eq(sqrt(q**2 * x) ** 2, q**2 * x), Le(0, q**2 * x))
row(REFUSED, "scaling with a of unknown sign", Eq(core(a * z), core(z, eps / a**2)), *EPS, Ne(a, 0))
row(PROVED, "scaling with a > 0", Eq(core(a * z), core(z, eps / a**2)), *EPS, Lt(0, a))
row(CONDITIONAL, "1/s without eps > 0", Eq(s * (1 / s), 1))
row(REFUSED, "the root of a sum is not the sum of roots", Eq(sqrt(a + c), sqrt(a) + sqrt(c)), Lt(0, a), Lt(0, c))
row(PROVED, "nested roots", Eq(sqrt(sqrt(a) ** 4), a), Lt(0, a))
row(CONDITIONAL, "root of an inverse", Eq(sqrt(1 / x) * sqrt(1 / x), 1 / x), Ne(x, 0))
row(REFUSED, "an exponent beyond the bound", Eq(Pow(a, 65), Pow(a, 65)))
row(REFUSED, "a normal form beyond the budget", Eq(Pow(a + c + b + x + e + m, 14), Pow(a + c + b + x + e + m, 14)))

# ---------------------------------------------------------------- signs

row(PROVED, "a square", Le(0, a**2))
row(REFUSED, "a square is not positive", Lt(0, a**2))
row(REFUSED, "an odd power has no sign", Le(0, a**3))
row(PROVED, "an odd power of something nonnegative", Le(0, q**3))
row(PROVED, "a sum with one positive term", Lt(0, 1 + a**2 + q))
row(REFUSED, "a sum with one unknown term", Lt(0, 1 + a))
row(REFUSED, "a product with one unknown factor", Le(0, q * a))
row(PROVED, "a product of nonnegative factors", Le(0, q * a**2 * d))
row(REFUSED, "a difference", Le(0, d - q))
row(PROVED, "a variance", Le(0, var(w)))
row(REFUSED, "a variance may be 0", Lt(0, var(w)))
row(PROVED, "a norm", Le(0, norm(w)))
row(PROVED, "d >= 1", Le(1, d))
row(REFUSED, "d > 1", Lt(1, d))
row(PROVED, "d >= 2 given", Lt(0, d - 1), Le(2, d))
row(REFUSED, "x > 0 is not x > 1", Lt(0, x - 1), Lt(0, x))
row(PROVED, "by a hypothesis", Lt(0, c - a), Lt(a, c))
row(REFUSED, "by a hypothesis turned around", Lt(0, a - c), Lt(a, c))
row(REFUSED, "by a weaker hypothesis", Lt(0, c - a), Le(a, c))
row(REFUSED, "x != 0 is not x > 0", Lt(0, x), Ne(x, 0))
row(REFUSED, "0 != x is not 0 < x + 1", Lt(0, x + 1), Ne(0, x))
row(REFUSED, "x != 0 is not 0 < 1 - x", Lt(0, 1 - x), Ne(x, 0))
row(REFUSED, "0 != x is not 0 < 1/x", Lt(0, 1 / x), Ne(0, x))
row(PROVED, "a certificate", Le(2 * a * c, a**2 + c**2), gap=(a - c) ** 2)
row(REFUSED, "a certificate that is not the gap", Le(2 * a * c, a**2 + c**2), gap=(a + c) ** 2)
row(REFUSED, "a certificate of unknown sign", Le(a, c), gap=c - a)
row(REFUSED, "a nonnegative certificate for a strict inequality", Lt(2 * a * c, a**2 + c**2), gap=(a - c) ** 2)
row(PROVED, "by squares", Le(a, sqrt(a**2 + q)), squares=q)
row(REFUSED, "by squares, the right side of unknown sign", Le(a, c), Eq(c**2, a**2 + q), squares=q)
row(REFUSED, "by squares with 0 != x", Le(a, x), Ne(0, x), Eq(x**2, a**2 + q), squares=q)
row(PROVED, "different", Ne(1 + a**2, 0))
row(REFUSED, "not seen to be different", Ne(a, 0))
row(PROVED, "different by a hypothesis", Ne(a, c), Ne(c, a))
row(REFUSED, "different at one of two places", Ne(w, 0), PAIR)
row(PROVED, "sum of entries nonnegative by hypothesis", Le(0, sum_over(i, w[i])), Le(0, w[i]))
row(REFUSED, "one entry says nothing of the others", Le(0, sum_over(i, w[i])), Le(0, w[ONE]))
row(REFUSED, "a private name is not nonnegative", Lt(0, 1 + Sym("d~") + d))
row(REFUSED, "an unknown kind of relation", Relation(">=", lift(0), q))
row(REFUSED, "a hypothesis of an unknown kind", Eq(a, a), Relation(">", a, lift(0)))
row(PROVED, "what is positive may be divided by", Lt(0, q / (q + eps) + 1), *EPS)

# ---------------------------------------------------------------- equality hypotheses

row(PROVED, "a hypothesis on a sum", Eq(sum_over(i, v[i] * w[i]), 0), Eq(dot(v, w), 0))
row(PROVED, "a hypothesis on a symbol", Eq(a * q, 2 * q), Eq(a, 2))
row(PROVED, "a hypothesis on an entry holds for every index", Eq(dot(w, g), 2 * dot(g, g)), Eq(w, 2 * g))
row(PROVED, "a hypothesis on one entry", Eq(w[ONE] ** 2, a**2), Eq(w[ONE], a))
row(REFUSED, "a hypothesis on one entry is none on another", Eq(w[TWO], a), Eq(w[ONE], a))
row(PROVED, "a hypothesis under a root", Eq(sqrt(a * q + eps), sqrt(c * q + eps)), Eq(a, c), Lt(0, a), Lt(0, c), *EPS)
row(PROVED, "two hypotheses", Eq(a, 2), Eq(a, c), Eq(c, 2))
row(REFUSED, "a hypothesis repeated", Eq(a, c), Eq(a, c), Eq(c, a))
row(REFUSED, "a hypothesis that cannot be solved", Eq(a, c), Eq(a**2, c**2))
row(REFUSED, "a hypothesis on a diagonal", Eq(W[i, j], 0), Eq(W[i, i], 0))
row(PROVED, "a symmetric form", Eq(sum_over(j, W[i, j] * w[j]), 0), Eq(sum_over(k, W[i, k] * w[k]), 0))
row(REFUSED, "another vector's hypothesis", Eq(dot(v, g), 0), Eq(dot(v, w), 0))
row(REFUSED, "a hypothesis under a derivative", Eq(D(dot(v, w), z[j]), 0), Eq(dot(v, w), 0))
row(REFUSED, "a hypothesis on q under a derivative", Eq(D(q, z[j]), 0), Eq(q, 2))
row(REFUSED, "a bounded hypothesis on q under a derivative", Eq(D(q, z[j]), 0), Le(1, q), Eq(q, 2))
row(
    CONDITIONAL, "what is tried while solving lends no sign", Eq(sqrt(-x) / sqrt(-x), 1), Lt(0, a - x), Eq(a + b * sqrt(a - x), c), Le(x, 0)
)
row(PROVED, "d = 2", Eq(sum_over(i, w[i]), w[ONE] + w[TWO]), Eq(d, 2))
row(REFUSED, "d = 2 has no third entry", Eq(sum_over(i, w[i]), w[ONE] + w[TWO] + w[THREE]), Eq(d, 2))
row(PROVED, "the entries given", Eq(dot(w, w), 1), PAIR)
row(PROVED, "the entries given, at a free index", Eq(w * (w - 1), 0), PAIR)
row(REFUSED, "the entries given differ", Eq(w, 1), PAIR)
row(REFUSED, "an entry beyond those given", Eq(w[THREE], 0), PAIR)
row(REFUSED, "two lengths", Eq(a, a), PAIR, Components("g", COORDINATES, (a, a, a)))
row(
    REFUSED,
    "the entries of a vector are no matrix",
    Eq(Entry("W", (ONE, TWO)), Entry("W", (ONE, THREE))),
    Components("W", COORDINATES, (a, a, c)),
)
row(PROVED, "the variance of given entries", Eq(q, fraction(2, 3) * t**2), CURVE)
row(PROVED, "the derivative along given entries", Eq(D(q, t), fraction(4, 3) * t), CURVE)
row(PROVED, "the derivative of each entry", Eq(sum_over(i, D(z[i], t) ** 2), 2), CURVE)
row(REFUSED, "entries at an open place are not constant", Eq(sum_over(i, D(z[i], t) ** 2), 0), CURVE)
row(REFUSED, "a gap at an open place", Lt(0, 1 + D(z[i], t)), Components("z", COORDINATES, (-5 * t, lift(0), t)))
row(REFUSED, "a derivative by an entry that is given", Eq(D(q, z[ONE]), 0), CURVE)
row(REFUSED, "the variable's own length", Eq(D(d**2, d), 2 * d))

# ---------------------------------------------------------------- derivatives

row(PROVED, "linear", Eq(D(2 * a + c, a), 2))
row(PROVED, "Leibniz", Eq(D(a**2 * c, a), 2 * a * c))
row(PROVED, "the quotient rule", Eq(D(1 / a, a), -1 / a**2), Ne(a, 0))
row(PROVED, "the root", Eq(D(sqrt(a), a), 1 / (2 * sqrt(a))), Lt(0, a))
row(CONDITIONAL, "the root where it may vanish", Eq(D(sqrt(x**2 + q), x) * sqrt(x**2 + q), x))
row(PROVED, "the index of the variable is not captured", Eq(D(sum_over(k, z[k]), z[k]), 1))
row(REFUSED, "captured, it would be d", Eq(D(sum_over(k, z[k]), z[k]), d))
row(PROVED, "of an entry", Eq(D(z[i], z[j]), delta(i, j)))
row(PROVED, "of a deviation", Eq(D(v[i], z[j]), delta(i, j) - 1 / d))
row(PROVED, "of the mean", Eq(D(mu, z[j]), 1 / d))
row(REFUSED, "of the mean, without 1/d", Eq(D(mu, z[j]), 1))
row(PROVED, "of the variance", Eq(D(q, z[j]), 2 * v[j] / d))
row(REFUSED, "of the variance, without 2", Eq(D(q, z[j]), v[j] / d))
row(PROVED, "of another vector", Eq(D(z_[i], z[j]), 0))
row(PROVED, "the Jacobian of the core", Eq(D(u[i], z[j]), J[i, j]), *EPS)
row(PROVED, "the Jacobian as a matrix", Eq(jacobian(u, z), (P - outer(v, v) / (d * (q + eps))) / s), *EPS)
row(REFUSED, "the Jacobian without its rank-one term", Eq(jacobian(u, z), P / s), *EPS)
row(PROVED, "a gradient", Eq(gradient(s, z), v / (d * s)), *EPS)
row(PROVED, "second derivatives commute", Eq(D(D(u[i], z[j]), z[k]), D(D(u[i], z[k]), z[j])), *EPS)
row(PROVED, "by eps", Eq(D(s, eps), 1 / (2 * s)), *EPS)
row(PROVED, "under a sum", Eq(D(sum_over(i, w[i] ** 3), w[j]), 3 * w[j] ** 2))
row(PROVED, "of a matrix", Eq(D(sum_over(j, W[i, j] * w[j]), w[k]), W[i, k]))
row(REFUSED, "by d", Eq(D(d**2, d), 2 * d))
row(REFUSED, "by the mean", Eq(D(mu**2, mu), 2 * mu))
row(REFUSED, "by s", Eq(D(s**2, s), 2 * s), *EPS)
row(REFUSED, "by a deviation", Eq(D(v[i], v[j]), delta(i, j)))
row(REFUSED, "by q", Eq(D(q, q), 1))
row(REFUSED, "by a symbol at its boundary", Eq(D(sqrt(a**2), a), 1), Le(0, a))
row(PROVED, "by a positive symbol", Eq(D(sqrt(a**2), a), 1), Lt(0, a))
row(REFUSED, "a definition that is not unfolded", Eq(D(u[i], z[j]), 0), *EPS, facts=frozenset({"derivative"}))
row(REFUSED, "of a symbolic power", Eq(D(Power(b, t), b), 0))
row(REFUSED, "of an expectation", Eq(D(expectation(1 / (1 + a**2 * g[i] ** 2), g), a), 0))
row(REFUSED, "of a geometric sum", Eq(D(G(a * xs[step] ** 2 + 1 / (1 + a**2 * xs[step] ** 2)), a), 0))

# ---------------------------------------------------------------- symbolic powers and geometric sums

row(PROVED, "b^(t + 1) = b b^t", Eq(Power(b, t, 1), b * Power(b, t)))
row(REFUSED, "b^(t + 1) is not b^t", Eq(Power(b, t, 1), Power(b, t)))
row(PROVED, "G(t + 1) = b G(t) + x_(t+1)", Eq(G(xs[step], 1), b * G(xs[step]) + xs[NEXT]))
row(REFUSED, "G(t + 1) without x_(t+1)", Eq(G(xs[step], 1), b * G(xs[step])))
row(PROVED, "a geometric sum is linear", Eq(G(2 * xs[step]), 2 * G(xs[step])))
row(REFUSED, "a step may be the first", Eq(G(1 / (2 + Delta(step, FIRST)), 1), b * G(1 / (2 + Delta(step, FIRST))) + fraction(1, 2)))
row(REFUSED, "a geometric sum over coordinates", Eq(Geometric(b, t, 0, i, w[i]), Geometric(b, t, 0, i, w[i])))
row(PROVED, "a body that depends on t", Eq(G(t * xs[step], 1), b * t * G(xs[step]) + t * xs[NEXT]))
row(PROVED, "a power of a positive base", Lt(0, Power(b, t)), Lt(0, b))
row(REFUSED, "a power of an unknown base", Le(0, Power(b, t)))

CLOSED = Eq((1 - b) * G(lift(1)), 1 - Power(b, t))
attempt(PROVED, "the geometric series", lambda kernel: kernel.prove.prove_by_induction(THEORY, CLOSED, t))
attempt(REFUSED, "wrong at 0", lambda kernel: kernel.prove.prove_by_induction(THEORY, Eq((1 - b) * G(lift(1)), -Power(b, t)), t))
attempt(
    REFUSED, "wrong at t + 1", lambda kernel: kernel.prove.prove_by_induction(THEORY, Eq((1 - b) * G(lift(1)), 1 - Power(b, t) ** 2), t)
)
attempt(
    REFUSED, "right at t + 1 from t, wrong at 0", lambda kernel: kernel.prove.prove_by_induction(THEORY, Eq(G(lift(0)), Power(b, t)), t)
)
attempt(REFUSED, "an inequality by induction", lambda kernel: kernel.prove.prove_by_induction(THEORY, Le(0, Power(b, t)), t))
attempt(
    REFUSED,
    "the last term named in the claim",
    lambda kernel: kernel.prove.prove_by_induction(THEORY, Eq(G(xs[step]), xs[NEXT] * G(lift(1))), t),
)
attempt(
    REFUSED,
    "the last term named in a hypothesis",
    lambda kernel: kernel.prove.prove_by_induction(THEORY, Eq(G(xs[step]), 0), t, (Eq(xs[NEXT], 0),)),
)
attempt(REFUSED, "a hypothesis on t", lambda kernel: kernel.prove.prove_by_induction(THEORY, CLOSED, t, (Eq(t, 3),)))
attempt(REFUSED, "induction on a positive symbol", lambda kernel: kernel.prove.prove_by_induction(THEORY, Eq(T * a, c * T), T))
attempt(
    REFUSED,
    "a derivative by t in an induction",
    lambda kernel: kernel.prove.prove_by_induction(THEORY, Eq(D(a * t, t), a * (1 - Power(e, t))), t, (Eq(e, 0),)),
)
attempt(REFUSED, "t as the base", lambda kernel: kernel.prove.prove_by_induction(THEORY, Eq(Power(t, t, 1), t * Power(t, t)), t))
attempt(REFUSED, "a definition that speaks of t", lambda kernel: kernel.prove.prove_by_induction(
    Theory(THEORY.families, (Definition("kd", t * a),), THEORY.positive), Eq(Sym("kd"), t * a), t))  # fmt: skip
attempt(
    REFUSED,
    "one place right, another wrong",
    lambda kernel: kernel.prove.prove_by_induction(THEORY, Eq(Power(b, t) * w, Power(b, t) * one), t, (PAIR,)),
)

# ---------------------------------------------------------------- expectations

row(PROVED, "linear expectation", Eq(expectation(a * g[i] + c, g), a * expectation(g[i], g) + c))
row(PROVED, "a sum", Eq(expectation(sum_over(i, g[i] * h[i]), g), sum_over(i, h[i] * expectation(g[i], g))))
row(REFUSED, "not multiplicative", Eq(expectation(g[i] ** 2, g), expectation(g[i], g) ** 2))
row(REFUSED, "two vectors need not be independent", Eq(expectation(g[i] * h[i], g, h), expectation(g[i], g) * expectation(h[i], h)))
row(REFUSED, "of an inverse", Eq(expectation(1 / (1 + g[i] ** 2), g), 1 / (1 + expectation(g[i] ** 2, g))))
row(REFUSED, "z through its deviations", Eq(expectation(v[i], z), v[i]))
row(REFUSED, "z through its mean", Eq(expectation(mu, z), mu))
row(REFUSED, "z through its variance", Eq(expectation(q, z), q))
row(REFUSED, "z through a definition", Eq(expectation(u[i], z), u[i]), *EPS)
row(REFUSED, "z through a definition that is not unfolded", Eq(expectation(u[i], z), u[i]), *EPS, facts=frozenset())
row(PROVED, "what is not random comes out", Eq(expectation(w[i] * g[j], g), w[i] * expectation(g[j], g)))
row(REFUSED, "random in one vector, random in the other", Eq(expectation(dot(g, h) ** 2, g), expectation(dot(g, h) ** 2, h)))
row(
    REFUSED,
    "the same below an inverse",
    Eq(expectation(1 / (1 + g[i] ** 2 * h[i] ** 2), g), expectation(1 / (1 + g[i] ** 2 * h[i] ** 2), h)),
)
row(PROVED, "of a square", Le(0, expectation(g[i] ** 2, g)))
row(REFUSED, "a hypothesis on one value of a random vector", Lt(0, expectation(g[i], g)), Lt(0, g[i]))
row(
    REFUSED,
    "random entries at an open place",
    Eq(sum_over(i, expectation(w[i], g)), g[ONE] + g[TWO]),
    Components("w", COORDINATES, (g[ONE], g[TWO])),
)
row(PROVED, "a delta comes out", Eq(expectation(delta(i, j) * g[i], g), delta(i, j) * expectation(g[j], g)))
row(REFUSED, "a hypothesis inside an expectation", Eq(expectation(g[i] ** 2, g), 4), Eq(g[i], 2))
row(PROVED, "a geometric sum of expectations", Eq(Expectation(G(xs[step]), ("xs",)), G(Expectation(xs[step], ("xs",)))))

# ---------------------------------------------------------------- only if, composition, known theorems


def only_if(wanted: str, name: str, premise: Relation, conclusion: Relation, cofactor: Term | int, *given: Hypothesis) -> None:
    """A row for prove_only_if."""
    attempt(wanted, name, lambda kernel: kernel.prove.prove_only_if(THEORY, premise, conclusion, lift(cofactor), given))


only_if(PROVED, "only if, linear", Eq(2 * a, 2 * c), Eq(a, c), 2)
only_if(PROVED, "only if, by a square", Eq(q * (a - 1) ** 2, 0), Eq(a, 1), q, Lt(0, q))
only_if(PROVED, "only if, by a sum of squares", Eq(dot(w, w), 0), Eq(w, 0), 1)
only_if(PROVED, "only if, by a double sum of squares", Eq(sum_over(j, sum_over(i, W[i, j] ** 2)), 0), Eq(W, 0), 1)
only_if(REFUSED, "a cofactor that may vanish", Eq(q * (a - 1) ** 2, 0), Eq(a, 1), q)
only_if(REFUSED, "a cofactor that is 0", Eq(lift(0), 0), Eq(a, 1), 0)
only_if(REFUSED, "a wrong cofactor", Eq(2 * a, 2 * c), Eq(a, c), 3)
only_if(REFUSED, "a sum that vanishes", Eq(total(w), 0), Eq(w, 0), 1)
only_if(REFUSED, "a cube of a square", Eq(a**4, 0), Eq(a, 0), 1)
only_if(REFUSED, "an inequality for a premise", Le(a, c), Eq(a, c), 1)
only_if(REFUSED, "an inequality for a conclusion", Eq(a, c), Le(a, c), 1)


def _lemma(kernel: Kernel, relation: Relation, *given: Hypothesis) -> Any:
    return kernel.prove.prove(THEORY, relation, given)


attempt(PROVED, "a known theorem", lambda kernel: kernel.prove.prove(
    THEORY, Eq(total(v) + a, a), known=(_lemma(kernel, Eq(total(v), 0)),), facts=frozenset({"given"})))  # fmt: skip
attempt(REFUSED, "a known theorem without its hypotheses", lambda kernel: kernel.prove.prove(
    THEORY, Eq(a, 2), known=(_lemma(kernel, Eq(a, 2), Eq(a, 2)),)))  # fmt: skip
attempt(REFUSED, "a known theorem of another theory", lambda kernel: kernel.prove.prove(
    Theory((), (), frozenset()), Eq(a, a), known=(_lemma(kernel, Eq(a, a)),)))  # fmt: skip
attempt(REFUSED, "a theorem that nobody proved", lambda kernel: kernel.prove.prove(
    THEORY, Eq(a, c), known=(SimpleNamespace(theory=THEORY, given=(), relation=Eq(a, c), conditions=()),)))  # fmt: skip
attempt(CONDITIONAL, "the side conditions of a known theorem are inherited", lambda kernel: kernel.prove.prove(
    THEORY, Eq(a, a), known=(_lemma(kernel, Eq(x / x, 1)),)))  # fmt: skip


def _composed(kernel: Kernel, relation: Relation, *steps: Relation) -> Any:
    return kernel.prove.compose(THEORY, relation, tuple(_lemma(kernel, one, *EPS) for one in steps), EPS)


attempt(PROVED, "a chain", lambda kernel: _composed(kernel, Eq(var(z), dot(v, v) / d), Eq(var(z), q), Eq(q, dot(v, v) / d)))
attempt(
    REFUSED, "a chain with a gap", lambda kernel: _composed(kernel, Eq(var(z), dot(v, v) / d), Eq(var(z), q), Eq(var(z), dot(v, v) / d))
)
attempt(REFUSED, "a chain to another end", lambda kernel: _composed(kernel, Eq(var(z), mu), Eq(var(z), q)))
attempt(REFUSED, "a chain from another start", lambda kernel: _composed(kernel, Eq(mu, q), Eq(var(z), q)))
attempt(PROVED, "a chain with <", lambda kernel: _composed(kernel, Lt(0, s + q), Lt(0, s), Le(s, s + q)))
attempt(REFUSED, "a chain of <= gives no <", lambda kernel: _composed(kernel, Lt(0, q + a**2), Le(0, q), Le(q, q + a**2)))
attempt(REFUSED, "a chain with != gives nothing", lambda kernel: _composed(kernel, Ne(0, 0), Ne(0, s), Ne(s, 0)))
attempt(REFUSED, "a chain under other hypotheses", lambda kernel: kernel.prove.compose(
    THEORY, Eq(a, 2), (_lemma(kernel, Eq(a, 2), Eq(a, 2)),), ()))  # fmt: skip
attempt(REFUSED, "a chain of what nobody proved", lambda kernel: kernel.prove.compose(
    THEORY, Eq(a, c), (SimpleNamespace(theory=THEORY, given=(), relation=Eq(a, c), conditions=()),), ()))  # fmt: skip
attempt(REFUSED, "a Proved called into being", lambda kernel: kernel.prove.Proved(object(), THEORY, Eq(a, c), (), (), None))

# ---------------------------------------------------------------- rows that one mutant or another asked for

row(PROVED, "one letter over two ranges", Eq(Sum(Index("i", INPUTS), w[i]), Sym("n") * w[i]))
row(REFUSED, "a hypothesis on another combination", Lt(0, a - c), Lt(0, a - 2 * c))
row(REFUSED, "x > -1", Lt(0, x), Lt(-1, x))
row(REFUSED, "a norm may be 0", Lt(0, norm(w)))
row(REFUSED, "a delta may be 0", Lt(0, delta(i, j)))
row(REFUSED, "a delta is not its inverse", Eq(1 / delta(i, j), delta(i, j)))
row(REFUSED, "one factor of a product that vanishes", Eq(a, 0), Eq(a * c, 0))
row(REFUSED, "the other factor of a product that vanishes", Eq(c, 0), Eq(a * c, 0))
row(CONDITIONAL, "a hypothesis does not use up a side condition", Eq(r, r), Lt(-1, r))
row(REFUSED, "random entries in a gap", Lt(0, 1 + expectation(w[i], g) - w[i]), Components("w", COORDINATES, (g[ONE], g[TWO])))
attempt(REFUSED, "the claim is no hypothesis at 0", lambda kernel: kernel.prove.prove_by_induction(THEORY, Eq(a, 0), t))
attempt(REFUSED, "equal sides and a strict inequality", lambda kernel: kernel.prove.prove_by_induction(THEORY, Lt(t * a, a * t), t))
attempt(REFUSED, "a chain of <= gives no =", lambda kernel: _composed(kernel, Eq(0, dot(v, v) / d), Le(0, q), Eq(q, dot(v, v) / d)))
