"""Mutants of the book: none is both proved and refuted, and those that are proved are just those in the committed table."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from derivations.definitions import THEORY, a, c, d, eps, mu, q, v, w, z
from lnsym.kernel.prove import Certificate
from lnsym.kernel.terms import Relation
from lnsym.lang import Eq, Le, Lt, delta, dot, fraction, i, j, mean, sqrt, total
from tests.mutate import (
    EQUIVALENT,
    REFUSED,
    REFUTED,
    TABLE,
    WRONG,
    Mutant,
    all_mutants,
    changed_hypotheses,
    changed_relations,
    judged,
    listed,
    some_mutants,
    survey,
    variants,
)

REMEDY = "the book has changed: run `python -m tests.mutate`, look at what is new in the table, and commit it"


def test_some_mutants() -> None:
    chosen = some_mutants()
    classes = survey(chosen)
    assert classes.get(WRONG, []) == []
    names = {mutant.name for mutant in chosen}
    assert sorted(classes.get(EQUIVALENT, [])) == sorted(names & set(listed())), REMEDY
    assert 100 <= len(chosen) <= 250
    assert len(classes[REFUTED]) > 40
    assert len(classes[REFUSED]) > 10


@pytest.mark.full
def test_all_mutants(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = all_mutants()
    classes = survey(chosen)
    counts = {name: len(members) for name, members in sorted(classes.items())}
    with capsys.disabled():
        print(f"\n{len(chosen)} mutants: {counts}")  # noqa: T201 - what a reader of the log looks for
    assert len(chosen) >= 1000
    assert classes.get(WRONG, []) == []
    assert sorted(classes[EQUIVALENT]) == listed(), REMEDY
    assert counts == json.loads(TABLE.read_text(encoding="utf-8"))["counts"], REMEDY


def test_the_set_is_large_and_each_mutant_has_one_name() -> None:
    names = Counter(mutant.name for mutant in all_mutants())
    assert len(names) >= 1000
    assert max(names.values()) == 1
    assert {mutant.name for mutant in some_mutants()} <= set(names)


def test_the_table_lists_nothing_that_is_not_a_mutant() -> None:
    assert set(listed()) <= {mutant.name for mutant in all_mutants()}, REMEDY


# ---------------------------------------------------------------- the generator and the judge can fail


@pytest.mark.parametrize(
    ("term", "tags"),
    [
        (2 * a, ["factor dropped", "factor dropped", "coefficient + 1", "sign"]),
        (d + a, ["term dropped", "sign of a term", "term dropped", "sign of a term", "d to d - 1"]),
        (q**2, ["exponent - 1", "scalar doubled"]),
        (v[i], ["v to z"]),
        (delta(i, j), ["delta to 1"]),
        (sqrt(a), ["root dropped"]),
        (a, []),
    ],
)
def test_what_is_changed_in_a_term(term: object, tags: list[str]) -> None:
    assert [tag for tag, _ in variants(term)] == tags


def test_every_variant_differs() -> None:
    term = mean(v**2) / (q + eps) + delta(i, j) * dot(v, w)
    found = [new for _, new in variants(term)]
    assert len(found) > 15
    assert term not in found


def test_what_is_changed_in_hypotheses() -> None:
    found = dict(changed_hypotheses((Lt(0, eps), Eq(total(w), 0))))
    assert found["hypothesis 1 dropped"] == (Eq(total(w), 0),)
    assert found["hypothesis 1 turned around"] == (Lt(eps, 0), Eq(total(w), 0))
    assert found["hypothesis 1 weakened"] == (Le(0, eps), Eq(total(w), 0))
    assert found["hypothesis 2, right: coefficient + 1"] == (Lt(0, eps), Eq(total(w), 1))


def test_what_is_changed_in_a_relation() -> None:
    assert dict(changed_relations(Le(a, q)))["turned around"] == Le(q, a)
    assert dict(changed_relations(Le(a, q)))["<= to <"] == Lt(a, q)


@pytest.mark.parametrize(
    ("relation", "options", "wanted"),
    [
        (Eq(mean(z), mu), {}, EQUIVALENT),
        (Eq(mean(z), 2 * mu), {}, REFUTED),
        (Eq(mean(z), mu), {"facts": frozenset()}, REFUSED),
        (Le(2 * a * c, a**2 + c**2), {"certificate": Certificate((a + c) ** 2)}, REFUSED),
        (Eq(a, c), {"only_if": (Eq(2 * a, 2 * c), fraction(3))}, REFUTED),
    ],
)
def test_the_classes(relation: Relation, options: dict[str, object], wanted: str) -> None:
    assert judged(Mutant("", relation, (), **options), THEORY) == wanted  # type: ignore[arg-type]


def test_a_false_thing_proved_would_be_seen() -> None:
    class Gullible(Mutant):
        def prove(self, theory: object) -> object:  # type: ignore[override]
            return Mutant("", Eq(a, a), ()).prove(theory)  # type: ignore[arg-type]

    assert judged(Gullible("", Eq(mean(z), 2 * mu), ()), THEORY) == WRONG
