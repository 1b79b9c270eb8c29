"""check(): the records, what it accepts, and the text of every refusal."""

from __future__ import annotations

from fractions import Fraction

import pytest

from derivations.definitions import THEORY, a, c, d, eps, mu, q, s, t, u, v, w, z
from lnsym.derivation import (
    At,
    Chain,
    Claim,
    Derivation,
    Example,
    Gap,
    Iff,
    Induction,
    Offer,
    OnlyIf,
    Theorem,
    algebra,
    at,
    by,
    centred,
    chain,
    check,
    claims_of,
    count,
    entries,
    fold,
    given,
    needed_facts,
    point_of,
    split,
    square_of_root,
    theorem,
    unfold,
    variance,
)
from lnsym.errors import DerivationError
from lnsym.kernel.terms import COORDINATES, Components, Hypothesis, Power, lift
from lnsym.lang import Eq, Le, Lt, Ne, dot, fraction, mean, one, sqrt, symbols, total, var

EPS = (Lt(0, eps),)
(x,) = symbols("x")
WHY = "because"
CENTRED = Claim(Eq(mean(v), 0), chain(mean(v)).to(0, by=centred, why=WHY))


def derivation(*claims: Claim | Iff | Example, given: tuple[Hypothesis, ...] = (), **more: object) -> Derivation:
    return Derivation("A theorem.", "S00", claims, given=given, **more)  # type: ignore[arg-type]


def checked(*claims: Claim | Iff | Example, given: tuple[Hypothesis, ...] = (), **more: object) -> Theorem:
    return check(derivation(*claims, given=given, **more), THEORY, "name", "chapter")


def test_a_theorem() -> None:
    found = checked(
        Claim(
            Eq(var(u), q / (q + eps)),
            chain(var(u))
            .to(mean(u**2), by=(unfold(u), centred), why=WHY)
            .to(mean(v**2) / s**2, by=unfold(u), why=WHY)
            .to(q / s**2, by=fold(q), why=WHY)
            .to(q / (q + eps), by=square_of_root(s), why=WHY),
        ),
        Claim(Lt(var(u), 1), Gap(eps / (q + eps), WHY)),
        given=EPS,
        points=(at(z=(1, 2, 3), eps="1/3", value="2/3"),),
    )
    assert (found.name, found.chapter, found.premises) == ("name", "chapter", ())
    assert [c_.status for c_ in found.claims] == ["proved for every d"] * 2
    assert [len(c_.steps) for c_ in found.claims] == [4, 0]
    assert [p.relation.kind for p in found.proved] == ["=", "<"]
    assert all(p.given == EPS for p in found.proved)


def test_each_step_is_kept_with_what_it_may_use() -> None:
    (step,) = checked(CENTRED).claims[0].steps
    assert step.relation == Eq(mean(v), 0)
    assert step.facts == {"count", "centred"}
    assert step.proved.evidence.kind == "equality"


def test_premises_are_what_the_steps_name() -> None:
    first = checked(CENTRED)
    uses = derivation(Claim(Eq(mean(v) + a, a), chain(mean(v) + a).to(a, by=theorem("first"), why=WHY)))
    assert check(uses, THEORY, "second", "chapter", {"first": first}).premises == ("first",)


def test_an_equivalence_becomes_claims_with_hypotheses() -> None:
    iff = Iff(
        (Eq(2 * a, 2 * c),),
        (Eq(a, c),),
        (Claim(Eq(a, c), OnlyIf(Eq(2 * a, 2 * c), fraction(2), WHY)),),
        (Claim(Eq(2 * a, 2 * c), by(given, why=WHY)),),
    )
    assert [claim.given for claim in claims_of(derivation(iff)) if isinstance(claim, Claim)] == [iff.left, iff.right]
    assert len(checked(iff).proved) == 2


def test_induction_and_inequality_chains() -> None:
    b = symbols("b")[0]
    induced = Claim(Eq(Power(b, t, 1), b * Power(b, t)), Induction(t, WHY))
    chained = Claim(
        Lt(0, 1 + q + a**2), chain(lift(0)).at_most(q, gap=q, why=WHY).at_most(1 + q + a**2, gap=1 + a**2, why=WHY, strict=True)
    )
    assert [p.evidence.kind for p in checked(induced, chained).proved] == ["induction", "chain"]


def test_examples_are_carried_along() -> None:
    example = Example(entries(z, (1, 2)), at(z=(1, 2)), WHY)
    found = checked(CENTRED, example)
    assert [c_.status for c_ in found.claims] == ["proved for every d", "evaluated exactly"]
    assert len(found.proved) == 1


# ---------------------------------------------------------------- refusals, by their text


def says(*claims: Claim | Iff | Example, given: tuple[Hypothesis, ...] = (), **more: object) -> str:
    with pytest.raises(DerivationError) as error:
        checked(*claims, given=given, **more)
    return str(error.value)


def test_errors_name_the_theorem() -> None:
    assert says() == "name: no claims; state at least one"
    with pytest.raises(DerivationError, match=r"^A theorem\.: no claims"):
        check(derivation(), THEORY)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (Claim(None, by(algebra, why=WHY)), "name, claim 1: no relation; only a fact of scalar calculus goes without"),
        (Claim(Eq(a, a), Chain(a)), "name, claim 1: a chain without steps"),
        (
            Claim(Eq(mean(v), 0), chain(mean(v)).to(a, by=centred, why=WHY)),
            "name, claim 1: the chain shows another relation than the claim; start, end and kind must agree",
        ),
        (
            Claim(Eq(mean(z), 0), chain(mean(z)).to(0, by=centred, why=WHY)),
            "name, claim 1, step 1 (centred): the step does not hold by the kernel; left over: 1*('c', 'mu')^1",
        ),
        (
            Claim(Eq(mean(z), mu), chain(mean(z)).to(mu + mean(v), by=(split, count), why=WHY).to(mu, by=algebra, why=WHY)),
            "name, claim 1, step 2 (algebra): true, but not by this rule; it needs: centred",
        ),
        (Claim(Eq(x / x, 1), by(algebra, why=WHY)), "name, claim 1: needs a side condition: 1*('c', 'x')^1 nonzero; state it in given"),
        (Claim(Le(0, a), Gap(a, WHY)), "name, claim 1: the certificate is not nonnegative by its structure"),
        (Claim(Le(a, q), Gap(q, WHY)), "name, claim 1: the two sides differ in the normal form; left over: -1*('c', 'a')^1"),
        (
            Claim(Eq(a, c), OnlyIf(Eq(2 * a, 2 * c), fraction(2), WHY)),
            "name, claim 1: the premise of an only-if must be among the hypotheses",
        ),
        (Claim(Eq(1 / total(v), 0), by(centred, why=WHY)), "name, claim 1: division by an expression that is zero"),
        (Claim(Eq(a, a), by(why=WHY)), "name, claim 1: unknown rule; use the rules of lnsym.derivation"),
    ],
)
def test_a_claim_that_does_not_check(claim: Claim, text: str) -> None:
    assert says(claim) == text


def test_the_number_of_the_claim_and_of_the_step() -> None:
    bad = Claim(Eq(mean(v), 0), chain(mean(v)).to(total(v) / d, by=algebra, why=WHY).to(0, by=variance, why=WHY))
    assert says(CENTRED, bad).startswith("name, claim 2, step 2 (variance): true, but not by this rule; it needs: centred")


def test_an_unknown_principle() -> None:
    text = says(CENTRED, leans_on=("magic",))
    assert text.startswith("name: unknown principle 'magic'; known: mean value inequality, spectral theorem")


def test_hypotheses_that_are_not_needed() -> None:
    assert says(CENTRED, given=EPS) == "name: hypothesis 1 is not needed; remove it, or keep it with a reason"
    assert checked(CENTRED, given=EPS, keep={0: "for the reader"}).proved[0].given == EPS
    root = Claim(Eq(s**2, q + eps), by(square_of_root(s), why=WHY))
    assert says(root, given=EPS, keep={0: "idle"}) == "name: hypothesis 1 is needed, so it must not be marked as kept"


def test_hypotheses_that_hold_at_no_point() -> None:
    root = Claim(Eq(sqrt(x**2), x), by(algebra, why=WHY))
    text = "name: the hypotheses hold at none of its points; give a point at which they do, or they say nothing"
    assert says(root, given=(Lt(0, x),), points=(at(x=-1), at(x=0))) == text
    assert checked(root, given=(Lt(0, x),), points=(at(x=-1), at(x=2))).proved
    assert checked(root, given=(Lt(0, x),)).proved  # without points there is nothing to look at
    assert says(root, given=(Lt(0, x),), points=(at(a=1),)).startswith("name: a point is incomplete: the point gives no value for")


def test_a_point_may_leave_out_what_a_hypothesis_fixes() -> None:
    curve = Components("z", COORDINATES, (-t, lift(0), t))
    claim = Claim(Eq(q, fraction(2, 3) * t**2), by(variance, count, centred, split, why=WHY))
    with pytest.raises(DerivationError, match="the step does not hold by the kernel"):
        checked(claim)
    point = point_of(at(t=2), [Eq(q, t)], (curve,), THEORY)
    assert dict(point.vectors) == {"z": (Fraction(-2), Fraction(0), Fraction(2))}
    assert point.sizes == {"d": 3}


def test_points_are_exact() -> None:
    assert at(z=(1, "1/3"), eps=Fraction(1, 2)) == At({"z": (Fraction(1), Fraction(1, 3)), "eps": Fraction(1, 2)})
    for wrong in (0.5, True, None):
        with pytest.raises(DerivationError, match="a point has integers, fractions or texts such as '1/3', not"):
            at(eps=wrong)


def test_unfold_takes_a_name() -> None:
    assert unfold(u, s).name == "unfold u, s"
    with pytest.raises(DerivationError, match="unfold and fold take a defined name such as u or s"):
        unfold(a + c)


# ---------------------------------------------------------------- the facts a step needs


@pytest.mark.parametrize(
    ("relation", "hypotheses", "needs"),
    [
        (Eq(mean(v), 0), (), {"centred"}),
        (Eq(mean(one), 1), (), {"count"}),
        (Eq(dot(v, v), d * q), (), {"variance"}),
        (Eq(z, mu + v), (), {"split"}),
        (Eq(s**2, q + eps), EPS, {"root", "unfold:s"}),
        (Eq(a * w, 2 * w), (Eq(a, 2),), {"given"}),
        (Eq(a + c, c + a), (), set()),
        (Ne(1 + q, 0), (), set()),
    ],
)
def test_the_facts_needed_are_found(relation: object, hypotheses: tuple[Hypothesis, ...], needs: set[str]) -> None:
    assert needed_facts(THEORY, relation, hypotheses) == needs  # type: ignore[arg-type]


# ---------------------------------------------------------------- offers of computations

BOUND = Claim(Lt(var(u), 1), Gap(eps / (q + eps), WHY), given=EPS)
NUMBERS = Example((Eq(q, fraction(2, 3)),), at(z=(1, 2, 3)), WHY)


def test_an_offer_stands_on_an_equation_that_the_kernel_proved() -> None:
    offers = (Offer("normalize", "zero"), Offer("normalize", "mean", names={"v": "deviations"}))
    found = checked(CENTRED, BOUND, NUMBERS, offers=offers)
    assert found.derivation.offers == offers
    assert found.claims[offers[0].claim - 1].proved is not None


@pytest.mark.parametrize(
    ("offer", "says"),
    [
        (Offer("normalize", "u", claim=4), "name, offer 1: u of normalize by claim 4, but there are 3; claims count from 1"),
        (Offer("normalize", "u", claim=0), "name, offer 1: u of normalize by claim 0, but there are 3; claims count from 1"),
        (
            Offer("normalize", "u", claim=2),
            "name, offer 1: u of normalize by claim 2, which is no equation proved by the kernel; offer one that is",
        ),
        (
            Offer("normalize", "u", claim=3),
            "name, offer 1: u of normalize by claim 3, which is no equation proved by the kernel; offer one that is",
        ),
        (
            Offer("normalize", "u", names={"h": "dx"}),
            "name, offer 1: u of normalize names h, which occurs in no claim; name its symbols and vectors",
        ),
    ],
)
def test_an_offer_without_its_proof_is_refused(offer: Offer, says: str) -> None:
    with pytest.raises(DerivationError) as error:
        checked(CENTRED, BOUND, NUMBERS, offers=(offer,))
    assert str(error.value) == says


def test_an_offer_made_twice_is_refused() -> None:
    with pytest.raises(DerivationError, match="name, offer 2: u of normalize is offered twice; keep one"):
        checked(CENTRED, offers=(Offer("normalize", "u"), Offer("normalize", "u")))
