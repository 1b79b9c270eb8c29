"""The points at which a lesson puts numbers into a claim, and exact values as terms. Imports up to the library.

The lessons speak of one point, z = (1, 2, 3) with eps = 1/3, where the root is 1; a claim that speaks of more has points of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction

from lnsym.derivation import At, CheckedClaim, Example, Theorem, at, point_of
from lnsym.errors import LnsymError
from lnsym.evaluate import SAMPLE, Evaluator
from lnsym.kernel.terms import Array, Entry, Hypothesis, Index, Num, Relation, Sym, Term, free_indices, fresh_index, walk
from lnsym.lang import sqrt
from lnsym.lesson.pieces import Numbers, Piece, Words, listed
from lnsym.library import book
from lnsym.refute import Point, exact_value, satisfies
from lnsym.surd import Exact, Surd

HOME = at(z=(1, 2, 3), eps="1/3")


def relations(checked: CheckedClaim) -> tuple[Relation, ...]:
    """What a claim says: one relation, several for an example, none for a fact of calculus."""
    claim = checked.claim
    if isinstance(claim, Example):
        return claim.relations
    return (claim.relation,) if claim.relation is not None else ()


def place(theorem: Theorem, checked: CheckedClaim, number: int = 0) -> Point | None:
    """The point at which a claim is shown: the theorem's of this number; for 0 the lessons' own where it fits, else the first that does."""
    said = relations(checked)
    if isinstance(checked.claim, Example):
        return _point(checked.claim.at, said, ())
    own = theorem.derivation.points
    near = sorted(own, key=lambda one: any(one.values.get(name) != value for name, value in HOME.values.items()))
    for candidate in own[number - 1 : number] if number else (HOME, *near):
        point = _point(candidate, said, checked.given)
        if point is not None and all(value(side, point) is not None for one in said for side in (one.left, one.right)):
            return point
    return None


def _point(where: At, said: Sequence[Relation], given: Sequence[Hypothesis]) -> Point | None:
    theory = book().theory
    if any(SAMPLE in name for name in where.values):  # the second value of a random vector cannot be told in a line
        return None
    try:
        point = point_of(where, said, given, theory)
        return point if satisfies(theory, point, given) else None
    except LnsymError:
        return None


def value(side: Term | Array, point: Point) -> Numbers | None:
    """The exact value of a side, over its free indices; None where it has none."""
    try:
        places: tuple[Index, ...] = ()
        for own in side.indices if isinstance(side, Array) else ():
            places = (*places, fresh_index(own.range, side, Entry("", places)))
        term = side[places] if isinstance(side, Array) else side
        free = [*places, *sorted(free_indices(term).keys() - {*places}, key=lambda index: index.name)]
        return _table(term, free, {}, point)
    except LnsymError:
        return None


def _table(term: Term, free: Sequence[Index], at: Mapping[Index, int], point: Point) -> Numbers:
    if not free:
        return Numbers(as_term(exact_value(book().theory, point, term, at)))
    first, *rest = free
    return Numbers(tuple(_table(term, rest, {**at, first: n}, point) for n in range(1, point.sizes[first.range.length] + 1)))


def as_term(number: Exact) -> Term:
    """An exact number as a term, roots in the numerator."""
    if not isinstance(number, Surd):
        return Num(number)
    first, *rest = (_multiple(factor, radicand) for radicand, factor in sorted(number.parts.items()))
    return sum(rest, first)


def _multiple(factor: Fraction, radicand: int) -> Term:
    if radicand == 1:
        return Num(factor)
    over = sqrt(radicand) if abs(factor.numerator) == 1 else abs(factor.numerator) * sqrt(radicand)
    size = over if factor.denominator == 1 else over / factor.denominator
    return -size if factor < 0 else size


def told(point: Point, *nodes: Term | Array) -> Words:
    """A point in words, as far as it matters to these formulas; a length is told only where it is named."""
    return listed(_told(point, speaks(nodes)))


def _told(point: Point, names: AbstractSet[str]) -> Iterator[Piece]:
    shown = {len(entries) for name, entries in point.vectors.items() if name in names}
    yield from (Numbers(Num(Fraction(size)), name) for name, size in sorted(point.sizes.items()) if name in names and size not in shown)
    yield from (Numbers(_entries(entries).value, name) for name, entries in point.vectors.items() if name in names)
    yield from (Numbers(Num(number), name) for name, number in point.scalars.items() if name in names)


def speaks(nodes: Iterable[Term | Array]) -> set[str]:
    """The names that some formulas are made of, down to the input."""
    theory, stack, found = book().theory, list(nodes), set[str]()
    meanings = {one.name: one.value for one in theory.definitions}
    inputs = {name: one.vector for one in theory.families for name in (one.deviation, one.mean, one.variance)}
    while stack:
        for node in walk(stack.pop()):
            name = node.name if isinstance(node, Sym) else node.vector if isinstance(node, Entry) else ""
            if name and name not in found:
                found |= {name, inputs.get(name, name)}
                stack += [meanings[name]] if name in meanings else []
    return found


def _entries(entries: object) -> Numbers:
    if isinstance(entries, tuple):
        return Numbers(tuple(map(_entries, entries)))
    assert isinstance(entries, Fraction)
    return Numbers(Num(entries))


def statistics(point: Point, before: Term | None = None) -> Words:
    """Mean, variance and root at a point, as far as it gives them; only those that come before one of them."""
    evaluator = Evaluator(book().theory, point)
    names = ["mu", "q", "s"]
    if isinstance(before, Sym) and before.name in names:
        names = names[: names.index(before.name)]
    found = []
    for name in names:
        try:
            number = evaluator.symbol(name)
        except LnsymError:
            continue
        if isinstance(number, (Fraction, Surd)):
            found.append(Numbers(as_term(number), name))
    return listed(found)
