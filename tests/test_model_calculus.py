"""Scalar calculus: every fact holds by SymPy's own computation, and no false variant does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sympy as sp

import lnsym.derivations
from lnsym.errors import StatementError
from lnsym.model import calculus_fact, fact_names, near_misses, scalar_calculus
from lnsym.model.calculus import _holds, curve, eps, t

CLAIMS = {"S02", "S07", "S37", "S40", "S41"}


BOOK = Path(lnsym.derivations.__path__[0])
CITED = {name for path in BOOK.rglob("*.py") for name in re.findall(r'Calculus\(\s*"(\w+)"', path.read_text(encoding="utf-8"))}


def test_every_fact_that_the_book_cites_is_here() -> None:
    assert set(fact_names()) >= CITED


def test_every_fact_holds() -> None:
    facts = scalar_calculus()
    assert [fact.name for fact in facts if not fact.holds] == []
    assert [fact.name for fact in facts] == list(fact_names())
    assert {fact.catalogue for fact in facts} >= CLAIMS
    assert len(set(fact_names())) == len(facts)


def test_no_false_variant_holds() -> None:
    misses = near_misses()
    assert [fact.name for fact in misses if fact.holds] == []
    assert {fact.catalogue for fact in misses} >= CLAIMS


def test_statements_are_written_from_what_is_computed() -> None:
    fact = calculus_fact("h_limit_plus")
    assert fact.text.startswith("limit of t/sqrt(epsilon + 2*t**2/3) as t -> oo = sqrt(6)/2")
    assert r"\lim_{t \to \infty}" in fact.latex
    assert calculus_fact("h_second_derivative").text.count("d^2/dt^2") == 4


def test_an_unknown_fact_is_refused_with_the_names() -> None:
    with pytest.raises(StatementError, match=r"no fact of scalar calculus is named 'h_limit'; there are .*h_limit_plus"):
        calculus_fact("h_limit")


@pytest.mark.parametrize(
    ("relation", "holds"),
    [
        (sp.Eq(sp.Limit(curve(), t, sp.oo, "-"), sp.sqrt(6) / 2, evaluate=False), True),
        (sp.Eq(sp.Limit(curve(), t, sp.oo, "-"), sp.sqrt(2), evaluate=False), False),
        (sp.Gt(sp.Derivative(curve(), t), 0, evaluate=False), True),
        (sp.Lt(sp.Derivative(curve(), t), 0, evaluate=False), False),
        (sp.Gt(curve(), 0, evaluate=False), False),  # neither sign: not shown, so it does not hold
        (sp.Ne(curve(), curve(), evaluate=False), False),
        (sp.Eq(1 / eps, sp.oo, evaluate=False), False),
    ],
)
def test_the_judge_can_fail(relation: sp.Basic, holds: bool) -> None:
    assert _holds(relation) is holds
