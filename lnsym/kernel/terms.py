"""TRUSTED. Terms as a reader sees them: printed in the order written, never simplified.

Imports the standard library and lnsym.errors only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Union

from lnsym.errors import TermError


@dataclass(frozen=True, slots=True)
class Range:
    """What an index runs over: 1, ..., `length`, a symbol of its own for each range."""

    name: str
    length: str


COORDINATES = Range("coordinates", "d")
INPUTS = Range("inputs", "n")
ROWS = Range("rows", "N")
STEPS = Range("steps", "T")
BLOCKS = Range("blocks", "B")
LENGTHS = {x.name: x.length for x in (COORDINATES, INPUTS, ROWS, STEPS, BLOCKS)}


@dataclass(frozen=True, slots=True)
class Index:
    """A named index over a range. Digits, or a symbol plus a number, are a fixed position: z_1, g_(t+1)."""

    name: str
    range: Range = COORDINATES

    @property
    def is_fixed(self) -> bool:
        """Whether this is a fixed position and not an index that varies."""
        return self.name.isdigit() or "+" in self.name


def hole(position: int, range_: Range = COORDINATES) -> Index:
    """The open index of an Array at the given position, 1 or 2."""
    return Index(f"·{position}", range_)


Scalar = Union["Term", int, Fraction]


def _binary(build: Callable[[Any, Any], Any]) -> tuple[Callable[[Any, object], Any], Callable[[Any, object], Any]]:
    """An operator and its mirror image; an array beside a term takes over."""

    def forward(self: Any, other: object) -> Any:
        if isinstance(other, Array) and isinstance(self, Term):
            return NotImplemented
        return build(self, other if isinstance(other, Array) else lift(other))

    return forward, lambda self, other: build(lift(other), self)


class Term:
    """Base of all terms. Operators build terms and change nothing."""

    __slots__ = ()
    __add__, __radd__ = _binary(lambda a, b: Add((*(a.args if isinstance(a, Add) else (a,)), b)))
    __sub__, __rsub__ = _binary(lambda a, b: a + -b)
    __mul__, __rmul__ = _binary(lambda a, b: Mul((*(a.args if isinstance(a, Mul) else (a,)), b)))
    __truediv__, __rtruediv__ = _binary(lambda a, b: a * Pow(b, -1))

    def __neg__(self) -> Term:
        return Num(-self.value) if isinstance(self, Num) else Mul((Num(Fraction(-1)), self))

    def __pow__(self, exponent: int) -> Term:
        return Pow(self, exponent)


def lift(value: object) -> Term:
    """A term from a term, an integer or a fraction. A float is refused: it is not exact."""
    if isinstance(value, Term):
        return value
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Num(Fraction(value))
    raise TermError(f"expected a term, an integer or a fraction, got {value!r}; write 1/3 as a fraction, not as a float")


@dataclass(frozen=True, slots=True)
class Num(Term):
    """An exact rational number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Sym(Term):
    """A scalar symbol: d, eps, mu, q, s, a, c, ..."""

    name: str


@dataclass(frozen=True, slots=True)
class Entry(Term):
    """One entry of a vector (one index) or of a matrix or batch (two indices)."""

    vector: str
    indices: tuple[Index, ...]


@dataclass(frozen=True, slots=True)
class Delta(Term):
    """Kronecker's delta: 1 where the two indices agree, else 0."""

    left: Index
    right: Index

    def __post_init__(self) -> None:
        if self.left.range != self.right.range:
            raise TermError(f"delta of {self.left.name} and {self.right.name}: expected two indices over one range")


@dataclass(frozen=True, slots=True)
class Add(Term):
    """A sum of terms, in the order written."""

    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Mul(Term):
    """A product of terms, in the order written; a quotient has a factor Pow(base, -n)."""

    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Pow(Term):
    """An integer power."""

    base: Term
    exponent: int

    def __post_init__(self) -> None:
        if type(self.exponent) is not int:
            raise TermError(f"expected an integer power, got {self.exponent!r}; write a square root as sqrt(...)")


@dataclass(frozen=True, slots=True)
class Power(Term):
    """base^(exponent + shift), the exponent a symbol for a number 0, 1, 2, ..."""

    base: Sym
    exponent: Sym
    shift: int = 0


@dataclass(frozen=True, slots=True)
class Sum(Term):
    """The sum of body over all values of an index."""

    index: Index
    body: Term


@dataclass(frozen=True, slots=True)
class Geometric(Term):
    """The sum over i = 1, ..., t of base^(t - i) body_i, where t = upper + shift."""

    base: Sym
    upper: Sym
    shift: int
    index: Index
    body: Term


@dataclass(frozen=True, slots=True)
class Root(Term):
    """The nonnegative square root."""

    radicand: Term


@dataclass(frozen=True, slots=True)
class Derivative(Term):
    """The partial derivative of body by a symbol or by an entry, the rest of the independent variables held fixed."""

    body: Term
    variable: Sym | Entry


@dataclass(frozen=True, slots=True)
class Expectation(Term):
    """The expected value of body; the named vectors are random, all else is fixed."""

    body: Term
    random: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word(Term):
    """A named notion (mean, var, core, ...): the reader sees name and arguments, the kernel the expansion."""

    name: str
    args: tuple[Term | Array, ...]
    indices: tuple[Index, ...]
    expansion: Term


Operand = Union["Array", Term, int, Fraction]


@dataclass(frozen=True, slots=True)
class Array:
    """A vector (one open index) or a matrix (two): `body` with the holes of `indices` left open.

    Products and powers are taken entry by entry; `@` is the matrix product; a scalar added to a vector
    is added to each entry.
    """

    indices: tuple[Index, ...]
    body: Term

    def __getitem__(self, at: Index | tuple[Index, ...]) -> Term:
        places = at if isinstance(at, tuple) else (at,)
        if [i.range for i in places] != [i.range for i in self.indices]:
            raise TermError(f"expected indices over {shape(self)}, got {' x '.join(i.range.length for i in places)}")
        return substitute_indices(self.body, dict(zip(self.indices, places, strict=True)))  # type: ignore[no-any-return]

    __add__, __radd__ = _binary(lambda a, b: _entrywise(a, b, lambda x, y: x + y))
    __sub__, __rsub__ = _binary(lambda a, b: _entrywise(a, b, lambda x, y: x - y))
    __mul__, __rmul__ = _binary(lambda a, b: _entrywise(a, b, lambda x, y: x * y))
    __truediv__, _ = _binary(lambda a, b: _entrywise(a, b, lambda x, y: x / y))

    def __neg__(self) -> Array:
        return Array(self.indices, -self.body)

    def __pow__(self, exponent: int) -> Array:
        return Array(self.indices, self.body**exponent)

    def __matmul__(self, other: Array) -> Array:
        if len(self.indices) != 2 or self.indices[1].range != other.indices[0].range:
            raise TermError(f"cannot multiply: {shape(self)} times {shape(other)}")
        row, tail = self.indices[0], tuple(replace(i, name=f"·{n + 2}") for n, i in enumerate(other.indices[1:]))
        k = fresh_index(self.indices[1].range, self.body, other.body)
        expansion = Sum(k, self[row, k] * substitute_indices(other.body, dict(zip(other.indices, (k, *tail), strict=True))))
        name = "matmul" if tail else "apply"
        return Array((row, *tail), Word(name, (self, other), (row, *tail), expansion))

    def __call__(self, argument: Array) -> Array:
        """The matrix applied to a vector: the same as `self @ argument`."""
        return self @ argument

    @property
    def T(self) -> Array:  # noqa: N802 - the mathematical name
        """The transposed matrix."""
        row, column = self.indices
        new = (replace(row, range=column.range), replace(column, range=row.range))
        return Array(new, Word("transpose", (self,), new, self[new[1], new[0]]))


def _entrywise(left: Term | Array, right: Term | Array, build: Callable[[Term, Term], Term]) -> Array:
    pattern = left if isinstance(left, Array) else right
    assert isinstance(pattern, Array)
    if any(isinstance(x, Array) and shape(x) != shape(pattern) for x in (left, right)):
        raise TermError(f"unequal shapes: {' and '.join(shape(x) for x in (left, right) if isinstance(x, Array))}")
    return Array(pattern.indices, build(*(x.body if isinstance(x, Array) else x for x in (left, right))))


def shape(array: Array) -> str:
    """The shape in words: the length of each range."""
    return " x ".join(i.range.length for i in array.indices)


@dataclass(frozen=True, slots=True)
class Relation:
    """left kind right, for every value of the free indices; kind is one of = <= < !=.

    A relation between arrays means every entry; a scalar beside an array stands for each entry.
    """

    kind: str
    left: Term | Array
    right: Term | Array

    def opened(self) -> tuple[Term, Term]:
        """Both sides as terms, the holes of arrays filled with the same fresh free indices."""
        if self.kind not in ("=", "<=", "<", "!="):
            raise TermError(f"expected one of = <= < !=, got {self.kind}")
        return opened(self.left, self.right)  # type: ignore[return-value]


def opened(*sides: Term | Array) -> tuple[Term, ...]:
    """The sides as terms, the holes of arrays filled with the same indices, none of which is free in a side."""
    arrays = [x for x in sides if isinstance(x, Array)]
    if len({shape(x) for x in arrays}) > 1:
        raise TermError(f"unequal shapes: {' and '.join(map(shape, arrays))}")
    at = tuple(i for x in sides for i in free_indices(x)) if arrays else ()
    for own in arrays[0].indices if arrays else ():
        at = (*at, fresh_index(own.range, Entry("", at)))
    return tuple(x[at[len(at) - len(x.indices) :]] if isinstance(x, Array) else x for x in sides)


@dataclass(frozen=True, slots=True)
class Components:
    """The hypothesis that a vector has just these entries; it fixes the length of its range."""

    vector: str
    range: Range
    entries: tuple[Term, ...]


Hypothesis = Relation | Components


@dataclass(frozen=True, slots=True)
class Family:
    """A vector with the names of its deviations, its mean and its variance."""

    vector: str
    deviation: str
    mean: str
    variance: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A name and what it abbreviates: a term, or an array for a vector."""

    name: str
    value: Term | Array


@dataclass(frozen=True, slots=True)
class Theory:
    """What is declared before anything is proved: families, definitions, and the symbols that are positive."""

    families: tuple[Family, ...]
    definitions: tuple[Definition, ...]
    positive: frozenset[str]


# ---------------------------------------------------------------- walking and renaming


def _parts(node: Any) -> list[Any]:
    parts: list[Any] = []
    for name in node.__match_args__:
        value = getattr(node, name)
        parts += value if type(value) is tuple else (value,)
    return parts


def children(node: Term | Array) -> tuple[Term | Array, ...]:
    """The immediate parts of a node; a word's expansion comes last."""
    return tuple(x for x in _parts(node) if isinstance(x, (Term, Array)))


def walk(node: Term | Array) -> Iterator[Term | Array]:
    """The node and every part of it, words' arguments and expansions included."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def free_indices(node: Term | Array) -> dict[Index, None]:
    """The indices that occur free, in the order met."""
    found = dict.fromkeys(x for x in _parts(node) if isinstance(x, Index) and not x.is_fixed)
    for child in children(node)[-1:] if isinstance(node, Word) else children(node):
        found.update(free_indices(child))
    return {i: None for i in found if i not in _binds(node)}


def _binds(node: Term | Array) -> tuple[Index, ...]:
    return node.indices if isinstance(node, Array) else (node.index,) if isinstance(node, (Sum, Geometric)) else ()


def index_names(*nodes: Term | Array) -> set[str]:
    """Every index name that occurs, bound or free."""
    return {i.name for top in nodes for node in walk(top) for i in _parts(node) if isinstance(i, Index)}


LETTERS = {"coordinates": "ijklm", "inputs": "abe", "rows": "nmr", "steps": "ijk"}


def fresh_index(range_: Range, *avoid: Term | Array) -> Index:
    """An index over the range whose name occurs nowhere in `avoid`."""
    taken, letters = index_names(*avoid), LETTERS.get(range_.name, "ijklm")
    return next(Index(name, range_) for n in range(10**6) for x in letters if (name := f"{x}{n or ''}") not in taken)


def substitute_indices(node: Any, table: dict[Index, Index]) -> Any:
    """A term, or a part of one, with free indices renamed, and bound ones where they would capture."""
    if isinstance(node, Index):
        return table.get(node, node)
    if isinstance(node, tuple):
        return tuple(substitute_indices(x, table) for x in node)
    if not table or not isinstance(node, (Term, Array)):
        return node
    bound = _binds(node)
    inner = {old: new for old, new in table.items() if old not in bound} if bound else table
    if isinstance(node, (Sum, Geometric)) and node.index in inner.values():
        inner[node.index] = fresh_index(node.index.range, node, *(Entry("", (i,)) for i in (*inner, *inner.values())))
    return type(node)(*(substitute_indices(getattr(node, name), inner) for name in node.__match_args__))
