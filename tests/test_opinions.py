"""SymPy and mpmath look at the whole book: no disagreement, agreement where it makes sense, and a changed claim is seen."""

from __future__ import annotations

import pytest
from lnsym.derivations.definitions import J, a, c, eps, q, s, u, v, w, z

from lnsym import library
from lnsym.derivation import Calculus, Claim
from lnsym.kernel.terms import Hypothesis, Relation
from lnsym.lang import Eq, Le, core, dot, jacobian, one, positive, sqrt, total, var
from lnsym.model import fact_names, mpmath_check, near_misses, opinion, scalar_calculus

BOOK = library.book()
NAMES = sorted(BOOK.derivations)

# Claims on which SymPy must agree at every d from 1 to 4 (where the hypotheses allow that d), by theorem.
MUST_AGREE = {
    "jacobian_core_eq": (1, 2, 3, 4),  # S28, the Jacobian itself
    "jacobian_apply_one": (1, 2, 3, 4),  # S29, eigenvalue 0
    "jacobian_apply_deviation": (1, 2, 3, 4),  # S30, the radial eigenvalue
    "jacobian_apply_tangent": (1, 2, 3, 4),  # S31, the tangential eigenvalue
    "core_smul": (1, 2, 3, 4),  # S22, the scaling formula
    "variance_core_eq": (1, 2, 3, 4),  # S06
    "core_add_const": (1, 2, 3, 4),  # S14
    "derivative_family_eq": (3,),  # S39, stated for three coordinates
}
SAMPLE = (
    *MUST_AGREE, "mean_core_eq_zero", "core_recenter_weights", "accumulator_weights_eq", "jacobian_batch_core_eq", "core_secant_identities",
)  # fmt: skip


def relations(name: str) -> list[tuple[int, Relation, tuple[Hypothesis, ...]]]:
    """The claims of a theorem that are relations, with their hypotheses."""
    checked = library.prove([name])[name].claims
    return [(n, x.claim.relation, x.given) for n, x in enumerate(checked, 1) if isinstance(x.claim, Claim) and x.claim.relation is not None]


def whole_book(names: tuple[str, ...]) -> list[object]:
    """The names of the sample; of the whole book where FULL=1."""
    return [name if name in names else pytest.param(name, marks=pytest.mark.full) for name in NAMES]


# ---------------------------------------------------------------- SymPy


@pytest.mark.parametrize("name", whole_book(SAMPLE))
def test_sympy_never_disagrees(name: str) -> None:
    for number, relation, given in relations(name):
        said = opinion(relation, given, theory=BOOK.theory)
        assert said.status in ("agrees", "not applicable"), f"{name}, claim {number}: SymPy: {said.status}: {said.reason}"
        if relation.kind == "=" and said.status == "not applicable":
            assert said.reason, f"{name}, claim {number}: no reason why SymPy cannot be asked"


@pytest.mark.parametrize("name", MUST_AGREE)
def test_sympy_reaches_the_claims_for_which_it_makes_sense(name: str) -> None:
    equations = [(n, r, given) for n, r, given in relations(name) if r.kind == "="]
    said = [opinion(r, given, theory=BOOK.theory) for _, r, given in equations]
    assert equations
    assert all(one.status == "agrees" for one in said), f"{name}: {[(one.status, one.reason) for one in said]}"
    assert said[0].dimensions == MUST_AGREE[name]


EPS = (positive(eps),)


@pytest.mark.parametrize(
    ("relation", "given"),
    [
        (Eq(jacobian(u, z), J * 2), EPS),
        (Eq(jacobian(u, z) @ one, one), EPS),
        (Eq(jacobian(u, z) @ v, v / s), EPS),
        (Eq(jacobian(u, z) @ w, w / s), (*EPS, Eq(total(w), 0))),
        (Eq(core(a * z), a * v / sqrt(a * q + eps)), EPS),
        (Eq(core(z + c * v), u), EPS),
        (Eq(var(u), q / (q + 2 * eps)), EPS),
    ],
    ids=["Jacobian doubled", "eigenvalue 1", "eigenvalue 1/s", "not across v", "a for a^2", "a raw shift", "eps doubled"],
)
def test_a_changed_claim_is_seen(relation: Relation, given: tuple[Hypothesis, ...]) -> None:
    said = opinion(relation, given, theory=BOOK.theory)
    assert said.status == "disagrees", said
    assert said.reason
    assert mpmath_check(relation, given, theory=BOOK.theory).status == "disagrees"


def test_the_same_relations_unchanged_are_agreed_with() -> None:
    """Each relation above is one change away from one that SymPy reaches."""
    tangent = (*EPS, Eq(total(w), 0), Eq(dot(v, w), 0))
    unchanged = [
        (Eq(jacobian(u, z), J), EPS),
        (Eq(jacobian(u, z) @ one, 0), EPS),
        (Eq(jacobian(u, z) @ v, eps / s**3 * v), EPS),
        (Eq(jacobian(u, z) @ w, w / s), tangent),
        (Eq(core(a * z), a * v / sqrt(a**2 * q + eps)), EPS),
        (Eq(core(z + c), u), EPS),
        (Eq(var(u), q / (q + eps)), EPS),
    ]
    assert [opinion(relation, given, d=(2, 3)).status for relation, given in unchanged] == ["agrees"] * len(unchanged)


@pytest.mark.full
def test_sympy_agrees_with_most_of_the_equations() -> None:
    """Where it is not asked, there is a reason: an expectation, a dimension that the hypotheses exclude."""
    counts = {"agrees": 0, "not applicable": 0}
    for name in NAMES:
        for _, relation, given in relations(name):
            if relation.kind == "=":
                counts[opinion(relation, given, theory=BOOK.theory).status] += 1
    assert counts["agrees"] >= 200
    assert counts["not applicable"] <= counts["agrees"] // 10


# ---------------------------------------------------------------- mpmath


NARROW = {"core_rounded_le"}  # random points hardly ever meet its hypotheses: relative errors of at most 1/16, tied to each other


@pytest.mark.parametrize("name", whole_book(SAMPLE))
def test_mpmath_agrees_wherever_it_can_look(name: str) -> None:
    for number, relation, given in relations(name):
        look = mpmath_check(relation, given, theory=BOOK.theory)
        where = f"{name}, claim {number}: mpmath: {look.status}: {look.reason}"
        if name in NARROW and look.status == "undecided":
            assert "no point was found that meets the hypotheses" in look.reason, where
            continue
        assert look.status in ("agrees", "not applicable"), where
        if look.status == "agrees":
            assert look.points >= 1, where
            assert look.digits == 60, where


def test_mpmath_sees_a_wrong_inequality() -> None:
    assert mpmath_check(Le(q / (q + eps), 1), EPS).status == "agrees"
    assert mpmath_check(Le(1, q / (q + eps)), EPS).status == "disagrees"


# ---------------------------------------------------------------- scalar calculus


def test_every_fact_of_scalar_calculus_holds_and_every_false_variant_fails() -> None:
    assert [fact.name for fact in scalar_calculus() if not fact.holds] == []
    assert [fact.name for fact in near_misses() if fact.holds] == []


def test_the_book_names_facts_that_exist() -> None:
    proofs = [x.claim.proof for t in library.theorems() for x in t.claims if isinstance(x.claim, Claim)]
    named = [proof.fact for proof in proofs if isinstance(proof, Calculus)]
    assert named
    assert set(named) <= set(fact_names())
    assert len(set(named)) == len(named), "a fact is claimed twice"
