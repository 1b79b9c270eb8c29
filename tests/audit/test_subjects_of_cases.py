"""The subjects made from public bug reports are wrong on the report's own input, in the report's own way; the honest ones are right."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lnsym import oracle
from lnsym.audit.fault import faults
from tests.audit.honest_subjects import HONEST, Honest, two_pass
from tests.audit.norms import Array, wide
from tests.audit.subjects_of_cases import SUBJECTS, UNSEEN, CaseSubject, recovered_core, welford
from tests.emit.bug_cases import FORMATS, PRECISION, Case, cases, named, wrong_answers

GRADIENTS = ("dz", "dgamma", "dbeta")
WRONG = {case.id: (case, name, values) for case, name, values in wrong_answers()}
# What these report is not a table of numbers; the test that is named looks at it.
OTHERWISE: dict[str, str] = {
    "B14": "test_the_running_mean_drifts",
    "B39": "test_a_negative_eps_leaves_some_rows_healthy",
    "B60": "test_errors_come_only_where_reported",
    "B62": "test_errors_come_only_where_reported",
    "B99": "test_the_uncentered_row",
    "B105": "test_errors_come_only_where_reported",
    "B123": "test_the_result_is_single",
    "B125": "test_the_weight_is_rounded_first",
    "B132": "test_late_rows_are_not_written",
    "B139": "test_the_exponent_of_the_last_term",
}


def test_every_case_is_a_subject_or_has_a_reason() -> None:
    ids = [case.id for case in cases()]
    assert sorted(ids) == sorted([*SUBJECTS, *UNSEEN])
    assert len(ids) == 84
    assert all(" " in reason for reason in UNSEEN.values())
    assert all(name in globals() for name in OTHERWISE.values())
    assert set(OTHERWISE) <= set(SUBJECTS)


def test_the_names_of_the_mistakes_exist() -> None:
    assert {code for subject in SUBJECTS.values() for code in subject.codes} <= set(faults())


def _answer(subject: CaseSubject, case: Case, name: str) -> Array:
    """What the subject gives on the case's own input, laid out as the case says."""
    x = case.x
    if case.id == "B111":
        x = np.asfortranarray(x)
    if case.id == "B113":
        x = np.concatenate([np.array([[1, 2, 4, 9]], x.dtype), x])[1:]
    if name not in GRADIENTS:
        return subject.forward(x, case.weight, case.bias, case.eps, case.axis)
    assert subject.grad is not None
    assert case.dy is not None
    more: dict[str, Any] = {"bias": case.bias} if subject.grad is recovered_core else {}
    found = subject.grad(np.atleast_2d(case.dy).copy(), np.atleast_2d(x), case.weight, case.eps, **more)[GRADIENTS.index(name)]
    return found.reshape(x.shape) if name == "dz" else found


@pytest.mark.parametrize("name", [name for name in SUBJECTS if name not in OTHERWISE])
def test_the_wrong_answer_is_the_one_of_the_report(name: str) -> None:
    case, quantity, values = WRONG[name]
    found = _answer(SUBJECTS[name], case, quantity)[..., case.asked()].astype(np.float64)
    # Statements carry five to eight digits, and sums in another order move the difference that is left of a one-pass variance.
    assert np.allclose(found, values.astype(np.float64), rtol=2e-5 if case.data["input"]["dtype"] != "float16" else 2e-3, equal_nan=True)


def test_the_running_mean_drifts() -> None:
    case = named("B14")
    mean, variance = welford(case.x[None])
    assert float(mean[0, 0]) == float(case.data["wrong_model_value"][0])
    assert float(variance[0, 0]) == pytest.approx(float(case.data["wrong_model_value"][1]), rel=1e-6)
    assert SUBJECTS["B14"].forward(case.x[None]).dtype == np.float32


def test_a_negative_eps_leaves_some_rows_healthy() -> None:
    case = named("B39")
    y = SUBJECTS["B39"].forward(case.x, eps=case.eps)
    assert np.allclose(y.ravel(), np.array(case.data["wrong_model_value"], float), equal_nan=True)


@pytest.mark.parametrize(("name", "shape"), [("B60", (0, 3)), ("B62", (2, 1)), ("B105", (2, 2, 3))])
def test_errors_come_only_where_reported(name: str, shape: tuple[int, ...]) -> None:
    forward: Callable[..., Array] = SUBJECTS[name].forward
    weight = np.ones(shape[-1])
    with pytest.raises((ValueError, RuntimeError)):
        forward(np.ones(shape), weight)
    assert (forward(np.ones((2, 3)), np.ones(3)) == 0).all()


def test_the_uncentered_row() -> None:
    case = named("B99")
    row = np.array(case.data["input"]["z"], np.float32)
    assert np.allclose(SUBJECTS["B99"].forward(row, eps=case.eps), np.array(case.data["wrong_model_value"], float), rtol=1e-6)


def test_the_result_is_single() -> None:
    case = named("B123")
    assert case.x.dtype == ml_dtypes.bfloat16
    assert SUBJECTS["B123"].forward(case.x, case.weight, eps=case.eps).dtype == np.float32


def test_the_weight_is_rounded_first() -> None:
    case = named("B125")
    forward = SUBJECTS["B125"].forward
    assert case.weight is not None
    assert (forward(case.x, case.weight) == two_pass(case.x, np.full(8, 9, np.float32))).all()
    row = np.arange(-8, 8).astype(case.x.dtype)  # the case's own answers are one and the same number in bfloat16
    weight = np.full(16, case.weight[0])
    assert (forward(row, weight) != two_pass(row, weight)).any()


def test_late_rows_are_not_written() -> None:
    case = named("B132")
    y = SUBJECTS["B132"].forward(case.x, eps=case.eps)
    assert (y[:65535] == y[0]).all()
    assert not (y[65535:] == y[0]).any()


def test_the_exponent_of_the_last_term() -> None:
    case = named("B139")
    x, dy = case.x[None], np.array([[1.0, 0.0, 0.0]])
    grad = SUBJECTS["B139"].grad
    assert grad is not None
    v = x - x.mean()
    s = np.sqrt((v * v).mean() + case.eps)
    factor = ((dy - dy.mean()) / s - grad(dy, x, None, case.eps)[0]) / (v * (dy * v).mean())
    assert np.allclose(factor, float(case.data["wrong_model_value"][0]), rtol=1e-12)


@pytest.mark.parametrize("honest", HONEST, ids=[one.name for one in HONEST])
def test_honest_implementations_are_right(honest: Honest) -> None:
    random, eps = np.random.default_rng(3), 0.25
    for name in honest.formats:
        x, dy = (random.normal(size=(4, 6)).astype(FORMATS[name]) for _ in range(2))
        weight, bias = (random.normal(size=6).astype(FORMATS[name]) for _ in range(2))
        near = 16 * 2.0 ** (1 - PRECISION[name])
        y = honest.forward(x, weight, bias, eps, -1)
        assert y.dtype == x.dtype
        right = oracle.layer_norm(x, weight, bias, Fraction(eps), "float64")
        assert np.allclose(y.astype(float), right, atol=near, rtol=0)
        across = honest.forward(np.ascontiguousarray(x.T), weight, bias, eps, 0).T
        assert np.allclose(across.astype(float), right, atol=near, rtol=0)
        if honest.grad is not None:
            found = honest.grad(dy, x, weight, eps)
            exact = oracle.vjp(dy, x, weight, eps, "float64"), oracle.dweight(dy, x, eps, "float64"), oracle.dbias(dy, "float64")
            assert all(np.allclose(one.astype(float), other, atol=near, rtol=0) for one, other in zip(found, exact, strict=True))


@pytest.mark.parametrize("name", sorted(SUBJECTS))
def test_subjects_take_axes_and_further_axes(name: str) -> None:
    subject = SUBJECTS[name]
    x = (np.arange(24).reshape(2, 3, 4) % 7).astype(FORMATS[subject.formats[0]])
    try:
        y = subject.forward(x, weight=np.ones(4, x.dtype), bias=np.ones(4, x.dtype), eps=0.5, axis=(-1,))
    except ValueError:
        assert name == "B102"
        return
    assert y.shape == x.shape
    assert np.isfinite(wide(y)).all()
