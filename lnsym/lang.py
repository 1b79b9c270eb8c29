"""The words in which an author writes: vectors, means, norms, matrices, relations. Imports the kernel's terms only."""

from __future__ import annotations

from fractions import Fraction

from lnsym.errors import TermError
from lnsym.kernel.terms import (
    COORDINATES,
    INPUTS,
    ROWS,
    STEPS,
    Array,
    Components,
    Delta,
    Derivative,
    Entry,
    Expectation,
    Geometric,
    Index,
    Num,
    Operand,
    Power,
    Range,
    Relation,
    Root,
    Scalar,
    Sum,
    Sym,
    Term,
    Word,
    fresh_index,
    hole,
    lift,
)

__all__ = [
    "Array", "COORDINATES", "Components", "D", "Entry", "Eq", "INPUTS", "Index", "Le", "Lt", "Ne", "P", "Power", "ROWS", "Relation",
    "STEPS", "Sym", "Term", "at_least", "core", "cov", "delta", "diag", "dot", "expectation", "fraction", "geometric", "gradient", "hole",
    "i", "identity", "j", "jacobian", "k", "length", "lift", "m", "matrix", "mean", "n", "nonnegative", "nonzero", "norm", "one", "ones",
    "outer", "positive", "rms", "sqrt", "sum_over", "symbols", "total", "trace", "var", "vector",
]  # fmt: skip

i, j, k = Index("i"), Index("j"), Index("k")
n, m = Index("n", ROWS), Index("m", ROWS)


def vector(name: str, range_: Range = COORDINATES) -> Array:
    """The vector of the given name over a range."""
    return Array((hole(1, range_),), Entry(name, (hole(1, range_),)))


def matrix(name: str, rows: Range = COORDINATES, columns: Range = COORDINATES) -> Array:
    """The matrix of the given name."""
    holes = (hole(1, rows), hole(2, columns))
    return Array(holes, Entry(name, holes))


def symbols(names: str) -> tuple[Sym, ...]:
    """Scalar symbols from names separated by spaces."""
    return tuple(map(Sym, names.split()))


def fraction(numerator: int, denominator: int = 1) -> Num:
    """The exact fraction numerator/denominator."""
    return Num(Fraction(numerator, denominator))


def length(range_: Range) -> Sym:
    """The number of values of an index: d, n, N or T."""
    return Sym(range_.length)


def sqrt(radicand: Operand) -> Term:
    """The nonnegative square root."""
    return Root(lift(radicand))


def delta(left: Index, right: Index) -> Term:
    """Kronecker's delta."""
    return Delta(left, right)


def sum_over(index: Index, body: Operand) -> Term:
    """The sum of body over all values of the index."""
    return Sum(index, lift(body))


# ---------------------------------------------------------------- words of one or two vectors


def _range(x: object) -> Range:
    match x:
        case Array((index,), _):
            return index.range
    raise TermError(f"expected a vector, got {'a matrix' if isinstance(x, Array) else 'a scalar'}")


def total(x: Array) -> Term:
    """The sum of the entries of x."""
    index = fresh_index(_range(x), x)
    return Word("total", (x,), (), Sum(index, x[index]))


def mean(x: Array) -> Term:
    """The arithmetic mean of the entries of x."""
    index = fresh_index(_range(x), x)
    return Word("mean", (x,), (), Sum(index, x[index]) / length(_range(x)))


def var(x: Array) -> Term:
    """The variance of the entries of x, with divisor d: the mean of the squared deviations."""
    centre = mean(x)
    index = fresh_index(_range(x), x, centre)
    return Word("var", (x,), (), Sum(index, (x[index] - centre) ** 2) / length(_range(x)))


def cov(x: Array, y: Array) -> Term:
    """The covariance of the entries of x and y, with divisor d."""
    index = fresh_index(_range(x), mean(x), mean(y))
    return Word("cov", (x, y), (), Sum(index, (x[index] - mean(x)) * (y[index] - mean(y))) / length(_range(x)))


def dot(x: Array, y: Array) -> Term:
    """The inner product of x and y."""
    if _range(x) != _range(y):
        raise TermError(f"unequal shapes: dot of vectors of lengths {_range(x).length} and {_range(y).length}")
    index = fresh_index(_range(x), x, y)
    return Word("dot", (x, y), (), Sum(index, x[index] * y[index]))


def norm(x: Array) -> Term:
    """The Euclidean norm of x."""
    index = fresh_index(_range(x), x)
    return Word("norm", (x,), (), Root(Sum(index, x[index] ** 2)))


def core(x: Array, eps: Operand = Sym("eps")) -> Array:
    """The normalized core of x: its deviations from the mean over sqrt(var(x) + eps)."""
    place = hole(1, _range(x))
    expansion = (x[place] - mean(x)) / Root(var(x) + lift(eps))
    return Array((place,), Word("core", (x, lift(eps)), (place,), expansion))


def rms(x: Array, eps: Operand = Sym("eps")) -> Array:
    """RMSNorm of x: x over sqrt(mean(x^2) + eps), without centering."""
    place = hole(1, _range(x))
    return Array((place,), Word("rms", (x, lift(eps)), (place,), x[place] / Root(mean(x**2) + lift(eps))))


# ---------------------------------------------------------------- vectors and matrices


def ones(range_: Range = COORDINATES) -> Array:
    """The vector of ones over a range."""
    return Array((hole(1, range_),), Word("one", (), (hole(1, range_),), Num(Fraction(1))))


def identity(range_: Range = COORDINATES) -> Array:
    """The identity matrix over a range."""
    places = (hole(1, range_), hole(2, range_))
    return Array(places, Word("identity", (), places, Delta(*places)))


def outer(x: Array, y: Array) -> Array:
    """The matrix x y^T."""
    places = (hole(1, _range(x)), hole(2, _range(y)))
    return Array(places, Word("outer", (x, y), places, x[places[0]] * y[places[1]]))


def diag(x: Array) -> Array:
    """The diagonal matrix of x."""
    places = (hole(1, _range(x)), hole(2, _range(x)))
    return Array(places, Word("diag", (x,), places, x[places[0]] * Delta(*places)))


def trace(a: Array) -> Term:
    """The trace of a square matrix."""
    if len(a.indices) != 2 or a.indices[0].range != a.indices[1].range:
        raise TermError("expected a square matrix")
    index = fresh_index(a.indices[0].range, a)
    return Word("trace", (a,), (), Sum(index, a[index, index]))


def _centering(range_: Range = COORDINATES) -> Array:
    places = (hole(1, range_), hole(2, range_))
    return Array(places, Word("P", (), places, Delta(*places) - 1 / length(range_)))


one = ones()
P = _centering()


# ---------------------------------------------------------------- calculus, powers, expectations


def D(body: Operand, by: Sym | Term) -> Term:  # noqa: N802 - the mathematical name
    """The partial derivative of a scalar by a symbol or by an entry such as z[j]."""
    if not isinstance(by, (Sym, Entry)):
        raise TermError("differentiate by a symbol or by an entry such as z[j]")
    return Derivative(lift(body), by)


def jacobian(x: Array, by: Array) -> Array:
    """The matrix of the partial derivatives of x_i by the entries of the plain vector `by`."""
    places = (hole(1, _range(x)), hole(2, _range(by)))
    variable = by[places[1]]
    if not isinstance(variable, Entry):
        raise TermError("differentiate by a plain vector such as z")
    return Array(places, Word("jacobian", (x, by), places, Derivative(x[places[0]], variable)))


def gradient(body: Term, by: Array) -> Array:
    """The vector of the partial derivatives of a scalar by the entries of the plain vector `by`."""
    place = hole(1, _range(by))
    variable = by[place]
    if not isinstance(variable, Entry):
        raise TermError("differentiate by a plain vector such as z")
    return Array((place,), Word("gradient", (body, by), (place,), Derivative(body, variable)))


def geometric(base: Sym, upper: Sym, x: Array, shift: int = 0) -> Term:
    """The sum over i = 1, ..., t of base^(t - i) x_i, where t = upper + shift."""
    index = fresh_index(_range(x), x)
    return Geometric(base, upper, shift, index, x[index])


def expectation(body: Operand, *random: Array) -> Term:
    """The expected value of body, the given vectors random."""
    names = tuple(x.body.vector for x in random if isinstance(x.body, Entry))
    return Expectation(lift(body), names)


# ---------------------------------------------------------------- relations


def _side(value: Operand) -> Term | Array:
    return value if isinstance(value, Array) else lift(value)


def Eq(left: Operand, right: Operand) -> Relation:  # noqa: N802 - as in SymPy
    """left = right, entry by entry for vectors and matrices."""
    return Relation("=", _side(left), _side(right))


def Le(left: Operand, right: Operand) -> Relation:  # noqa: N802 - as in SymPy
    """left <= right."""
    return Relation("<=", _side(left), _side(right))


def Lt(left: Operand, right: Operand) -> Relation:  # noqa: N802 - as in SymPy
    """left < right."""
    return Relation("<", _side(left), _side(right))


def Ne(left: Operand, right: Operand) -> Relation:  # noqa: N802 - as in SymPy
    """left != right."""
    return Relation("!=", _side(left), _side(right))


def positive(term: Scalar) -> Relation:
    """The hypothesis term > 0."""
    return Lt(0, lift(term))


def nonnegative(term: Scalar) -> Relation:
    """The hypothesis term >= 0."""
    return Le(0, lift(term))


def nonzero(term: Scalar) -> Relation:
    """The hypothesis term != 0."""
    return Ne(lift(term), 0)


def at_least(symbol: Sym, bound: int) -> Relation:
    """The hypothesis symbol >= bound, for a whole number such as d: that symbol - bound + 1 > 0."""
    return Le(bound, symbol)
