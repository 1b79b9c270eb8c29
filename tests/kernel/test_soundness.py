"""Whatever the kernel proves is evaluated, exactly and by other code, at points where its hypotheses hold: never a disagreement."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

import pytest

import lnsym.kernel.normal as normal
import lnsym.kernel.prove as kernel_prove
from derivations.definitions import THEORY
from lnsym.errors import KernelError, TermError
from lnsym.kernel.prove import prove
from lnsym.kernel.terms import Hypothesis, Relation
from lnsym.library import book, theorems
from lnsym.points import find_point, holds, sample_points
from tests.kernel.battery import ROWS_OF_TABLE, Kernel
from tests.kernel.fuzz import HYPOTHESES, Maker

Statement = tuple[Relation, tuple[Hypothesis, ...]]


def disagreements(relation: Relation, given: tuple[Hypothesis, ...], count: int, seed: int) -> tuple[int, list[str]]:
    """At how many points a proved relation was looked at, and those at which it fails."""
    points = list(sample_points(THEORY, [relation], given, count, seed))
    return len(points), [str(point) for point in points if holds(THEORY, point, relation, given) is False]


def judged(seeds: Iterable[int], count: int) -> tuple[Counter[str], list[str]]:
    """Counts, and every proved statement with a point against it."""
    counts, found = Counter[str](), []
    for seed in seeds:
        relation, given = Maker(seed).statement()
        try:
            prove(THEORY, relation, given)
        except KernelError as error:
            counts[type(error).__name__] += 1
            continue
        counts["proved" if relation.left != relation.right else "trivial"] += 1
        counts[relation.kind] += 1
        try:
            looked, against = disagreements(relation, given, count, seed)
        except TermError:  # a fixed position beyond the entries given
            continue
        counts["points"] += looked
        found += [f"seed {seed}: {relation} at {point}" for point in against]
    return counts, found


def test_random_statements() -> None:
    counts, found = judged(range(350), 3)
    assert not found
    assert counts["proved"] > 80  # it looks at something
    assert counts["NotProved"] > 80  # and does not let all through
    assert counts["points"] > 200
    assert min(counts[kind] for kind in ("=", "<=", "<", "!=")) >= 3


@pytest.mark.full
def test_many_random_statements() -> None:
    counts, found = judged(range(350, 2_700), 6)
    assert not found
    assert counts["points"] > 2_000


def test_every_set_of_hypotheses_can_be_met() -> None:
    assert [given for given in HYPOTHESES if find_point(THEORY, given) is None] == []


def _statement_of(row_run: object) -> Statement | None:
    cells = dict(zip(row_run.__code__.co_freevars, (c.cell_contents for c in row_run.__closure__ or ()), strict=True))  # type: ignore[attr-defined]
    relation, given = cells.get("relation"), cells.get("given")
    plain = isinstance(relation, Relation) and "theory" not in cells.get("options", {})
    return (relation, given) if plain else None  # type: ignore[return-value]


def test_the_table_of_the_kernel_agrees_with_the_points() -> None:
    """No row that is proved fails at a point; most rows that are refused do fail at one."""
    kernel, looked, refuted, refused = Kernel(normal, kernel_prove), 0, 0, 0
    for number, row in enumerate(ROWS_OF_TABLE):
        statement = _statement_of(row.run)
        if statement is None or statement[0].kind not in ("=", "<=", "<", "!="):
            continue
        try:
            points, against = disagreements(*statement, 3, number)
        except (TermError, KeyError, TypeError, ValueError):  # a statement that is none: another shape, a symbolic position
            continue
        if row.run(kernel) == "refused":
            refused, refuted = refused + 1, refuted + bool(against)
        else:
            assert not against, row.name
            looked += points
    assert looked > 200
    assert refuted > 40


# ---------------------------------------------------------------- the book


def test_the_claims_of_the_book_at_other_points_than_their_own() -> None:
    """Every proved claim at points that nobody chose."""
    looked = 0
    for theorem in theorems():
        for number, proved in enumerate(theorem.proved):
            seed = int(hashlib.sha256(f"{theorem.name} {number}".encode()).hexdigest()[:8], 16)
            points, against = disagreements(proved.relation, proved.given, 2, seed)
            assert not against, f"{theorem.name}, claim {number + 1}"
            looked += points
    assert looked > len(book().derivations)


def test_every_claim_of_the_book_can_be_met() -> None:
    """No theorem is empty: its hypotheses, those of each claim included, hold at a point where both sides are defined."""
    unmet = [
        f"{theorem.name}, claim {number}"
        for theorem in theorems()
        for number, proved in enumerate(theorem.proved, 1)
        if find_point(book().theory, proved.given, [proved.relation]) is None
    ]
    assert unmet == []
