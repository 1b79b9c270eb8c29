"""Weaknesses of half formats are named in whatever order their steps are made, and the step that leaves the format is said."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lnsym.audit import audit
from lnsym.audit.call import Call
from lnsym.audit.stages import leaves
from tests.audit.norms import Array, affine, row_mean


def total(x: Array) -> Array:
    """The sum of a row, rounded after every addition."""
    found: Array = np.add.accumulate(x, axis=-1)[..., -1:]
    return found


def in_pairs(x: Array) -> Array:
    """The sum of a row as a tree."""
    while x.shape[-1] > 1:
        x = np.concatenate([x, np.zeros_like(x[..., :1])], axis=-1) if x.shape[-1] % 2 else x
        x = x[..., ::2] + x[..., 1::2]
    return x


def width(x: Array) -> Array:
    return np.asarray(x.shape[-1], x.dtype)


CORES: dict[str, tuple[Callable[[Array, Array], Array], str]] = {
    "means of numpy": (lambda x, eps: (x - row_mean(x)) / np.sqrt(row_mean((x - row_mean(x)) ** 2) + eps), "LN205"),
    "var of numpy": (lambda x, eps: (x - row_mean(x)) / np.sqrt(x.var(axis=-1, keepdims=True) + eps), "LN205"),
    "sum, then division": (
        lambda x, eps: (x - total(x) / width(x)) / np.sqrt(total((x - total(x) / width(x)) ** 2) / width(x) + eps),
        "LN205",
    ),
    "division, then sum": (
        lambda x, eps: (x - total(x / width(x))) * (1 / np.sqrt(total((x - total(x / width(x))) ** 2 / width(x)) + eps)),
        "LN205",
    ),
    "sums as trees": (
        lambda x, eps: (x - in_pairs(x) / width(x)) / np.sqrt(in_pairs((x - in_pairs(x) / width(x)) ** 2) / width(x) + eps),
        "LN205",
    ),
    "one pass": (lambda x, eps: (x - row_mean(x)) / np.sqrt(row_mean(x * x) - row_mean(x) ** 2 + eps), "LN201"),
}


def single(x: Array) -> Array:
    return x.astype(np.float32)


def sum_rounded(x: Array, eps: float) -> Array:
    v = single(x) - row_mean(single(x))
    core: Array = v / np.sqrt(single((v * v).sum(axis=-1, keepdims=True).astype(x.dtype)) / x.shape[-1] + np.float32(eps))
    return core


def variance_rounded(x: Array, eps: float) -> Array:
    v = single(x) - row_mean(single(x))
    core: Array = v / np.sqrt(single(row_mean(v * v).astype(x.dtype)) + np.float32(eps))
    return core


@pytest.mark.parametrize("fmt", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", CORES)
def test_all_steps_in_half_are_named_in_every_order(name: str, fmt: str) -> None:
    core, code = CORES[name]

    def layer_norm(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
        return affine(core(x, np.asarray(eps, x.dtype)), weight, bias)

    found = audit(layer_norm, dtype=fmt, isolate=False)
    assert [one.fault.code for one in found.named] == [code]


@pytest.mark.parametrize("fmt", ["float16", "bfloat16"])
@pytest.mark.parametrize(("core", "code"), [(sum_rounded, "LN204"), (variance_rounded, "LN217")])
def test_what_is_rounded_once_is_told_apart(core: Callable[[Array, float], Array], code: str, fmt: str) -> None:
    def layer_norm(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
        return affine(core(x, eps), weight, bias).astype(x.dtype)

    found = audit(layer_norm, dtype=fmt, isolate=False)
    assert [one.fault.code for one in found.named] == [code]


STAGES = [  # format, row, eps, weight, what is said
    ("float16", [6e4, 6e4, 0.0], 1e-5, 1.0, "the sum of the row is beyond 65504"),
    ("float16", [400.0, -400.0], 1e-5, 1.0, "the square of a deviation is beyond 65504"),
    ("float16", [80.0, -80.0] * 8, 1e-5, 1.0, "the sum of the squares is beyond 65504"),
    ("float16", [1.0, -1.0], 1e-5, 6e4, ""),
    ("float16", [1.0, 1.0, -2.0], 1e-5, 6e4, "the core times the weight is beyond 65504"),
    ("float16", [300.0, 301.0], 1e-5, 1.0, "the square of an entry is beyond 65504"),
    ("float16", [1.0, 1.0], 1e-12, 1.0, "variance and eps are both below 6.1e-05, the least normal number"),
    ("float32", [1e20, -1e20], 1e-5, 1.0, "the square of a deviation is beyond 3.4028e+38"),
    ("float64", [1e200, -1e200], 1e-5, 1.0, "the square of a deviation is beyond 1.7977e+308"),
    ("float64", [1.0, 2.0], 1e-5, 1.0, ""),
]


@pytest.mark.parametrize(("fmt", "row", "eps", "weight", "said"), STAGES)
def test_the_step_that_leaves_the_format_is_said(fmt: str, row: list[float], eps: float, weight: float, said: str) -> None:
    x = np.array([[0.0] * (len(row) - 1) + [1.0], row], fmt)
    call = Call(x, np.full(len(row), weight, fmt), eps=eps)
    yours = np.array([[1.0] * len(row), [np.nan] * len(row)], fmt)
    found = leaves(call, yours, np.ones(x.shape))
    assert found.startswith(f"in {fmt} {said}") if said else not found
    assert not leaves(call, np.ones(x.shape, fmt), np.ones(x.shape))


def test_it_stands_below_the_numbers() -> None:
    def layer_norm(x: Array, eps: float = 1e-5) -> Array:
        return CORES["means of numpy"][0](x, np.asarray(eps, x.dtype))

    found = " ".join(str(audit(layer_norm, dtype="float32", only=("F11",), full_range=True, isolate=False)).split())
    assert "0 instead of 1 in float32 the square of a deviation is beyond 3.4028e+38, the largest number" in found
