"""Judgements that were once unfair: honest code that refuses or is slow, names that were not true. Imports NumPy."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from lnsym.audit import audit
from lnsym.audit.result import Result
from tests.audit.norms import Array, affine


def core(x: Array, eps: float) -> Array:
    found: Array = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + x.dtype.type(eps))
    return found


def named(found: Result) -> set[str]:
    assert found.verdict == "failed"
    return {one.fault.code for one in found.named}


def reason(found: Result, code: str) -> str:
    return next(one.reason for one in found.checks if one.check.code == code)


# ---------------------------------------------------------------- honest code


def matrices_only(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    _, _ = x.shape
    return affine(core(x, eps), weight, bias)


def images_only(x: Array, eps: float = 1e-5) -> Array:
    """Channels second, as in (batch, channels, height, width)."""
    _, _, _, _ = x.shape
    found: Array = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + eps)
    return found


def single_only(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    if x.dtype != np.float32:
        raise TypeError("expected float32")
    return affine(core(x, eps), weight, bias)


def slow_by_row(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    time.sleep(2e-4 * x.size / max(x.shape[-1], 1))
    return affine(core(x, eps), weight, bias)


def test_one_number_of_axes_is_no_mistake() -> None:
    found = audit(matrices_only, dtype="float64", isolate=False)
    assert found.verdict == "held"
    assert reason(found, "S03") == "it takes inputs of 2 axes only"
    assert audit(images_only, dtype="float64", axis=1, isolate=False).verdict == "held"


def rows_alone(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    (_,) = x.shape
    return affine(core(x, eps), weight, bias)


def rows_alone_eps_outside(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    (_,) = x.shape
    return affine((x - x.mean()) / (x.std() + x.dtype.type(eps)), weight, bias)


def test_rows_alone_may_be_all_that_it_takes() -> None:
    found = audit(rows_alone, isolate=False)
    assert found.verdict == "held"
    assert reason(found, "S03") == "it takes inputs of 1 axis only"
    assert named(audit(rows_alone_eps_outside, isolate=False)) == {"LN101"}


def keepdims_forgotten(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    """Right for a row alone, refused for most matrices, wrong for square ones."""
    return affine((x - x.mean(axis=-1)) / np.sqrt(x.var(axis=-1) + eps), weight, bias)


def test_a_dropped_axis_is_not_taken_for_rows_alone() -> None:
    assert audit(keepdims_forgotten, dtype="float64", isolate=False).verdict == "failed"


class BuiltByItsFirstInput:
    """As layers of Keras: the axis is counted from the front once, when the first input comes."""

    def __init__(self, axis: int = -1, epsilon: float = 1e-3) -> None:
        self.axis, self.epsilon = axis, epsilon
        self.built: int | None = None

    def __call__(self, inputs: Array) -> Array:
        if self.built is None:
            self.built = self.axis % inputs.ndim
        v = inputs - inputs.mean(axis=self.built, keepdims=True)
        y: Array = v / np.sqrt((v * v).mean(axis=self.built, keepdims=True) + inputs.dtype.type(self.epsilon))
        return y


def axis_as_list(x: Array, gamma: Array | None = None, eps: float = 1e-5, axis: Sequence[int] = [-1]) -> Array:
    assert isinstance(axis, list)
    along = tuple(axis)
    y: Array = (x - x.mean(axis=along, keepdims=True)) / np.sqrt(x.var(axis=along, keepdims=True) + x.dtype.type(eps))
    shape = [size if k in [one % x.ndim for one in axis] else 1 for k, size in enumerate(x.shape)]
    return y if gamma is None else y * gamma.reshape(shape)


def parameters_that_broadcast(x: Array, gamma: Array, beta: Array, eps: float = 1e-5, axis: int | tuple[int, ...] = -1) -> Array:
    y: Array = gamma * (x - x.mean(axis=axis, keepdims=True)) / np.sqrt(x.var(axis=axis, keepdims=True) + x.dtype.type(eps)) + beta
    return y


def lists(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> list[object]:
    found: list[object] = affine(core(x, eps), weight, bias).tolist()
    return found


@pytest.mark.parametrize("subject", [BuiltByItsFirstInput, axis_as_list, parameters_that_broadcast])
def test_axes_in_every_form_are_no_mistake(subject: Callable[..., Array]) -> None:
    found = audit(subject, dtype="float64", isolate=False)
    assert found.verdict == "held", str(found)
    assert reason(found, "S06") == "4 inputs"


def test_lists_are_no_mistake_even_of_no_rows() -> None:
    found = audit(lists, dtype="float64")
    assert found.verdict == "held", str(found)
    assert reason(found, "S02") == "1 input"


def test_a_format_that_is_refused_is_not_audited_unless_asked_for() -> None:
    found = audit(single_only, isolate=False)
    assert (found.verdict, found.formats) == ("held", ("float32",))
    assert any("expected float32" in note for note in found.notes)
    assert named(audit(single_only, dtype="float64", isolate=False)) == {"LN420"}


def test_65537_rows_are_not_asked_of_slow_code() -> None:
    found = audit(slow_by_row, dtype="float64", only=("V01", "S08"), isolate=False)
    assert found.verdict == "held"
    assert "too long" in reason(found, "S08")


# ---------------------------------------------------------------- true names only


def one_pass(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    """By sums: on some constant rows its errors cancel, where those of other orders do not."""
    d = x.dtype.type(x.shape[-1])
    total = x.sum(axis=-1, keepdims=True)
    variance = np.einsum("...i,...i->...", x, x)[..., None] / d - (total / d) ** 2
    with np.errstate(all="ignore"):
        return affine((x - total / d) / np.sqrt(variance + x.dtype.type(eps)), weight, bias)


def newton_steps(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    """The reciprocal root to 18 bits only: wrong by a few tolerances, so that formulas with fitted constants come near."""
    v = x - x.mean(axis=-1, keepdims=True)
    q = (v * v).mean(axis=-1, keepdims=True) + np.float32(eps)
    r = (np.int32(0x5F3759DF) - (q.view(np.int32) >> 1)).view(np.float32)
    for _ in range(2):
        r = r * (np.float32(1.5) - np.float32(0.5) * q * r * r)
    return affine(v * r, weight, bias)


def core_in_half(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    return affine(core(x.astype(np.float32), eps).astype(x.dtype), weight, bias)


def last_row_is_first(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    y = affine(core(x, eps), weight, bias).copy()
    if y.ndim > 1 and len(y) > 4:
        y[-1] = y[0]
    return y


def writes(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    x -= x.mean(axis=-1, keepdims=True)
    x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps)
    return affine(x, weight, bias)


def test_luck_on_constant_rows_does_not_hide_a_one_pass_variance() -> None:
    assert named(audit(one_pass, dtype="float32", isolate=False)) == {"LN201"}


def test_a_formula_that_is_no_nearer_than_the_right_one_is_not_named() -> None:
    assert not {one.fault.code for one in audit(newton_steps, dtype="float32", isolate=False).named if one.fault.kind == "function"}
    assert named(audit(core_in_half, dtype="float16", isolate=False)) == {"LN214"}


def test_squares_that_overflow_are_named_before_other_weaknesses() -> None:
    found = named(audit(matrices_only, dtype="float64", full_range=True, isolate=False))
    assert "LN203" in found
    assert not found & {"LN201", "LN202", "LN209", "LN425"}


def test_the_last_row_of_few_is_not_a_late_row() -> None:
    assert named(audit(last_row_is_first, dtype="float64", isolate=False)) == {"LN412"}


def test_a_read_only_array_is_not_a_second_mistake_of_what_writes() -> None:
    assert named(audit(writes, dtype="float64", isolate=False)) == {"LN401"}


@pytest.mark.parametrize("period", [7, 90])
def test_an_answer_that_does_not_come_again_is_named_as_such(period: int) -> None:
    turns: Iterator[int] = iter(range(10**9))

    def now_and_then(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
        y = affine(core(x, eps), weight, bias)
        return y * 1.01 if next(turns) % period == period - 1 else y

    assert named(audit(now_and_then, dtype="float64", isolate=False)) == {"LN402"}


def cube_root(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    v = x - x.mean(axis=-1, keepdims=True)
    d = x.shape[-1] - 1
    return affine(v / (np.cbrt((v * v).sum(axis=-1, keepdims=True) / d) + eps), weight, bias)  # NaN for d = 1


def cube_root_written_into_x(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    x -= x.mean(axis=-1, keepdims=True)
    return affine(x / (np.cbrt((x * x).mean(axis=-1, keepdims=True)) + eps), weight, bias)


def test_what_is_not_explained_is_said_beside_what_is_named() -> None:
    found = audit(cube_root, dtype="float64", isolate=False)
    assert not named(found)  # NaN for rows of one number says nothing about the others
    assert "No mistake of the catalogue explains what was seen." in str(found)
    found = audit(cube_root_written_into_x, dtype="float64", isolate=False)
    assert named(found) == {"LN401"}
    assert found.unexplained == ("y",)
    assert "No mistake of the catalogue explains the wrong output." in str(found)


def right(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    return affine(core(x, eps), weight, bias)


def averaged_dbias_and_odd_dx(dy: Array, x: Array, weight: Array, eps: float) -> tuple[Array, Array, Array]:
    r, u, g = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + eps), core(x, eps), dy * weight
    dx = r * (g - g.mean(axis=-1, keepdims=True) - np.sin(u) * (g * u).mean(axis=-1, keepdims=True))
    rows, cores = (one.reshape(-1, x.shape[-1]) for one in (dy, u))
    return dx, (rows * cores).sum(axis=0), rows.sum(axis=0) / max(len(rows), 1)


def test_a_mistake_in_one_gradient_is_shown_there_and_not_said_of_another() -> None:
    found = audit(right, grad=averaged_dbias_and_odd_dx, dtype="float64", isolate=False)
    assert [(one.fault.code, one.about) for one in found.named] == [("LN332", "dbias")]
    assert found.named[0].title == "dweight and dbias are averaged over the rows, not summed (here: dbias)"
    assert found.main is not None
    assert found.main.evidence is not None
    assert found.main.evidence.quantity == "dbias"
    assert found.unexplained == ("dx",)
    assert "No mistake of the catalogue explains the wrong dx." in str(found)


def always_single(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    return right(x, weight, bias, eps).astype(np.float32)


def rough_and_always_single(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    return (right(x, weight, bias, eps) * (1 + 1e-3 * np.sin(x[..., :1]))).astype(np.float32)


def test_a_narrower_answer_is_one_mistake_and_its_rounding_no_second() -> None:
    found = audit(always_single, isolate=False)
    assert named(found) == {"LN405"}
    assert not found.unexplained
    found = audit(rough_and_always_single, isolate=False)
    assert named(found) == {"LN405"}
    assert found.unexplained == ("y",)


def test_float32_for_float64_is_named_with_what_to_do_where_it_is_meant() -> None:
    found = audit(lambda x, eps=1e-5: core(x.astype(np.float32), eps).astype(x.dtype), isolate=False)
    assert named(found) == {"LN210"}
    assert "where float32 is all that is meant, audit that: --dtype float32" in found.notes
    assert audit(lambda x, eps=1e-5: core(x.astype(np.float32), eps).astype(x.dtype), dtype="float32", isolate=False).verdict == "held"


@pytest.mark.parametrize("check", ["V01", "V02", "V05", "V07", "V12", "F05"])
def test_few_answers_name_no_mistake_of_several_that_fit(check: str) -> None:
    found = audit(all_in_half, dtype="float16", only=(check,), isolate=False)
    assert found.verdict == "failed"
    assert not found.named
    assert len(found.possible) > 1
    assert "There are too few answers to tell which mistake it is. These fit them all:" in str(found)


def all_in_half(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    return affine(core(x, eps), weight, bias)


@pytest.mark.parametrize(("divisor", "fill", "code"), [("kept", "row", "LN141"), ("width", "zero", "LN147"), ("width", "mean", "LN148")])
def test_mistakes_about_masks_are_named(divisor: str, fill: str, code: str) -> None:
    def layer_norm(x: Array, eps: float = 1e-5, mask: Array | None = None) -> Array:
        kept = np.ones(x.shape, bool) if mask is None or fill == "row" else mask
        count = kept.sum(axis=-1, keepdims=True) if divisor == "kept" else x.shape[-1]
        mean = np.where(kept, x, 0).sum(axis=-1, keepdims=True) / count
        v = np.where(kept, x, 0 if fill == "zero" else mean) - mean
        found: Array = v / np.sqrt((v * v).sum(axis=-1, keepdims=True) / count + eps)
        return found

    assert named(audit(layer_norm, dtype="float64", isolate=False)) == {code}
