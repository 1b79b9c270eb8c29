"""Each rule of the kernel: what it accepts, what it refuses, what it says, and what a Proved carries."""

from __future__ import annotations

import copy
import dataclasses
from collections import Counter

import pytest

import lnsym.kernel.normal as normal
import lnsym.kernel.prove as kernel_prove
from derivations.definitions import THEORY, J, a, c, d, eps, mu, q, s, t, u, v, w, z
from lnsym.errors import KernelError, NotProved, TermError, TooLarge
from lnsym.kernel.normal import Normalizer
from lnsym.kernel.prove import Certificate, Proved, prove, prove_by_induction, prove_only_if
from lnsym.kernel.terms import (
    COORDINATES,
    Add,
    Array,
    Components,
    Definition,
    Index,
    Pow,
    Relation,
    Sum,
    Theory,
    free_indices,
    hole,
    substitute_indices,
)
from lnsym.lang import D, Eq, Le, Lt, Ne, dot, expectation, fraction, i, j, lift, mean, sqrt, sum_over, symbols, total, vector
from tests.kernel.battery import CONDITIONAL, PROVED, REFUSED, ROWS_OF_TABLE, G, Kernel, Row, W, x

EPS = (Lt(0, eps),)
KERNEL = Kernel(normal, kernel_prove)


@pytest.mark.parametrize("row", ROWS_OF_TABLE, ids=lambda row: row.name)
def test_the_table(row: Row) -> None:
    assert row.run(KERNEL) == row.wanted


def test_the_table_has_both_sides_and_no_row_twice() -> None:
    names, wanted = Counter(row.name for row in ROWS_OF_TABLE), Counter(row.wanted for row in ROWS_OF_TABLE)
    assert max(names.values()) == 1
    assert wanted[PROVED] > 100
    assert wanted[REFUSED] > 100
    assert wanted[CONDITIONAL] > 10


@pytest.mark.parametrize("row", [row for row in ROWS_OF_TABLE if row.wanted == PROVED], ids=lambda row: row.name)
def test_what_is_proved_is_no_accident_of_the_letters(row: Row) -> None:
    """The verdict is the same a second time: no state is left behind in the kernel."""
    assert [row.run(KERNEL), row.run(KERNEL)] == [PROVED, PROVED]


# ---------------------------------------------------------------- level 0


@pytest.mark.parametrize(
    "relation",
    [Eq(total(v), 0), Eq(dot(v, v), d * q), Eq(z, mu + v), Eq(mean(z), mu), Eq(mean(z**2) - mu**2, q), Eq(s**2, q + eps),
     Eq(mean(u**2), q / s**2), Eq(D(u[i], z[j]), J[i, j]),
     Eq(D(mu, z[j]), 1 / d), Eq(D(q, z[j]), 2 * v[j] / d), Eq(D(D(q, z[i]), z[j]), D(D(q, z[j]), z[i]))],
)  # fmt: skip
def test_the_facts_are_theorems_about_the_entries(relation: Relation) -> None:
    assert prove(THEORY, relation, EPS, level=0).conditions == prove(THEORY, relation, EPS).conditions == ()


# ---------------------------------------------------------------- what is said


@pytest.mark.parametrize(
    ("relation", "given", "says"),
    [
        (Eq(1 / total(v), 0), (), "division by an expression that is zero"),
        (Eq(1 / total(w), 1 / total(w)), (Eq(total(w), 0),), "division by an expression that is zero"),
        (Eq(sqrt(-1), 0), (), "root of a negative number"),
        (Eq(D(d, d), 1), (), "d is not an independent variable"),
        (Eq(D(s, s), 1), EPS, "differentiate by an entry of z or by a free symbol"),
        (Eq(D(sqrt(a), a), 1), (Le(0, a),), "assume a > 0"),
        (Eq(Pow(a, 65), 0), (), "exponent 65 is beyond 64"),
        (Eq(a, c), (Eq(a**2, c**2),), "a hypothesis that cannot be solved"),
        (Eq(a, x), (Eq(c, c),), "a hypothesis that always holds, or repeats another, says nothing"),
        (Eq(w[Index("3")], 0), (Components("w", COORDINATES, (a, c)),), "w has 2 entries; there is no entry 3"),
        (Eq(a, a), (Components("w", COORDINATES, (a, c)), Components("z", COORDINATES, (a,))), "two lengths for d"),
        (Eq(W[i, j] + vector("W")[i], 0), (), "W is indexed by coordinates, before by coordinates and coordinates"),
        (Ne(a, 0), (), "not seen to differ"),
        (Lt(0, a**2), (), "not positive by its structure"),
        (Le(0, a), (), "not nonnegative by its structure"),
    ],
)
def test_a_refusal_says_why(relation: Relation, given: tuple[Relation, ...], says: str) -> None:
    with pytest.raises(KernelError) as error:
        prove(THEORY, relation, given)
    assert says in str(error.value)


def test_what_is_left_over_is_shown() -> None:
    with pytest.raises(NotProved) as error:
        prove(THEORY, Eq(a + q, q + c))
    assert "('c', 'a')" in error.value.residual
    assert "('c', 'q')" not in error.value.residual


def test_a_kind_that_is_none() -> None:
    with pytest.raises(TermError, match="expected one of = <= < !=, got >="):
        prove(THEORY, Relation(">=", a, c))


def test_too_large_is_undecided_and_not_false() -> None:
    e, m, b = symbols("e m b")
    with pytest.raises(TooLarge, match="state a smaller lemma first") as error:
        prove(THEORY, Eq(Pow(a + c + b + x + e + m, 14), 0))
    assert error.value.exit_code == 3


def test_names_are_declared_once() -> None:
    with pytest.raises(KernelError, match="declared twice: q; each name may have one meaning"):
        prove(Theory(THEORY.families, (Definition("q", a),), frozenset()), Eq(a, a))


def test_the_reasons_of_an_only_if() -> None:
    with pytest.raises(NotProved, match="the cofactor is not positive by its structure"):
        prove_only_if(THEORY, Eq(q * (a - 1) ** 2, 0), Eq(a, 1), q)
    with pytest.raises(NotProved, match="left - right is not the cofactor times"):
        prove_only_if(THEORY, Eq(2 * a, 2 * c), Eq(a, c), fraction(3))


def test_the_reason_of_an_induction() -> None:
    with pytest.raises(NotProved, match=r"does not follow at t = 0"):
        prove_by_induction(THEORY, Eq(t, 1 + t), t)
    with pytest.raises(NotProved, match=r"does not follow at t \+ 1"):
        prove_by_induction(THEORY, Eq(G(lift(1)), t), t)


# ---------------------------------------------------------------- Proved


def test_a_proved_carries_its_hypotheses_conditions_and_evidence() -> None:
    given = (Lt(0, eps), Eq(total(w), 0))
    proved = prove(THEORY, Eq(total(w) / x, 0), given)
    assert proved.theory is THEORY
    assert proved.relation == Eq(total(w) / x, 0)
    assert proved.given == given
    assert [(c_.kind, dict(c_.value)) for c_ in proved.conditions] == [("nonzero", {((("c", "x"), 1),): 1})]
    assert proved.evidence.kind == "equality"
    assert [type(term) for term, _ in proved.evidence.sums] == [Sum]


def test_the_pieces_of_a_sum_are_recorded() -> None:
    body = 2 * a * w[i] + c
    ((term, pieces),) = prove(THEORY, Eq(sum_over(i, body), 2 * a * total(w) + d * c)).evidence.sums[:1]
    assert term == sum_over(i, body)
    assert {(coefficient, value, items) for coefficient, value, items in pieces} == {
        (((("c", "a"), 1),), 2, ((("x", "w", ("*1",)), 1),)),
        (((("c", "c"), 1),), 1, ()),
    }


@pytest.mark.parametrize(
    ("kind", "made"),
    [
        ("inequality", lambda: prove(THEORY, Le(0, q))),
        ("squares", lambda: prove(THEORY, Le(a, sqrt(a**2 + q)), certificate=Certificate(q, squared=True))),
        ("distinct", lambda: prove(THEORY, Ne(1 + q, 0))),
        ("only-if", lambda: prove_only_if(THEORY, Eq(2 * a, 2 * c), Eq(a, c), fraction(2))),
        ("induction", lambda: prove_by_induction(THEORY, Eq(t * a, a * t), t)),
    ],
)
def test_the_evidence_names_the_kind_of_proof(kind: str, made: object) -> None:
    assert callable(made)
    assert made().evidence.kind == kind


def test_the_premise_of_an_only_if_becomes_a_hypothesis() -> None:
    premise = Eq(2 * a, 2 * c)
    assert prove_only_if(THEORY, premise, Eq(a, c), fraction(2), EPS).given == (*EPS, premise)


def test_a_proved_is_not_made_by_calling() -> None:
    with pytest.raises(KernelError, match=r"only the kernel makes a Proved; call prove\(\)"):
        Proved(object(), THEORY, Eq(a, c), (), (), None)
    honest = prove(THEORY, Eq(a, a))
    with pytest.raises(TypeError):
        dataclasses.replace(honest, relation=Eq(a, c))
    with pytest.raises(dataclasses.FrozenInstanceError):
        honest.relation = Eq(a, c)  # type: ignore[misc]
    assert copy.copy(honest) == honest


# ---------------------------------------------------------------- terms


def test_renaming_does_not_capture() -> None:
    renamed = substitute_indices(sum_over(j, W[i, j]), {i: j})
    assert isinstance(renamed, Sum)
    assert renamed.index != j
    assert renamed.body == W[j, renamed.index]


def test_a_bound_index_is_not_renamed() -> None:
    assert substitute_indices(sum_over(i, w[i]), {i: j}) == sum_over(i, w[i])


def test_a_relation_opens_at_a_fresh_index() -> None:
    shifted = Array((hole(1),), w.body + sum_over(i, v[i]) + v[j])
    left, right = Eq(shifted, w).opened()
    (index,) = right.indices  # type: ignore[attr-defined]
    assert index == i  # j is free in the left side; the bound i gives way
    assert set(free_indices(left)) == {i, j}
    assert left == Add((w[i], sum_over(j, v[j]), v[j]))


def test_what_is_not_exact_is_no_term() -> None:
    with pytest.raises(TermError, match="write 1/3 as a fraction, not as a float"):
        a * 0.5
    with pytest.raises(TermError, match="expected an integer power"):
        Pow(a, d)  # type: ignore[arg-type]
    with pytest.raises(TermError, match="unequal shapes"):
        Eq(w, W).opened()


# ---------------------------------------------------------------- facts


def test_facts_only_ever_narrow() -> None:
    """With every fact named the verdict is that without naming any; with fewer nothing more is proved."""
    everything = Normalizer(THEORY).facts
    for relation in (Eq(total(v), 0), Eq(dot(v, v), d * q), Eq(s**2, q + eps), Eq(mean(z), mu)):
        assert prove(THEORY, relation, EPS, facts=everything).conditions == ()
        with pytest.raises(NotProved):
            prove(THEORY, relation, EPS, facts=frozenset())


def test_an_expectation_of_a_constant() -> None:
    assert prove(THEORY, Eq(expectation(a, w), a)).conditions == ()
