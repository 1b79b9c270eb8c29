"""Judgements that were once unfair: honest code that refuses or is slow, names that were not true. Imports NumPy."""

from __future__ import annotations

import time
from collections.abc import Iterator

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
    assert reason(found, "S03") == "it takes one number of axes only"
    assert audit(images_only, dtype="float64", axis=1, isolate=False).verdict == "held"


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
