"""The mistakes about gradients and behaviour: witnesses are true, formulas and names can be read, and no two are the same function."""

from __future__ import annotations

import ast
import json
import math
import operator
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lnsym import library, oracle
from lnsym.audit import reference
from lnsym.audit.call import Array, Call, Gradient, Rows
from lnsym.audit.checks.derivatives import CHECKS
from lnsym.audit.checks.judges import gradient_bound
from lnsym.audit.diagnose import diagnose
from lnsym.audit.fault import Fault, Seen, Witness, faults
from lnsym.audit.session import Session
from lnsym.audit.subject import About
from lnsym.view.mathml import mathml

right_gradient = reference.gradient

NAMES = {"dx": "x", "dweight": "weight", "dbias": "bias"}
CASES = Path(__file__).parents[1] / "data" / "bug_cases.json"
OURS = [fault for code, fault in faults().items() if code[2] in "34"]
GRADIENTS = [fault for fault in OURS if fault.kind == "gradient"]
ELSEWHERE = {"vllm-project/vllm#57280"}  # a request for rows that do not depend on their batch, bit for bit
BEHAVIOURS = [fault for fault in OURS if fault.kind == "behaviour"]
SIGN = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def code(fault: Fault) -> str:
    return fault.code


def number(text: object) -> float:
    """A number as witnesses write it: "-1/2", "2*sqrt(3)/3"."""

    def value(node: ast.expr) -> float:
        match node:
            case ast.Constant(value=int() | float() as found):
                return float(found)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -value(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return float(SIGN[type(op)](value(left), value(right)))
            case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
                return math.sqrt(value(argument))
        raise ValueError(f"not a number: {text}")

    return value(ast.parse(str(text), mode="eval").body)


def table(entries: tuple[object, ...]) -> Array:
    """One row, or several, as (n, d)."""
    rows = [entry if isinstance(entry, tuple) else entries for entry in entries]
    return np.array([[number(entry) for entry in row] for row in (rows if isinstance(entries[0], tuple) else rows[:1])])


def probe_of(witness: Witness) -> tuple[Rows, Array]:
    x = table(witness.x)
    d = x.shape[1]
    weight = table(witness.weight)[0] if witness.weight else np.ones(d)
    bias = table(witness.bias)[0] if witness.bias else np.zeros(d)
    return Rows(x, weight, bias, number(witness.eps)), table(witness.dy)


def called(rows: Rows) -> Call:
    return Call(rows.x, rows.weight, rows.bias, rows.eps)


# ---------------------------------------------------------------- witnesses


@pytest.mark.parametrize("fault", GRADIENTS, ids=code)
def test_the_witness_is_what_the_mistake_gives(fault: Fault) -> None:
    assert fault.witness is not None
    assert fault.gradient is not None
    rows, dy = probe_of(fault.witness)
    name, yours = NAMES[fault.witness.quantity], table(fault.witness.yours)
    yours = yours if name == "x" else yours[0]
    seen = Seen(called(rows), rows, dy=dy, gradient={name: yours})
    tried = [fault.gradient(rows, dy, **parameters) for parameters in (*fault.parameters([seen]), *fault.parameters(_probes()))]
    assert min(float(np.abs(one[name] - yours).max()) for one in tried) < 1e-12


@pytest.mark.parametrize("fault", GRADIENTS, ids=code)
def test_the_right_numbers_of_the_witness_are_right(fault: Fault) -> None:
    assert fault.witness is not None
    witness = fault.witness
    rows, dy = probe_of(witness)
    eps = Fraction(witness.eps)
    answers = {
        "dx": lambda: oracle.vjp(dy, rows.x, rows.weight, eps, "float64"),
        "dweight": lambda: oracle.dweight(dy, rows.x, eps, "float64"),
        "dbias": lambda: oracle.dbias(dy, "float64"),
    }
    exact, right = table(witness.exact), answers[witness.quantity]()
    assert float(np.abs(exact.reshape(right.shape) - right).max()) < 1e-12
    assert float(np.abs(exact - table(witness.yours)).max()) > 1e-3


@pytest.mark.parametrize(("name", "read"), [("LN410", ((1, 2), (3, 4), (5, 7))), ("LN411", ((1, 1),))])
def test_witnesses_of_memory_are_the_core_of_what_is_read(name: str, read: tuple[tuple[int, ...], ...]) -> None:
    witness = faults()[name].witness
    assert witness is not None
    eps = Fraction(witness.eps)
    for rows, shown in ((np.array(read, float), witness.yours), (table(witness.x), witness.exact)):
        assert float(np.abs(oracle.normalize(rows, eps, "float64") - table(shown)).max()) < 1e-12


def test_the_gradient_of_a_constant_row_is_the_centered_cotangent() -> None:
    witness = faults()["LN414"].witness
    assert witness is not None
    rows, dy = probe_of(witness)
    assert (oracle.vjp(dy, rows.x, rows.weight, Fraction(witness.eps), "float64") == table(witness.exact)).all()


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("fault", OURS, ids=code)
def test_formulas_can_be_set_and_mark_what_is_wrong(fault: Fault) -> None:
    assert r"\wrong{" in fault.computes
    assert r"\wrong{" not in fault.instead_of
    if fault.kind == "gradient":
        letters = [re.findall(r"\\mathrm\{d\}(x|\\gamma|\\beta)", one.partition("=")[0]) for one in (fault.computes, fault.instead_of)]
        assert letters[0] == letters[1]  # both speak of the same one
    for formula in (fault.computes, fault.instead_of):
        assert "<math" in mathml(formula.replace(r"\wrong", ""))


@pytest.mark.parametrize("fault", OURS, ids=code)
def test_texts_are_sentences_and_titles_are_not(fault: Fault) -> None:
    for text in (fault.slips, fault.repair):
        assert re.fullmatch(r"[A-Z].+\.", text)
        assert len(text) < 240
    assert not fault.title.endswith(".")
    assert len(fault.title) < 110


@pytest.mark.parametrize("fault", OURS, ids=code)
def test_theorems_and_reports_exist(fault: Fault) -> None:
    assert set(fault.theorems) <= set(library.book().derivations)
    cases = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    known = {name for case in cases for name in (case["ref"], *case["also"])}
    assert set(fault.reports) <= known | ELSEWHERE


@pytest.mark.parametrize("fault", BEHAVIOURS, ids=code)
def test_a_mistake_of_behaviour_has_no_formula_to_fit(fault: Fault) -> None:
    assert not any((fault.model, fault.gradient, fault.simulate, fault.whole))


# ---------------------------------------------------------------- no two are the same


class Textbook:
    """Stands for a subject that takes everything; only its description is used."""

    about = About("textbook", "numpy", frozenset({"weight", "bias", "eps", "axis"}), gradients=frozenset({"vjp"}))


@cache
def _probes() -> tuple[Seen, ...]:
    """The cases that an audit fits mistakes about gradients to, with its own tolerances."""
    session = Session(Textbook())  # type: ignore[arg-type] # nothing is asked of it
    found = []
    for case in (case for one in CHECKS if one.fits for case in one.cases(session)):
        assert case.dy is not None
        rows, dy = case.call.rows(), case.call.flat(case.dy)
        bound = gradient_bound(session, case.call, case.dy)
        found.append(Seen(case.call, rows, dy=dy, tolerance={name: one.reshape(-1) if name != "x" else one for name, one in bound.items()}))
    return tuple(found)


def _answered(gradient: Mapping[int, Gradient]) -> list[Seen]:
    seen = []
    for k, probe in enumerate(_probes()):
        right = _right(k)
        answer = {name: np.where(np.isfinite(one), one, right[name]) for name, one in (dict(right) | dict(gradient[k])).items()}
        seen.append(Seen(probe.call, probe.rows, None, probe.dy, answer, probe.tolerance))
    return seen


@cache
def _right(k: int) -> Gradient:
    probe = _probes()[k]
    assert probe.dy is not None
    return right_gradient(probe.call, probe.dy)


def _remembered(call: Call, _: Array) -> Gradient:
    return _right(next(k for k, probe in enumerate(_probes()) if probe.call is call))


def _variants(fault: Fault) -> Iterator[Mapping[str, float]]:
    fitted = {"LN337": [{"factor": -1.0}, {"factor": 0.3}], "LN362": [{"factor": -1.0}, {"factor": 2.0}], "LN339": [{"a": 2.0, "b": -1.0}]}
    fitted["LN350"] = [{"eps": 0.02}, {"eps": 1e-5}]
    yield from fitted.get(fault.code) or fault.parameters(_probes())


VARIANTS = [(fault, parameters) for fault in GRADIENTS for parameters in _variants(fault)]


@pytest.mark.many(12)
@pytest.mark.parametrize(("fault", "parameters"), VARIANTS, ids=[f"{one.code}-{dict(constants)}" for one, constants in VARIANTS])
def test_every_mistake_is_told_from_all_others(fault: Fault, parameters: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "gradient", _remembered)
    assert fault.gradient is not None
    made = {}
    for k, probe in enumerate(_probes()):
        assert probe.dy is not None
        made[k] = fault.gradient(probe.rows, probe.dy, **parameters)
    found = diagnose(_answered(made), [], {})
    assert [one.fault.code for one in found] == [fault.code]
    assert all(one.complete for one in found)
    for name, constant in parameters.items():
        assert found[0].parameters[name] == pytest.approx(constant, rel=1e-6)
    assert "{" not in fault.title.format(**parameters)
