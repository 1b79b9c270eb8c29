"""Terms to SymPy, at symbolic d or entry by entry. Imports SymPy, the kernel's terms and the book's definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, TypeAlias

import sympy as sp

from lnsym.derivations.definitions import THEORY
from lnsym.errors import TermError
from lnsym.kernel.terms import (
    LETTERS,
    Add,
    Array,
    Delta,
    Derivative,
    Entry,
    Expectation,
    Geometric,
    Index,
    Mul,
    Num,
    Pow,
    Power,
    Range,
    Relation,
    Root,
    Sum,
    Sym,
    Term,
    Theory,
    Word,
    free_indices,
    fresh_index,
)
from lnsym.model.names import EXPECTED, Names, fixed_place, meanings

Place: TypeAlias = "sp.Expr | int"
RELATIONS = {"=": sp.Eq, "<=": sp.Le, "<": sp.Lt, "!=": sp.Ne}


class Writer:
    """Writes terms as SymPy expressions.

    `sizes` holds the lengths of the ranges (and numbers for exponents such as t); None leaves every length symbolic.
    `raw` unfolds every derived name down to z and eps. `differentiate` lets SymPy carry out derivatives and expectations.
    """

    def __init__(
        self, names: Names, theory: Theory, sizes: Mapping[str, int] | None, raw: bool = False, differentiate: bool = False
    ) -> None:
        self.names, self.theory, self.sizes = names, theory, sizes
        self.raw, self.differentiate = raw, differentiate
        self.derived = meanings(theory)
        self.taken: set[str] = set()
        self.curves: dict[sp.Symbol, sp.Expr] = {}  # entries given as functions of scalars
        self.divisors: dict[sp.Expr, None] = {}  # SymPy may cancel one away that hypotheses make zero
        self._written: dict[tuple[object, ...], sp.Expr] = {}
        self._words: dict[Word, Word] = {}
        self._free: dict[int, tuple[Word, tuple[Index, ...]]] = {}

    # ------------------------------------------------------------ places

    def place(self, index: Index, at: Mapping[Index, Place]) -> Place:
        """Where an index stands: a number, or a SymPy index at symbolic length."""
        if index in at:
            return at[index]
        if index.is_fixed:
            number = fixed_place(index, self.known_sizes)
            if number is not None:
                return self._within(number, index.range)
            symbol, _, shift = index.name.rpartition("+")
            return self._scalar(symbol) + int(shift)
        if self.sizes is None:
            return self.names.index(index.name, index.range)
        raise TermError(f"free index {index.name} at fixed {index.range.length}: give it a number, or leave {index.range.length} symbolic")

    def _within(self, number: int, range_: Range) -> int:
        if self.sizes is not None and not 1 <= number <= self.size(range_):
            raise TermError(f"place {number} lies outside 1..{self.size(range_)}, the values of an index over the {range_.name}")
        return number

    @property
    def known_sizes(self) -> Mapping[str, int]:
        """The lengths and exponents that are fixed."""
        return self.sizes or {}

    def size(self, range_: Range) -> int:
        """The fixed length of a range."""
        if range_.length not in self.known_sizes:
            raise TermError(f"the number of {range_.name} is open: give it as sizes={{'{range_.length}': 2}}")
        return self.known_sizes[range_.length]

    def values(self, indices: tuple[Index, ...]) -> Iterator[dict[Index, Place]]:
        """Every way to give numbers to the indices."""
        for numbers in product(*(range(1, self.size(index.range) + 1) for index in indices)):
            yield dict(zip(indices, numbers, strict=True))

    def _bound(self, index: Index) -> sp.Expr:
        # A name of its own for each sum: SymPy lets a free or a differentiated index be captured by a bound one.
        for suffix in ("", *map(str, range(1, 10_000))):
            for letter in (index.name, *LETTERS[index.range.name]) if not suffix else LETTERS[index.range.name]:
                if letter + suffix not in self.taken:
                    self.taken.add(letter + suffix)
                    return self.names.index(letter + suffix, index.range)
        raise TermError("too many nested sums")

    # ------------------------------------------------------------ terms

    def write(self, term: Term, at: Mapping[Index, Place]) -> sp.Expr:
        """The SymPy expression of a term whose free indices stand at the places `at`."""
        match term:
            case Num(value):
                return sp.Rational(value.numerator, value.denominator)
            case Sym(name):
                return self._scalar(name)
            case Entry(name, indices):
                return self._entry(name, tuple(self.place(index, at) for index in indices))
            case Delta(left, right):
                return sp.KroneckerDelta(self.place(left, at), self.place(right, at))
            case Add(args):
                return sp.Add(*(self.write(arg, at) for arg in args))
            case Mul(args):
                return sp.Mul(*(self.write(arg, at) for arg in args))
            case Pow(base, exponent):
                return self._power(self.write(base, at), exponent)
            case Power(base, exponent, shift):
                return self.write(base, at) ** (self._scalar(exponent.name) + shift)
            case Root(radicand):
                return sp.sqrt(self.write(radicand, at))
            case Sum(index, body):
                return self._sum(index, body, at)
            case Geometric():
                return self._geometric(term, at)
            case Derivative(body, variable):
                return self._derivative(body, variable, at)
            case Expectation(body, random):
                written = self.write(body, at)
                return expectation(written, random) if self.differentiate else EXPECTED(written, *map(sp.Symbol, random))
            case Word():
                return self._word(term, at)
        raise TermError(f"not a term: {term!r}")

    def _power(self, base: sp.Expr, exponent: int) -> sp.Expr:
        if exponent < 0:
            if base.is_zero:
                raise TermError("a denominator is zero here")
            self.divisors[base] = None
        return base**exponent

    def _scalar(self, name: str) -> sp.Expr:
        if self.sizes is not None and name in self.sizes:
            return sp.Integer(self.sizes[name])
        meaning = self.derived.get(name) if self.raw else None
        if isinstance(meaning, Term):
            return self._once((name,), meaning, {})
        return self.names.scalar(name)

    def _entry(self, name: str, places: tuple[Place, ...]) -> sp.Expr:
        meaning = self.derived.get(name) if self.raw else None
        if isinstance(meaning, Array):
            return self._once((name, *places), meaning.body, dict(zip(meaning.indices, places, strict=True)))
        return self.names.entry(name, places)

    def _once(self, key: tuple[object, ...], term: Term, at: Mapping[Index, Place]) -> sp.Expr:
        # Shared subexpressions stay one object, which keeps SymPy's derivatives and our zero test small.
        if key not in self._written:
            self._written[key] = self.write(term, at)
        return self._written[key]

    def _word(self, word: Word, at: Mapping[Index, Place]) -> sp.Expr:
        if self.sizes is None:
            word = self._words.setdefault(word, word)
        if id(word) not in self._free:
            self._free[id(word)] = word, tuple(free_indices(word))
        free = self._free[id(word)][1]
        return self._once((id(word), *(self.place(index, at) for index in free)), word.expansion, at)

    def _sum(self, index: Index, body: Term, at: Mapping[Index, Place]) -> sp.Expr:
        if self.sizes is not None:
            return sp.Add(*(self.write(body, {**at, **value}) for value in self.values((index,))))
        bound = self._bound(index)
        return sp.Sum(self.write(body, {**at, index: bound}), (bound, 1, self.names.scalar(index.range.length)))

    def _geometric(self, term: Geometric, at: Mapping[Index, Place]) -> sp.Expr:
        base, upper = self.write(term.base, at), self._scalar(term.upper.name) + term.shift
        if upper.is_Integer:
            places = ({**at, term.index: self._within(i, term.index.range)} for i in range(1, int(upper) + 1))
            return sp.Add(*(base ** (upper - place[term.index]) * self.write(term.body, place) for place in places))
        if self.sizes is not None:
            raise TermError(f"the number of steps is open: give it as sizes={{'{term.upper.name}': 2}}")
        bound = self._bound(term.index)
        return sp.Sum(base ** (upper - bound) * self.write(term.body, {**at, term.index: bound}), (bound, 1, upper))

    def _derivative(self, body: Term, variable: Sym | Entry, at: Mapping[Index, Place]) -> sp.Expr:
        name, kind = (variable.name, Term) if isinstance(variable, Sym) else (variable.vector, Array)
        if isinstance(self.derived.get(name), kind):
            raise TermError(f"{name} is a name for something that depends on the input: differentiate by an entry of the input")
        by = self.write(variable, at)
        # Under a derivative every name is unfolded: to SymPy the symbol q would be a constant.
        inside = self if self.raw else self._raw_twin()
        expression = inside.write(body, at)
        if isinstance(variable, Sym) and self.curves:
            expression = expression.xreplace(self.curves)
        return expression.diff(by) if self.differentiate else sp.Derivative(expression, by)

    def _raw_twin(self) -> Writer:
        twin = Writer(self.names, self.theory, self.sizes, raw=True, differentiate=self.differentiate)
        twin.taken, twin.curves = self.taken, self.curves
        return twin


def expectation(body: sp.Expr, vectors: tuple[str, ...]) -> sp.Expr:
    """The expectation of a polynomial in the entries of random vectors, by linearity: each moment is a symbol such as E[g_1]."""
    entries = sorted((x for x in body.free_symbols if x.name.rsplit("_", 1)[0] in vectors), key=str)
    if not entries:
        return body
    if not body.is_polynomial(*entries):
        raise TermError("the expectation of something that is no polynomial in the random entries")
    return sp.Add(*(coefficient * _moment(entries, powers) for powers, coefficient in sp.Poly(body, *entries).terms()))


def _moment(entries: list[sp.Symbol], powers: tuple[int, ...]) -> sp.Expr:
    monomial = sp.Mul(*(x**n for x, n in zip(entries, powers, strict=True)))
    return sp.Integer(1) if monomial == 1 else sp.Symbol(f"E[{monomial}]", real=True)


def to_sympy(
    node: Term | Array | Relation,
    d: int | None = None,
    *,
    raw: bool = False,
    sizes: Mapping[str, int] | None = None,
    theory: Theory = THEORY,
) -> Any:
    """Write a term, an array or a relation as SymPy.

    Formula:
        mean(z) becomes Sum(z[i], (i, 1, d))/d at symbolic d and z_1/2 + z_2/2 at d = 2.
    Shapes:
        At fixed d an array becomes a Matrix, and a relation with free places a tuple of relations, one for each entry.
        At symbolic d an array becomes its entry i (entry i, j of a matrix).
    Units:
        Those of the term.

    Args:
        node: The term, array or relation.
        d: The number of coordinates, or None for symbolic d.
        raw: Unfold v, mu, q, s, u and every other derived name down to z and eps.
        sizes: Lengths of other ranges and numbers for exponents, such as {"n": 2, "t": 3}.
        theory: Where the derived names are declared.

    Returns:
        A SymPy expression, Matrix or relation. Derivatives stay unevaluated, their bodies unfolded.

    Raises:
        TermError: A free index at fixed d, a length that is open, a derivative by a derived name.
    Source:
        The definitions of the book.

    >>> from lnsym.lang import mean
    >>> from lnsym.derivations.definitions import z, u
    >>> to_sympy(mean(z))
    Sum(z[i], (i, 1, d))/d
    >>> to_sympy(mean(z), d=2)
    z_1/2 + z_2/2
    >>> to_sympy(u, d=2).T
    Matrix([[u_1, u_2]])
    """
    return written(node, d, raw, sizes, theory)


def written(
    node: Term | Array | Relation,
    d: int | None,
    raw: bool = False,
    sizes: Mapping[str, int] | None = None,
    theory: Theory = THEORY,
    reserved: frozenset[str] = frozenset(),
) -> Any:
    """As to_sympy; no sum takes a reserved name for its index, so that a caller can differentiate by z[i]."""
    if d is not None and (type(d) is not int or d < 1):
        raise TermError(f"expected a whole number d >= 1 or None for symbolic d, got {d!r}")
    if not isinstance(node, (Term, Array, Relation)):
        raise TermError(f"expected a term, an array or a relation, got {node!r}")
    writer = Writer(Names(theory), theory, None if d is None else {"d": d, **(sizes or {})}, raw)
    parts = (node.left, node.right) if isinstance(node, Relation) else (node,)
    writer.taken |= reserved | {index.name for part in parts for index in free_indices(part)}
    if isinstance(node, Relation):
        return _relation(node, writer)
    return _array(node, writer) if isinstance(node, Array) else writer.write(node, {})


def _array(array: Array, writer: Writer) -> sp.Basic:
    if writer.sizes is not None:
        entries = [writer.write(array.body, at) for at in writer.values(array.indices)]
        columns = 1 if len(array.indices) == 1 else writer.size(array.indices[1].range)
        return sp.ImmutableMatrix(len(entries) // columns, columns, entries)
    places: tuple[Index, ...] = ()
    for own in array.indices:
        places = (*places, fresh_index(own.range, array, Entry("", places)))
    # Free places take the names i, j unless the author's free indices have them; bound ones then step aside.
    writer.taken |= {place.name for place in places}
    return writer.write(array[places], {})


def _relation(relation: Relation, writer: Writer) -> Any:
    left, right = relation.opened()
    free = tuple({**free_indices(left), **free_indices(right)})
    build = RELATIONS[relation.kind]
    writer.taken |= {index.name for index in free}
    if writer.sizes is None or not free:
        return build(writer.write(left, {}), writer.write(right, {}), evaluate=False)
    return tuple(build(writer.write(left, at), writer.write(right, at), evaluate=False) for at in writer.values(free))


