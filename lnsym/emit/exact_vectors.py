"""Calls at rational points with their exact answers, for code that computes with fractions.

Imports the library, the refuter's evaluator and the statements of theorems: nothing that prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import cycle, islice, product
from typing import Any

from lnsym import library
from lnsym.derivation import Derivation, Example, claims_of
from lnsym.emit.calls import SHARDS
from lnsym.emit.plan import Formula, Plan
from lnsym.emit.validate import SHARED, stated, theory_of
from lnsym.evaluate import Point, evaluate
from lnsym.kernel.terms import Theory, free_indices, hole
from lnsym.surd import rational_root

Row = tuple[Fraction, ...]
MOST_POINTS = 6
VALUES = {
    "weight": ("1/2", "2", "-1"),
    "bias": ("1/4", "-1", "3"),
    "dx": ("3", "1", "-1/3"),
    "dy": ("1", "-2", "1/2", "4"),
    "ddx": ("1", "0", "-3"),
    "ddweight": ("1/3", "-1", "2"),
    "ddbias": ("0", "5", "-1"),
}
SHARD_VALUES = (("2", "4", "8", "2", "0", "20000"), ("3", "1/10", "0", "5", "7/10", "3/2"))


def rational_points() -> tuple[tuple[Row, Fraction], ...]:
    """The points of the book's test bench at which the root of variance + eps is a fraction."""
    found: dict[tuple[Row, Fraction], None] = {}
    for chapter, derivation in library.book().derivations.values():
        if chapter.name == "bench" and isinstance(derivation, Derivation):
            for point in (*derivation.points, *(claim.at for claim in claims_of(derivation) if isinstance(claim, Example))):
                row, eps = point.values.get("z"), point.values.get("eps")
                if isinstance(row, tuple) and isinstance(eps, Fraction) and eps > 0 and 1 < len(row) <= 5:
                    entries = tuple(x for x in row if isinstance(x, Fraction))
                    if len(entries) == len(row) and _variance(entries) > 0 and rational_root(_variance(entries) + eps) is not None:
                        found[entries, eps] = None
    return tuple(found)[:MOST_POINTS]


def _variance(row: Row) -> Fraction:
    mean = sum(row, Fraction()) / len(row)
    return sum(((x - mean) ** 2 for x in row), Fraction()) / len(row)


def exact_calls(plan: Plan, arguments: Sequence[str], results: Sequence[str]) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """The arguments by name of some calls of one operation, and the exact results in the order asked for."""
    if not {*arguments} & {"x"}:
        for values in SHARD_VALUES:
            shards = dict(zip(SHARDS, map(Fraction, values), strict=True))
            yield shards, [answer(plan.formula(one), 0, {}, shards) for one in results]
        return
    for row, eps in rational_points():
        given = {one: _repeated(VALUES[one], len(row)) for one in arguments if one in VALUES} | {"x": row}
        vectors = {one if one in SHARED else f"{one}:1": values for one, values in given.items()}
        answers = [answer(plan.formula(one), len(row), vectors, {"eps": eps}) for one in results]
        yield {**given, "eps": eps}, answers


def _repeated(values: Sequence[str], size: int) -> Row:
    return tuple(map(Fraction, islice(cycle(values), size)))


def answer(formula: Formula, size: int, vectors: dict[str, Row], scalars: dict[str, Fraction]) -> Any:
    """What the theorem gives for one row: a fraction, or tuples of them."""
    book: Theory = formula.theory
    term, theory = stated(formula, 1, 1, {}, book), theory_of(book, 1)
    point = Point({"d": size}, dict(vectors), scalars)
    axes = len(free_indices(formula.relation.opened()[0]))
    if any(index.range.name != "coordinates" for index in free_indices(term)):
        raise ValueError(f"{formula.result} has an index that is not over the coordinates of a row")
    values = [evaluate(theory, point, term, {hole(axes - n): place for n, place in enumerate(places)})
              for places in product(range(1, size + 1), repeat=axes)]  # fmt: skip
    if axes == 2:
        return tuple(tuple(values[n * size : (n + 1) * size]) for n in range(size))
    return tuple(values) if axes else values[0]
