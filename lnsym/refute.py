"""Counterexamples: small exact points at which a claim fails.

With lnsym.points, lnsym.evaluate and lnsym.surd this is the refuter: it shares only the terms with the kernel, so that
what it refutes and what the kernel proves are judged apart. Imports those three, the terms and lnsym.errors only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from math import gcd
from typing import cast

from lnsym.evaluate import Entries, Env, Evaluator, Exhausted, Point, enclose, evaluate, exact_value
from lnsym.kernel.terms import (
    COORDINATES,
    Hypothesis,
    Relation,
    Theory,
)
from lnsym.points import (
    SIMPLE,
    Judge,
    Opened,
    Points,
    changed,
    compare,
    find_point,
    holds,
    open_relation,
    sample_points,
    satisfies,
    shape_of,
)
from lnsym.surd import Exact, Irrational, Plain, Undefined, exact_root, rational_root

__all__ = [
    "Counterexample", "Point", "enclose", "evaluate", "exact_value", "find_counterexample", "find_point", "holds", "sample_points",
    "satisfies",
]  # fmt: skip

BUDGET = 80_000  # evaluated nodes after which a search gives up
HEIGHTS = tuple(Fraction(n, m) for h in range(1, 13) for n, m in product(range(1, h + 1), repeat=2) if max(n, m) == h and gcd(n, m) == 1)


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True)
class Counterexample:
    """A point at which a claim fails, with the values of its two sides there; `at` gives the free indices, from 1."""

    kind: str
    point: Point
    at: Mapping[str, int]
    left: Plain
    right: Plain

    def as_dict(self) -> dict[str, object]:
        """For JSON: the point's values by name, then `at`, `kind`, `left` and `right`."""
        at = {"at": dict(self.at)} if self.at else {}
        return {**self.point.as_dict(), **at, "kind": self.kind, "left": str(self.left), "right": str(self.right)}

    @property
    def place(self) -> str:
        """The point and the free indices in words."""
        return str(self.point) + "".join(f", {name} = {place}" for name, place in self.at.items())

    def __str__(self) -> str:
        return f"at {self.place}: the left side is {self.left}, the right side is {self.right}, and {self.kind} fails"


@dataclass(frozen=True)
class _Hit:
    """A point found, before and while it is made smaller."""

    point: Point
    relation: Opened
    env: Env
    left: Plain
    right: Plain

    @property
    def rational(self) -> bool:
        """Whether both sides are."""
        return isinstance(self.left, Fraction) and isinstance(self.right, Fraction)


def _cost(x: Fraction) -> int:
    """How much there is to read: 0 for 0, 2 for 1, 3 for -1 and 4 for 2."""
    return 2 * (abs(x.numerator) + x.denominator - 1) + (x < 0) if x else 0


def _flat(entries: Entries) -> Iterator[Fraction]:
    for entry in entries:
        if isinstance(entry, tuple):
            yield from entry
        else:
            yield entry


def _is_constant(entries: Entries) -> bool:
    return len(set(_flat(entries))) == 1


def _weight(point: Point) -> tuple[int, int, int, int]:
    """What shrinking makes smaller: the sizes, then the constant vectors, which teach little, the entries, and the scalars."""
    entries = sum(_cost(x) for vector in point.vectors.values() for x in _flat(vector))
    constant = sum(map(_is_constant, point.vectors.values()))
    return sum(point.sizes.values()), constant, entries, sum(_cost(x) or 5 for x in point.scalars.values())


# ---------------------------------------------------------------- finding and shrinking


class _Search:
    """Looks for a point at which one relation fails, then for a smaller one."""

    def __init__(self, points: Points, relation: Opened, budget: int) -> None:
        self.points, self.relation, self.budget = points, relation, budget

    def test(self, point: Point) -> _Hit | None:
        """The first places at which the relation is defined and fails."""
        judge = Judge(self.points.theory, point, self.points.meter)
        for env in islice(self.relation.assignments(point), 64):
            try:
                left, right = judge.sides(self.relation, env)
            except (Undefined, Irrational):
                continue
            if compare(self.relation.kind, left, right) is False:
                return _Hit(point, self.relation, env, left, right)
        return None

    def first(self, tries: int, dmin: int) -> _Hit | None:
        """The first hit; d = 1, where all is constant and little is to be learnt, comes last."""
        for attempt in range(tries):
            hit = self._attempt(attempt)
            if hit or self.points.meter.spent > self.budget:
                return hit
        small = {**self.points.sizes[0], COORDINATES.length: 1}
        if dmin <= 1 < self.points.sizes[0].get(COORDINATES.length, 0) and self.points.admits_sizes(small):
            return next(filter(None, (self._attempt(attempt, small) for attempt in range(20))), None)
        return None

    def _attempt(self, attempt: int, sizes: Mapping[str, int] | None = None) -> _Hit | None:
        point = self.points.draw(attempt, sizes)
        return self.test(point) if point else None

    def shrink(self, hit: _Hit) -> _Hit:
        """A hit with nothing to drop or to make simpler, and with rational sides where such are near."""
        self.points.meter.limit = self.points.meter.spent + self.budget
        smaller: _Hit | None = hit
        try:
            while smaller:
                hit = smaller
                smaller = next(filter(None, (self._lighter(hit, point) for point in self._smaller(hit.point))), None)
            return hit if hit.rational else self._rational(hit) or self._nearby(hit)
        except Exhausted:
            return hit

    def _nearby(self, hit: _Hit) -> _Hit:
        """Another hit of the same sizes with rational sides, or the hit itself."""
        drawn = filter(None, (self._attempt(attempt, hit.point.sizes) for attempt in range(30)))
        found = filter(None, (other if other.rational else self._rational(other) for other in drawn))
        return min(found, key=lambda other: _weight(other.point), default=hit)

    def _lighter(self, hit: _Hit, candidate: Point) -> _Hit | None:
        point = self.points.repair(candidate)
        return self.test(point) if point and _weight(point) < _weight(hit.point) else None

    def _smaller(self, point: Point) -> Iterator[Point]:
        """Points with a place dropped, an entry nearer to 0, or a simpler scalar."""
        yield from self.points.without_a_place(point)
        for name, entries in point.vectors.items():
            if name not in self.points.curves:
                if _is_constant(entries):
                    last = tuple(shape_of(entries))
                    for change in (_setting(last, Fraction(1), Fraction(0)), _all(Fraction(0)), _all(Fraction(1))):
                        yield replace(point, vectors={**point.vectors, name: changed(entries, change)})
                for value in (Fraction(0), Fraction(1), None):
                    yield from _nearer(point, name, entries, value)
        for name, value in point.scalars.items():
            if name not in self.points.fixed:
                simpler = (x for x in (*SIMPLE[:5], Fraction(0), Fraction(-1)) if (_cost(x) or 5) < (_cost(value) or 5))
                yield from (replace(point, scalars={**point.scalars, name: x}) for x in simpler)

    # ---- rational witnesses

    def _rational(self, hit: _Hit) -> _Hit | None:
        """The same entries, with one scalar chosen so that the roots are rational."""
        for name in sorted(hit.point.scalars, key=lambda name: (not name.startswith("eps"), name)):
            if name not in self.points.fixed and name not in self.points.needs.naturals:
                for value in self._squaring(hit, name):
                    point = self.points.repair(replace(hit.point, scalars={**hit.point.scalars, name: value}))
                    found = self.test(point) if point else None
                    if found and found.rational:
                        return found
        return None

    def _squaring(self, hit: _Hit, name: str) -> list[Fraction]:
        """Values of a scalar at which all radicands that are linear in it are squares, simple ones first."""
        start = hit.point.scalars[name]
        logs = [self._radicands(hit, name, start + step) for step in (0, 1, 2)]
        aligned = [three for three in zip(*logs, strict=False) if three[2] - three[1] == three[1] - three[0]]
        lines = {(low - (middle - low) * start, middle - low) for low, middle, _ in aligned}
        lines = {(offset, slope) for offset, slope in lines if slope}
        if not lines:
            return []
        (offset, slope), *others = sorted(lines)
        found = {(s * s - offset) / slope for s in HEIGHTS}
        for other_offset, other_slope in others[:1]:
            # (s/a)^2 - (t/b)^2 is known where the slopes are a^2 and b^2: one factor may be chosen freely
            if slope > 0 and other_slope > 0 and rational_root(slope) and rational_root(other_slope):
                gap = offset / slope - other_offset / other_slope
                found |= {((m + gap / m) / 2) ** 2 - offset / slope for m in HEIGHTS}
        positive = name in self.points.positive
        found = {x for x in found if (x > 0 or not positive) and all(_is_square(a + b * x) for a, b in lines)}
        return sorted(found, key=lambda x: (_cost(x), x))[:12]

    def _radicands(self, hit: _Hit, name: str, value: Fraction) -> list[Fraction]:
        """The rational radicands met when the sides are evaluated with another value of one scalar."""
        met: list[Fraction] = []

        def listen(x: Plain) -> Plain:
            if isinstance(x, Fraction):
                met.append(x)
            return exact_root(cast("Exact", x))

        evaluator = Evaluator(self.points.theory, replace(hit.point, scalars={**hit.point.scalars, name: value}), listen, self.points.meter)
        for side in (hit.relation.left, hit.relation.right):
            try:
                evaluator.value(side, hit.env)
            except (Undefined, Irrational):
                continue
        return met


def _is_square(x: Fraction) -> bool:
    return x >= 0 and rational_root(x) is not None


def _all(value: Fraction) -> Callable[[Fraction, tuple[int, ...]], Fraction]:
    return lambda _x, _at: value


def _setting(places: tuple[int, ...], value: Fraction, rest: Fraction | None = None) -> Callable[[Fraction, tuple[int, ...]], Fraction]:
    return lambda x, at: value if at == places else x if rest is None else rest


def _nearer(point: Point, name: str, entries: Entries, value: Fraction | None) -> Iterator[Point]:
    """The point with one entry set to the value or, without one, moved by one towards 0."""
    shape = shape_of(entries)
    for places in product(*(range(1, n + 1) for n in shape)):
        old = cast("Fraction", _entry_at(entries, places))
        new = value if value is not None else Fraction(int(old)) if old.denominator > 1 else old - (1 if old > 0 else -1)
        if _cost(new) < _cost(old):
            moved = changed(entries, _setting(places, new))
            yield replace(point, vectors={**point.vectors, name: moved})


def _entry_at(entries: object, places: tuple[int, ...]) -> object:
    for place in places:
        entries = cast("tuple[object, ...]", entries)[place - 1]
    return entries


# ---------------------------------------------------------------- what others call


def find_counterexample(
    theory: Theory,
    relation: Relation,
    given: Sequence[Hypothesis] = (),
    *,
    tries: int = 400,
    seed: int = 0,
    dmin: int = 2,
    dmax: int = 6,
    fixed: Mapping[str, Fraction] | None = None,
    budget: int = BUDGET,
    scale: int = 1,
) -> Counterexample | None:
    """A small point at which the hypotheses hold and the relation fails, or None where the search found none.

    The same arguments give the same point. `fixed` holds scalars, or lengths such as d, at given values; `scale` makes the first
    draws of vectors and free scalars larger. About `budget` nodes are evaluated in search of a point, at most twice as many, and as
    many again to make the point smaller.
    """
    opened = open_relation(relation)
    try:
        points = Points(theory, [opened.left, opened.right], given, seed, dmin, dmax, fixed or {}, 2 * budget, scale)
        search = _Search(points, opened, budget)
        hit = search.first(tries, dmin) if points.sizes else None
    except Exhausted:
        return None
    if hit is None:
        return None
    hit = search.shrink(hit)
    names = [index.name for index in hit.env]
    at = {x.name if names.count(x.name) == 1 else f"{x.name} ({x.range.name})": place for x, place in hit.env.items()}
    return Counterexample(relation.kind, hit.point, at, hit.left, hit.right)
