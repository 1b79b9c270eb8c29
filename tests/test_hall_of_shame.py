"""Failures met elsewhere, each reproduced, and how lnsym catches it. SymPy's own are shown on SymPy itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from derivations.definitions import THEORY, J, a, c, d, eps, mu, q, s, u, v, w, z
from lnsym.derivation import (
    Chain,
    Claim,
    Derivation,
    Iff,
    OnlyIf,
    Rule,
    Theorem,
    algebra,
    at,
    by,
    centred,
    chain,
    check,
    count,
    split,
    theorem,
    unfold,
)
from lnsym.errors import DerivationError, KernelError, NotProved, StatementError
from lnsym.kernel.prove import Proved, prove
from lnsym.kernel.terms import Relation
from lnsym.lang import D, Eq, Le, Lt, Ne, P, i, j, jacobian, k, mean, outer, sqrt, sum_over, symbols, total, var
from lnsym.model import from_sympy
from lnsym.refute import find_counterexample

EPS = (Lt(0, eps),)
(x,) = symbols("x")
WHY = "because"


def refused(relation: Relation, *given: Relation) -> bool:
    """Whether the kernel refuses and the refuter has a point."""
    try:
        prove(THEORY, relation, given)
    except KernelError:
        return find_counterexample(THEORY, relation, given) is not None
    return False


def theorem_of(*claims: Claim | Iff, given: tuple[Relation, ...] = EPS, **more: object) -> Derivation:
    """A derivation with these claims."""
    return Derivation("A theorem.", "S00", claims, given=given, **more)  # type: ignore[arg-type]


def says(derivation: Derivation, earlier: dict[str, Theorem] | None = None) -> str:
    """The error that check raises."""
    with pytest.raises(DerivationError) as error:
        check(derivation, THEORY, "shame", "test", earlier or {})
    return str(error.value)


# ---------------------------------------------------------------- SymPy at symbolic d


def test_sympy_captures_the_index_of_a_sum() -> None:
    """Sum(z[k], (k, 1, d)).diff(z[k]) is d in SymPy; it is 1."""
    n, index = sp.symbols("d k", integer=True, positive=True)
    zs = sp.IndexedBase("z")
    captured = sp.Sum(zs[index], (index, 1, n)).diff(zs[index])
    assert captured.doit() == n, "SymPy has mended this: tell the story in the past tense"
    claim = from_sympy(sp.Eq(sp.Derivative(sp.Sum(zs[index], (index, 1, n)), zs[index]), captured.doit()))
    assert isinstance(claim, Relation)
    assert refused(claim)
    assert prove(THEORY, Eq(D(sum_over(k, z[k]), z[k]), 1)).conditions == ()


def test_sympy_drops_the_rank_one_term() -> None:
    """MatrixSymbol calculus loses the derivative of the scalar factor; at d = 2 SymPy's own Jacobian disagrees with it."""
    n = sp.Symbol("d", integer=True, positive=True)
    e = sp.Symbol("eps", positive=True)
    column = sp.MatrixSymbol("Z", n, 1)
    slope = (column / sp.sqrt(sp.Trace(column * column.T) / n + e)).diff(column)
    assert not slope.has(sp.Add) or not any(term.has(column * column.T) and term.is_Add for term in slope.args)
    assert refused(Eq(jacobian(u, z), P / s), *EPS)
    assert refused(Eq(jacobian(w / sqrt(mean(w**2) + eps), w)[i, j], (P[i, j] + 1 / d) / sqrt(mean(w**2) + eps)), *EPS)
    assert prove(THEORY, Eq(jacobian(u, z), (P - outer(v, v) / (d * (q + eps))) / s), EPS).conditions == ()


def test_sympy_does_not_rename_bound_indices() -> None:
    n, one, two = sp.symbols("d i j", integer=True, positive=True)
    zs = sp.IndexedBase("z")
    left, right = sp.Sum(zs[one], (one, 1, n)), sp.Sum(zs[two], (two, 1, n))
    assert sp.simplify(left - right) != 0
    relation = from_sympy(sp.Eq(left, right, evaluate=False))
    assert isinstance(relation, Relation)
    assert prove(THEORY, relation).conditions == ()


def test_a_range_piecewise_is_refused_by_name() -> None:
    n, one, two = sp.symbols("d j k", integer=True, positive=True)
    zs = sp.IndexedBase("z")
    split_up = sp.Sum(sp.KroneckerDelta(one, two) * zs[two], (two, 1, n)).doit()
    assert split_up.has(sp.Piecewise)
    with pytest.raises(StatementError, match="Piecewise"):
        from_sympy(split_up)
    assert prove(THEORY, Eq(sum_over(k, P[j, k] * z[k]), v[j])).conditions == ()


def test_a_float_is_refused_by_name() -> None:
    with pytest.raises(StatementError, match=r"0\.1"):
        from_sympy(sp.Float("0.1") * sp.Symbol("a"))


# ---------------------------------------------------------------- a seal is not a proof


def test_a_false_claim_is_not_sealed_by_an_unrelated_lemma() -> None:
    """x < -1 under x > 0, from the lemma 1 = 1: the steps must lead to the claim."""
    claim = Claim(Lt(x, -1), by(algebra, why=WHY), (Lt(0, x),))
    assert "the step does not hold" in says(theorem_of(claim, given=()))
    sealed = Claim(Lt(x, -1), chain(1 + 0 * x).to(1, by=algebra, why=WHY), (Lt(0, x),))
    assert "the chain shows another relation than the claim" in says(theorem_of(sealed, given=()))
    with pytest.raises(KernelError):
        prove(THEORY, Lt(x, -1), (Lt(0, x),), known=(prove(THEORY, Eq(a, a)),))


def test_a_conclusion_other_than_the_claim() -> None:
    proof = chain(mean(v)).to(0, by=centred, why=WHY)
    assert "the chain shows another relation than the claim" in says(theorem_of(Claim(Eq(mean(u), 0), proof)))
    assert "the chain shows another relation than the claim" in says(theorem_of(Claim(Le(mean(v), 0), proof)))


def test_an_equivalence_that_proves_one_half() -> None:
    there = Claim(Eq(a, c), OnlyIf(Eq(2 * a, 2 * c), 2 + 0 * a, WHY))
    elsewhere = Claim(Eq(a, a), by(algebra, why=WHY))
    half = Iff((Eq(2 * a, 2 * c),), (Eq(a, c),), (there,), (elsewhere,))
    assert "the backward part of an equivalence does not prove all that stands on the other side" in says(theorem_of(half, given=()))


def test_a_theorem_nobody_proved() -> None:
    with pytest.raises(KernelError, match="only the kernel makes a Proved"):
        Proved("token", THEORY, Lt(x, -1), (), (), None)


# ---------------------------------------------------------------- rules


def test_a_step_marked_by_the_wrong_rule() -> None:
    wrong = Claim(Eq(mean(v), 0), chain(mean(v)).to(0, by=split, why=WHY))
    assert "claim 1, step 1 (split): true, but not by this rule; it needs: centred" in says(theorem_of(wrong))


def test_an_unknown_rule() -> None:
    unknown = Claim(Eq(mean(v), 0), Chain(mean(v)).to(0, by="obvious", why=WHY))  # type: ignore[arg-type]
    assert "unknown rule; use the rules of lnsym.derivation" in says(theorem_of(unknown))
    toothless = Claim(Eq(mean(v), 0), chain(mean(v)).to(0, by=Rule("magic", "it is so"), why=WHY))
    assert "true, but not by this rule" in says(theorem_of(toothless))


def test_a_premise_that_is_not_used() -> None:
    first = check(theorem_of(Claim(Eq(mean(z), mu), by(count, split, centred, why=WHY)), given=()), THEORY, "first")
    idle = Claim(Eq(mean(v), 0), chain(mean(v)).to(0, by=(centred, theorem("first")), why=WHY))
    assert "theorem first is named but not needed; remove it" in says(theorem_of(idle, given=()), {"first": first})


def test_a_theorem_that_is_not_there() -> None:
    citing = Claim(Eq(mean(v), 0), chain(mean(v)).to(0, by=theorem("later"), why=WHY))
    assert "cites later, which is not an earlier theorem of the book" in says(theorem_of(citing))


# ---------------------------------------------------------------- hypotheses


def test_assumptions_are_not_lost() -> None:
    """The same statement with and without x > 0 are two statements."""
    assert prove(THEORY, Eq(sqrt(x**2), x), (Lt(0, x),)).given == (Lt(0, x),)
    assert refused(Eq(sqrt(x**2), x))
    positive = prove(THEORY, Eq(a, sqrt(a**2)), (Lt(0, a),))
    with pytest.raises(NotProved, match="its hypotheses among those given here"):
        prove(THEORY, Eq(a, sqrt(a**2)), known=(positive,))


def test_a_hypothesis_that_never_holds() -> None:
    """From 0 < q < 0 everything follows; a point at which the hypotheses hold is asked for."""
    empty = (Lt(0, x), Lt(x, 0))
    assert prove(THEORY, Lt(0, x), empty).conditions == ()
    claim = Claim(Eq(sqrt(x**2), x), by(algebra, why=WHY))
    vacuous = theorem_of(claim, given=empty, points=(at(x=1), at(x=-1)), keep={1: "on purpose"})
    assert "the hypotheses hold at none of its points" in says(vacuous)
    met = replace(vacuous, given=(Lt(0, x),), keep={})
    assert check(met, THEORY, "met").proved[0].given == (Lt(0, x),)


def test_a_hypothesis_that_is_not_needed() -> None:
    assert "hypothesis 1 is not needed" in says(theorem_of(Claim(Eq(mean(v), 0), chain(mean(v)).to(0, by=centred, why=WHY))))


def test_an_empty_assumption_is_no_assumption() -> None:
    """Nothing is assumed that is not written: eps may be anything where eps > 0 is not given."""
    claim = Claim(Eq(s**2, q + eps), by(unfold(s), Rule("root", "", frozenset({"root"})), why=WHY))
    assert "needs a side condition" in says(theorem_of(claim, given=()))
    assert "nonnegative; state it in given" in says(theorem_of(claim, given=()))


def test_a_zero_denominator_hidden_in_a_side_condition() -> None:
    for relation, given in (
        (Eq(1 / (s**2 - q - eps), 1), EPS),
        (Eq(0 / total(v), 0), ()),
        (Eq(a / total(w), a / total(w)), (Eq(total(w), 0),)),
        (Eq((c / (var(z) - q)) ** 0, 1), ()),
    ):
        with pytest.raises(KernelError, match="division by an expression that is zero"):
            prove(THEORY, relation, given)


def test_an_isolated_point_breaks_a_rule() -> None:
    """x/x = 1 fails at 0 only: the condition is shown, never dropped; and stating it is enough."""
    assert [condition.kind for condition in prove(THEORY, Eq(x / x, 1)).conditions] == ["nonzero"]
    assert prove(THEORY, Eq(x / x, 1), (Ne(x, 0),)).conditions == ()
    assert "needs a side condition" in says(theorem_of(Claim(Eq(x / x, 1), by(algebra, why=WHY)), given=()))


def test_true_at_one_dimension_only() -> None:
    assert refused(Eq(v[i], 0))
    assert refused(Eq(J[i, j], J[i, i]), *EPS)
