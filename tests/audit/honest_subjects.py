"""Right implementations, as people write them and as we emit them: an audit accuses none of these. Imports the emitted tiers and mpmath."""

from __future__ import annotations

from dataclasses import dataclass

import mpmath
import numpy as np

from tests.audit.norms import Array, Axes, Backward, Forward, Sums, Terms, affine, backward, norm, row_mean, rows_last
from tests.emit.modules import emitted


@dataclass(frozen=True)
class Honest:
    """A right implementation and the formats in which it is meant to be right."""

    name: str
    forward: Forward
    grad: Backward | None
    formats: tuple[str, ...]


@norm
def two_pass(x: Array, eps: float) -> Array:
    """Mean first, then the mean of the squared deviations; halves in float32."""
    v = x - row_mean(x)
    core: Array = v / np.sqrt(row_mean(v * v) + x.dtype.type(eps))
    return core


@norm
def two_pass_by_reciprocal(x: Array, eps: float) -> Array:
    """The same with a reciprocal root that is multiplied."""
    v = x - row_mean(x)
    rstd = 1 / np.sqrt(row_mean(v * v) + x.dtype.type(eps))
    core: Array = v * rstd
    return core


@norm
def two_pass_in_order(x: Array, eps: float) -> Array:
    """Sums from the first entry to the last, as a plain loop gives them."""
    v = x - np.add.accumulate(x, axis=-1)[..., -1:] / x.dtype.type(x.shape[-1]) if x.shape[-1] else x
    squares = np.add.accumulate(v * v, axis=-1)[..., -1:] / x.dtype.type(x.shape[-1]) if x.shape[-1] else v
    core: Array = v / np.sqrt(squares + x.dtype.type(eps))
    return core


@norm
def wide_sums(x: Array, eps: float) -> Array:
    """Rows in their format, statistics in float64, one rounding at the end."""
    v = x.astype(np.float64)
    v = v - row_mean(v)
    core: Array = (v / np.sqrt(row_mean(v * v) + eps)).astype(x.dtype)
    return core


@norm
def library_variance(x: Array, eps: float) -> Array:
    """NumPy's own mean and variance."""
    core: Array = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + x.dtype.type(eps))
    return core


def in_fifty_digits(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """Every row in 50 digits."""
    rows, back = rows_last(x, axis)
    with mpmath.workdps(50):
        core = np.array([_core(row, eps) for row in rows.reshape(-1, rows.shape[-1]).astype(np.float64)]).reshape(rows.shape)
    return back(affine(core, weight, bias).astype(x.dtype))


def _core(row: Array, eps: float) -> list[float]:
    entries = [mpmath.mpf(float(entry)) for entry in row]
    mean = mpmath.fsum(entries) / len(entries)
    s = mpmath.sqrt(mpmath.fsum((entry - mean) ** 2 for entry in entries) / len(entries) + mpmath.mpf(eps))
    return [float((entry - mean) / s) for entry in entries]


@backward
def textbook(_: Terms) -> Sums:
    """The formula of the book, in the format of the row."""
    return None, None, None


@backward
def by_products(t: Terms) -> Sums:
    """The form with sums: (d g - sum g - u sum(g u))/(d s)."""
    d = t.g.shape[-1]
    sums = t.g.sum(axis=-1, keepdims=True) + t.u * (t.g * t.u).sum(axis=-1, keepdims=True)
    return (d * t.g - sums) / (d * t.s), None, None


def _tier(name: str) -> Honest:
    module = emitted(name)
    return Honest(f"emitted {name}", module.layer_norm, module.layer_norm_vjp, ("float64", "float32", "float16"))


ALL = ("float64", "float32", "float16", "bfloat16")
HONEST = (
    Honest("two_pass", two_pass, textbook, ALL),
    Honest("two_pass_by_reciprocal", two_pass_by_reciprocal, by_products, ALL),
    Honest("two_pass_in_order", two_pass_in_order, None, ALL),
    Honest("wide_sums", wide_sums, None, ALL),
    Honest("library_variance", library_variance, None, ALL),
    Honest("in_fifty_digits", in_fifty_digits, None, ALL),
    _tier("safe"),
    _tier("exact"),
    _tier("plain"),
)
