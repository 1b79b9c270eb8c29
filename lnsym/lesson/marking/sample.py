"""Exact points at which an answer and a line are compared. Imports the refuter's points and evaluator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import cast

from lnsym.derivations.definitions import THEORY
from lnsym.errors import LnsymError
from lnsym.evaluate import EXACT_ROOT, Env, Evaluator, Exhausted, Meter, Point
from lnsym.kernel.terms import COORDINATES, Hypothesis, Index, Term, free_indices
from lnsym.points import BITS, Points, compare
from lnsym.refute import Counterexample
from lnsym.surd import Interval, Irrational, Plain, Surd, enclosing_root

POINTS = 6
PLACES = 6  # of the free indices, at one point
TELLING = 4 * POINTS  # tries in which no scalar may be 0: terms that differ often agree there
ENOUGH = 3  # points at which two terms must agree before they count as the same
LIMIT = 15_000  # evaluated nodes


class Place:
    """A point, and where the free indices stand."""

    def __init__(self, point: Point, env: Env, meter: Meter) -> None:
        self.point, self.env, self.meter = point, env, meter
        self.exact = Evaluator(THEORY, point, EXACT_ROOT, meter)

    def value(self, term: Term) -> Plain | None:
        """The exact value, bounds of it where a root stands under a root, or None where there is no value."""
        try:
            return cast("Plain", self._exact_or_bounds(term))
        except Exhausted:
            raise
        except LnsymError:
            return None

    def _exact_or_bounds(self, term: Term) -> object:
        try:
            return self.exact.value(term, self.env)
        except Irrational:
            return Evaluator(THEORY, self.point, enclosing_root(BITS), self.meter).value(term, self.env)


class Sample:
    """Points at which both terms are defined under the hypotheses; a witness stands first, where one is given."""

    def __init__(self, answer: Term, target: Term, given: Sequence[Hypothesis], witness: Counterexample | None = None) -> None:
        self.meter = Meter(LIMIT)
        self.free = sorted({**free_indices(answer), **free_indices(target)}, key=lambda index: index.name)
        self.places = list(self._places(answer, target, given, witness))
        self.answer = [place.value(answer) for place in self.places]
        self.target = [place.value(target) for place in self.places]
        self.points = len({str(place.point) for place in self.places})

    def _places(self, answer: Term, target: Term, given: Sequence[Hypothesis], witness: Counterexample | None) -> Iterator[Place]:
        seen: list[Point] = []
        if witness is not None and set(witness.at) >= {index.name for index in self.free}:
            seen.append(witness.point)
            yield Place(witness.point, {index: witness.at[index.name] for index in self.free}, self.meter)
        points = Points(THEORY, [answer, target], given, 1, 2, 4, {}, LIMIT)
        sizes = sorted(points.sizes, key=lambda x: (sum(x.values()), x.get(COORDINATES.length, 0)))[:3]
        for attempt in range(6 * POINTS if sizes else 0):
            point = points.draw(attempt, sizes[attempt % len(sizes)])
            if point is None or point in seen or (attempt < TELLING and 0 in point.scalars.values()):
                continue
            places = [Place(point, env, self.meter) for env in islice(_assignments(self.free, point.sizes), PLACES)]
            if all(place.value(term) is not None for term in (answer, target) for place in places):
                yield from places
                seen.append(point)
                if len(seen) > POINTS:
                    return

    def is_answer(self, term: Term) -> bool:
        """Whether a term has the answer's value at every place."""
        return self._is(term, self.answer)

    def is_target(self, term: Term) -> bool:
        """Whether a term has the line's value at every place."""
        return self._is(term, self.target)

    def equal(self, left: Term, right: Term) -> bool:
        """Whether two terms agree at every place, and do not vanish everywhere."""
        values = [place.value(right) for place in self.places]
        return any(x is not None and x != 0 for x in values) and self._is(left, values)

    def _is(self, term: Term, values: Sequence[Plain | None]) -> bool:
        """Whether a term has these values; bounds that overlap count as equal."""
        for place, wanted in zip(self.places, values, strict=True):
            found = place.value(term)
            if found is None or wanted is None or not _may_agree(found, wanted):
                return False
        return self.points >= ENOUGH

    @property
    def differs(self) -> bool:
        """Whether answer and line differ at one of the places."""
        pairs = zip(self.answer, self.target, strict=True)
        return any(x is not None and y is not None and not _may_agree(x, y) for x, y in pairs)


def differ(left: Term, right: Term, given: Sequence[Hypothesis]) -> bool:
    """Whether two terms are seen to differ at one of some points, with little work."""
    with suppress(Exhausted):
        return Sample(left, right, given).differs
    return False


def _may_agree(left: Plain, right: Plain) -> bool:
    """Whether two values are equal; bounds that overlap count as equal."""
    if isinstance(left, Interval) or isinstance(right, Interval):
        left, right = _bounds(left), _bounds(right)
    return compare("=", left, right) is not False


def _bounds(value: Plain) -> Plain:
    return Interval(*value.enclosure(BITS), BITS) if isinstance(value, Surd) else value


def _assignments(free: Sequence[Index], sizes: Mapping[str, int]) -> Iterator[Env]:
    if not free:
        yield {}
        return
    first, *rest = free
    for place in range(1, sizes[first.range.length] + 1):
        for env in _assignments(rest, sizes):
            yield {first: place, **env}
