"""The parts of the tracer: short forms, paths, arrays, and the identities of the small functions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from lnsym.emit.trace.arrays import Length, Traced, filled
from lnsym.emit.trace.concrete import Numbers
from lnsym.emit.trace.paths import Decisions, Formula, Reach, TooManyPaths, Vocabulary, conjunction, explore, negation
from lnsym.emit.trace.standin import Module, StandIn
from lnsym.emit.trace.symbolic import EPS, NAN, Algebra, Either, Symbolic, Value, place
from lnsym.emit.validate import theory_of
from lnsym.kernel import terms as t
from lnsym.library import book
from tests.emit.modules import source


@pytest.fixture
def domain() -> Symbolic:
    """The domain of terms, with two rows."""
    algebra = Algebra(theory_of(book().theory, 2), [t.Sym(f"q:{k}") + EPS for k in (1, 2)])
    return Symbolic(algebra)


def rows(domain: Symbolic, name: str = "x", count: int = 2) -> Traced:
    """Rows of vectors of their own."""
    array = filled(domain, (count, Length(domain)), "float64", None)
    array.data[:, 0] = [domain.algebra.short(t.Entry(f"{name}:{k}", (place(1),))) for k in range(1, count + 1)]
    return array


def values_of(array: Any) -> list[str]:
    """What the component of the first row may be."""
    cell = array.data[0, 0]
    assert isinstance(cell, Either)
    return [str(value) for _, value in cell.branches]


# ---------------------------------------------------------------- terms


def test_what_vanishes_in_real_arithmetic_is_seen_to_vanish(domain: Symbolic) -> None:
    x = rows(domain)
    centred = x - x.mean(axis=-1)[:, None]
    assert [str(c) for c in centred.sum(axis=-1).data] == ["0", "0"]
    assert [str(c) for c in (centred * centred).mean(axis=-1).data] == ["q:1", "q:2"]
    root = np.sqrt((centred * centred).mean(axis=-1) + 1)
    product = root * root  # error-free transforms: the correction is 0
    assert [str(c) for c in ((root * root - product) * root).data] == ["0", "0"]


def test_a_power_of_two_is_a_positive_symbol_and_cancels(domain: Symbolic) -> None:
    x = rows(domain)
    k = np.frexp(abs(x).max(axis=-1))[1]
    scaled = np.ldexp(x, -k[:, None])
    centred = scaled - scaled.mean(axis=-1)[:, None]
    q = (centred * centred).mean(axis=-1)
    eps = filled(domain, (), "float64", domain.algebra.value(EPS))
    rstd = np.ldexp(1 / np.sqrt(q + np.ldexp(eps, -2 * k)), -k)
    assert [str(c) for c in rstd.data] == ["sqrt((eps + q:1))^-1", "sqrt((eps + q:2))^-1"]
    half = (k + 1) // 2
    assert [str(c) for c in np.ldexp(np.ldexp(x, half[:, None]), -half[:, None]).data[:, 0]] == ["(mu:1 + v:1[·1])", "(mu:2 + v:2[·1])"]


def test_every_short_form_is_proved(domain: Symbolic) -> None:
    before = domain.algebra.proofs
    x = rows(domain)
    _ = (x * 2 - x).sum(axis=0)
    assert domain.algebra.proofs > before


def test_a_component_chosen_by_a_mask_has_both_values(domain: Symbolic) -> None:
    x = rows(domain, count=1)
    chosen = np.where(x > 0, x, 2 * x)
    assert values_of(chosen) == ["(mu:1 + v:1[·1])", "(2*mu:1 + 2*v:1[·1])"]
    again = np.where(x > 0, chosen, 0 * x)  # the same mask: what contradicts it is gone
    assert values_of(again) == ["(mu:1 + v:1[·1])", "0"]
    assert isinstance(np.where(x > 0, x, x + 0 * x).data[0, 0], Value)
    assert "chosen by a mask" in str(chosen.sum(axis=-1).data[0])


def test_a_scatter_keeps_what_was_there(domain: Symbolic) -> None:
    x = rows(domain, count=1)
    y = x.copy()
    domain.decisions = Decisions(usual=True)
    at = np.nonzero(x > 3)  # on this path it holds for some component
    y[at] = x[at] * 2
    assert values_of(y) == ["(2*mu:1 + 2*v:1[·1])", "(mu:1 + v:1[·1])"]


def test_nan_spreads(domain: Symbolic) -> None:
    x = rows(domain)
    assert (x * np.nan).data[0, 0] == NAN
    assert (x + np.inf - np.inf).data[1, 0] == NAN


def test_the_unknown_length_stays_unknown(domain: Symbolic) -> None:
    d = rows(domain).shape[1]
    assert [d == rows(domain).shape[1], d == 0, d > 0, d >= 1] == [True, False, True, True]
    for use in (lambda: int(d), lambda: range(d), lambda: d == 7, lambda: d < 64, lambda: d // 2, lambda: d % 64):
        with pytest.raises(Vocabulary):
            use()


@pytest.mark.parametrize("index", [np.s_[:, :3], np.s_[:, ::2], np.s_[:, 0], np.s_[0, -1]])
def test_the_coordinates_cannot_be_cut(domain: Symbolic, index: tuple[object, ...]) -> None:
    with pytest.raises(Vocabulary):
        rows(domain)[index]


def test_moving_axes_renames_the_components(domain: Symbolic) -> None:
    x = rows(domain, count=1)[0]
    matrix = x[:, None] * x[None, :] + StandIn(domain).eye(x.shape[0])
    assert matrix.shape == (x.shape[0], x.shape[0])
    assert str(matrix.data[0, 0]).count("delta(·1,·2)") == 1
    assert "v:1[·1]*v:1[·2]" in str(matrix.data[0, 0])
    assert x[None, :].reshape(1, x.shape[0]).shape == (1, x.shape[0])
    with pytest.raises(Vocabulary):
        rows(domain).reshape(-1)


# ---------------------------------------------------------------- paths


def atoms(decisions: Decisions, *names: str) -> str:
    """The outcomes of some atoms, as text."""
    return "".join("+" if decisions.decide(Formula("atom", (name,))) else "-" for name in names)


def test_every_outcome_is_explored_once() -> None:
    assert sorted(found for _, found in explore(lambda d: atoms(d, "a", "b", "a"), 100)) == ["+++", "+-+", "-+-", "---"]


def test_paths_within_reach_of_the_usual_one() -> None:
    found = [found for _, found in explore(lambda d: atoms(d, *"abcd"), 100, Reach(usual=True, turns=1))]
    assert sorted(found) == sorted(["++++", "+++-", "++-+", "+-++", "-+++"])


def test_too_many_paths_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(TooManyPaths, match="more than 8 outcomes of its branches; put decisions about sizes"):
        list(explore(lambda d: atoms(d, *"abcdef"), 8))


def test_a_decision_is_consistent_with_earlier_ones() -> None:
    a, b = Formula("<", ("x", "y")), Formula("<", ("y", "x"))
    decisions = Decisions(usual=True)
    assert decisions.decide(a)
    assert not decisions.decide(b)
    assert not decisions.decide(Formula("==", ("x", "y")))
    both = conjunction(a, Formula("atom", ("c",)))
    assert Decisions((False,)).decide(both) is False
    assert Decisions((False,)).decide(negation(both)) is True


# ---------------------------------------------------------------- words


def test_operations_on_words_are_right_to_second_order() -> None:
    domain = Numbers()
    module = Module(source("exact"), domain)
    module.replace({"_U": 0})
    low = Fraction(1, 2**30)

    def of(name: str, *given: Fraction) -> Fraction:
        arrays = [Traced(domain, (1,), np.array([x], object), "float64") for x in given]
        words = [x.data[0] for x in module[name](*arrays)]
        return sum(words, Fraction(0))

    for a, b in ((Fraction(3), Fraction(-5)), (Fraction(7, 4), Fraction(9, 8))):
        assert abs(of("_multiply_words", a, low, b, -low) - (a + low) * (b - low)) <= 2 * low**2
        assert abs(of("_divide_words", a, low, b, -low) - (a + low) / (b - low)) <= 4 * low**2
    assert of("_reciprocal_root_words", 9 - low, low, Fraction(4)) == Fraction(2, 3)


def test_rounding_to_a_grid_gives_an_arbitrary_number(domain: Symbolic) -> None:
    x = rows(domain, count=1)
    anchor = filled(domain, (), "float64", domain.anchor()) * np.float64(2.0**-23)
    head = (x + anchor) - anchor
    assert str(head.data[0, 0]).startswith("unknown.")
    assert str((head + (x - head)).data[0, 0]) == "(mu:1 + v:1[·1])"
    with pytest.raises(Vocabulary, match="something else than"):
        _ = anchor / x
