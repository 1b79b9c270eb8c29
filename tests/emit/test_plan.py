"""Plans and the gate: what is not proved in this process, or is not the theorem's right side, is not emitted; new theorems need no list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from lnsym.derivations.definitions import eps, mu, q, s, u, v, z

from lnsym import library
from lnsym.derivation import Claim, Derivation, Gap, Offer, Theorem, algebra, by, centred, check, split, unfold, variance
from lnsym.emit.build import assembled, build
from lnsym.emit.plan import ONE_PASS as ONE_PASS_THEOREM
from lnsym.emit.plan import ORDER, EmitInputError, Plan, in_order, offers, plan_from, plan_of, plans, verified
from lnsym.emit.targets import target
from lnsym.errors import DerivationError, EmitError
from lnsym.kernel.prove import Proved
from lnsym.lang import Eq, Le, mean, positive, rms, sqrt, symbols, vector
from lnsym.library import Book, Chapter
from tests.emit.loader import loaded

THEORY = library.book().theory
w = vector("w")
a = symbols("a")[0]


def theorem(*claims: Claim, offers: Sequence[Offer] = (), name: str = "temporary", **fields: Any) -> Theorem:
    """A theorem that is in no file, checked here."""
    derivation = Derivation("A temporary theorem.", "T00", claims, offers=tuple(offers), **fields)
    return check(derivation, THEORY, name, "temporary")


def same(relation: Any) -> Claim:
    """A claim that ordinary algebra proves."""
    return Claim(relation, by(algebra, why="Both sides are the same."))


def emitted(found: Theorem) -> Any:
    """The module of what a theorem offers, loaded."""
    planned = {plan.op: plan for plan in plan_of(found)}
    return loaded(assembled(target("numpy"), planned, tuple(planned), "plain", "lnsym emit numpy", validate=False).source, "temporary")


# ---------------------------------------------------------------- the book's plans


def test_the_book_offers_every_operation_of_the_readme() -> None:
    assert tuple(offers()) == ORDER
    results = {plan.op: set(plan.results) for plan in plans()}
    assert results["layer_norm"] == {"y", "mean", "rstd"}
    assert results["layer_norm_vjp"] == {"dx", "dweight", "dbias"}
    assert results["layer_norm_vjp_vjp"] == {"ddy", "dx", "dweight"}
    assert results["merge_stats"] == {"n", "mean", "m2"}
    assert all(len(results[op]) == 1 for op in ("normalize", "layer_norm_jvp", "jacobian"))


@pytest.mark.parametrize("op", ORDER)
def test_every_plan_passes_the_gate(op: str) -> None:
    (plan,) = plans([op])
    assert verified(plan) is plan
    for formula in plan.formulas:
        proved = formula.theorem.claims[formula.claim - 1].proved
        assert proved is not None
        assert proved.relation.right == formula.relation.right
        assert not proved.conditions


def test_operations_come_in_the_order_of_the_readme_and_others_after_them() -> None:
    assert in_order(["zeta", "merge_stats", "alpha", "normalize"]) == ("normalize", "merge_stats", "alpha", "zeta")


def test_an_unknown_operation_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(EmitInputError, match=r"'layer_nrm'; did you mean layer_norm"):
        plans(["layer_nrm"])


# ---------------------------------------------------------------- tampering


def tampered(plan: Plan, **changes: Any) -> Plan:
    """The plan with its first formula changed."""
    return replace(plan, formulas=(replace(plan.formulas[0], **changes), *plan.formulas[1:]))


def test_a_formula_that_is_not_the_right_side_is_refused() -> None:
    (plan,) = plans(["layer_norm"])
    relation = plan.formulas[0].relation
    for other in (replace(relation, right=relation.left), replace(relation, right=2 * u), replace(relation, kind="<=")):
        with pytest.raises(
            EmitError, match=r"layer_norm is not emitted: the formula for y is not the right side of claim 2 of theorem output_eq"
        ):
            verified(tampered(plan, relation=other))


@pytest.mark.parametrize("claim", [1, 3, 99])
def test_another_claim_of_the_theorem_is_refused(claim: int) -> None:
    (plan,) = plans(["layer_norm"])
    with pytest.raises(EmitError, match="theorem output_eq"):
        verified(tampered(plan, claim=claim))


def test_a_theorem_with_a_false_derivation_is_refused_by_name() -> None:
    (plan,) = plans(["normalize"])
    true = plan.formulas[0].theorem
    claims = (Claim(Eq(u, z / s), by(unfold(u), why="False: the mean stays in.")),)
    forged = replace(true, derivation=replace(true.derivation, claims=claims))
    with pytest.raises(EmitError, match=r"normalize is not emitted, since its theorem is not proved: output_eq"):
        verified(tampered(plan, theorem=forged))


def test_a_forged_verdict_is_refused() -> None:
    """A Proved made behind the kernel's back is worth nothing: the derivation is checked anew."""
    (plan,) = plans(["normalize"])
    true = plan.formulas[0].theorem
    first = true.claims[0]
    assert first.proved is not None
    assert isinstance(first.claim, Claim)
    false = Eq(u, 2 * u)
    forged = object.__new__(Proved)
    for name in ("theory", "given", "conditions", "evidence"):
        object.__setattr__(forged, name, getattr(first.proved, name))
    object.__setattr__(forged, "relation", false)
    theorem = replace(true, claims=(replace(first, claim=replace(first.claim, relation=false), proved=forged), *true.claims[1:]))
    with pytest.raises(EmitError, match="not the right side"):
        verified(tampered(plan, theorem=theorem, relation=false))
    with pytest.raises(EmitError, match="is not what was proved just now"):
        verified(tampered(plan, theorem=theorem))


NOTHING: dict[str, Any] = {"derivation": None}


def test_a_theorem_without_derivation_is_refused() -> None:
    (plan,) = plans(["normalize"])
    with pytest.raises(EmitError, match="output_eq has no derivation"):
        verified(tampered(plan, theorem=replace(plan.formulas[0].theorem, **NOTHING)))


def test_the_gate_stands_before_every_file(monkeypatch: pytest.MonkeyPatch) -> None:
    (plan,) = plans(["normalize"])
    bad = tampered(plan, relation=replace(plan.formulas[0].relation, right=2 * u))
    with pytest.raises(EmitError, match="theorem output_eq"):
        assembled(target("numpy"), {"normalize": bad}, ("normalize",), "safe", "lnsym emit numpy", validate=False)


# ---------------------------------------------------------------- offers


def test_an_offer_of_something_else_than_an_equation_is_refused() -> None:
    claim = Claim(Le(0, a**2), Gap(a**2, "A square."))
    with pytest.raises(EmitError, match="its claim 1, which is not an equation"):
        plan_from("square", [(theorem(claim), Offer("square", "y"))])


def test_an_offer_of_a_claim_that_is_not_there_is_refused() -> None:
    with pytest.raises(EmitError, match="from its claim 2, but it has 1"):
        plan_from("scale", [(theorem(same(Eq(a * z + z, z + z * a))), Offer("scale", "y", 2))])


def with_file(monkeypatch: pytest.MonkeyPatch, name: str, derivation: Derivation) -> None:
    """Let the scan find one more theorem file."""
    book = library.book()
    chapter = Chapter("temporary", "Temporary", 99)
    more = Book((*book.chapters, chapter), {**book.derivations, name: (chapter, derivation)}, book.records, book.theory)
    monkeypatch.setattr(library, "book", lambda: more)
    monkeypatch.setattr(library, "_PROVED", {})


RMS = Derivation(
    "RMSNorm divides by the root of the mean square.",
    "T70",
    (Claim(Eq(rms(z), z / sqrt(mean(z**2) + eps)), by(algebra, split, centred, variance, why="Its definition.")),),
    given=(positive(eps),),
    offers=(Offer("rms_normalize", "y"),),
)


def test_a_new_theorem_file_is_emitted_without_any_other_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by scanning, in the plain tier, with the signature that its vectors give."""
    with_file(monkeypatch, "rms_eq", RMS)
    assert offers()["rms_normalize"][0][0] == "rms_eq"
    source = build(ops=["rms_normalize"], tier="plain", validate=False).source
    assert "rms_eq" in source
    module = loaded(source, "rms")
    x = np.random.default_rng(0).normal(size=(4, 3, 5))
    expected = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(module.rms_normalize(x), expected, rtol=1e-14)
    np.testing.assert_allclose(module.rms_normalize([3.0, 4.0], eps=0.5), np.array([3.0, 4.0]) / np.sqrt(13.0))
    with pytest.raises(EmitInputError, match=r"rms_normalize does not exist in the tier safe; it exists in plain"):
        build(ops=["rms_normalize"], tier="safe", validate=False)


def test_two_offers_of_one_result_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with_file(monkeypatch, "second_core", replace(RMS, offers=(Offer("normalize", "u"),)))
    with pytest.raises(EmitError, match="normalize: u is offered by output_eq and by second_core"):
        offers()


def test_a_new_theorem_that_is_not_proved_is_not_emitted(monkeypatch: pytest.MonkeyPatch) -> None:
    false = replace(RMS, claims=(Claim(Eq(rms(z), z), by(algebra, why="Not so.")),))
    with_file(monkeypatch, "rms_false", false)
    with pytest.raises((EmitError, DerivationError), match="rms_false"):
        build(ops=["rms_normalize"], tier="plain", validate=False)


def test_a_name_that_is_no_name_for_a_function_is_refused() -> None:
    with pytest.raises(EmitError, match=r"the operation 'two words' of an offer is no name for a function"):
        emitted(theorem(same(Eq(a * z + z, z + z * a)), offers=[Offer("two words", "y")]))


# ---------------------------------------------------------------- the form that is refused


ONE_PASS = (
    mean(z**2) - mean(z) ** 2,
    mean(z**2) - mu**2,
    mean(z * z) - mean(z) * mean(z),
    -(mu**2) + mean(z**2),
)


@pytest.mark.parametrize("form", ONE_PASS)
def test_the_one_pass_variance_is_refused_though_it_is_true(form: Any) -> None:
    claim = Claim(Eq(q, form), by(split, variance, centred, why="True, but not for floats."))
    found = theorem(claim, offers=[Offer("variance", "q")])
    with pytest.raises(
        EmitError, match=r"variance is not emitted .* for x = \(300000002, 300000004\) that is -16 in float64, where 1 is right"
    ):
        emitted(found)


def test_the_counterexample_is_what_numpy_gives() -> None:
    x = np.array([300000002.0, 300000004.0])
    assert np.mean(x * x) - np.mean(x) ** 2 == -16
    assert np.var(x) == 1
    assert "T68" in library.theorem(ONE_PASS_THEOREM).catalogue


def test_the_variance_of_two_passes_is_not_refused() -> None:
    found = theorem(Claim(Eq(q, mean(v**2)), by(variance, why="Its definition.")), offers=[Offer("variance", "q")])
    assert emitted(found).variance([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]).tolist() == [2 / 3, 0.0]
