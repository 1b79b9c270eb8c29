"""What mistakes of arithmetic share: two passes in the call's format, and single steps in a narrower one. Imports NumPy and the calls."""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Call


def is_half(call: Call) -> bool:
    """Whether x has a half format: float16 or bfloat16."""
    return call.x.dtype.itemsize == 2


def wide(call: Call) -> np.dtype[np.floating]:
    """The format that careful code computes in: float32 for half formats, else that of x."""
    return np.dtype(np.float32) if is_half(call) else call.x.dtype


def rows_of(call: Call) -> Array:
    """x as rows (n, d), in the wide format."""
    return call.flat(call.x).astype(wide(call))


def deviations(x: Array) -> Array:
    """x minus the mean of each row."""
    v: Array = x - x.mean(axis=1, keepdims=True)
    return v


def finished(call: Call, core: Array) -> Array:
    """The answer for a core as rows: weight and bias in the format of the core, one rounding to that of x, the shape of x."""
    if call.weight is not None:
        core = core * call.weight.reshape(-1).astype(core.dtype)
    if call.bias is not None:
        core = core + call.bias.reshape(-1).astype(core.dtype)
    return call.shaped(core.astype(call.x.dtype))


def two_pass(call: Call, eps: float | None = None) -> Array:
    """The answer of careful code; `eps` replaces that of the call."""
    v = deviations(rows_of(call))
    variance = (v * v).mean(axis=1, keepdims=True)
    return finished(call, v / np.sqrt(variance + v.dtype.type(call.eps if eps is None else eps)))


def running_sum(x: Array) -> Array:
    """The sum of each row, one entry after the other, every partial sum rounded to the format of x."""
    total: Array = np.add.accumulate(x, axis=1)[:, -1:]
    return total


def kept_bits(x: Array, bits: int) -> Array:
    """x rounded to a significand of so many bits."""
    fraction, exponent = np.frexp(x)
    rounded: Array = np.ldexp(np.rint(np.ldexp(fraction, bits)), exponent - bits)
    return rounded


def fused(x: Array, y: Array, z: Array) -> Array:
    """x*y + z with the product unrounded, by Dekker's exact product."""
    bits = np.finfo(x.dtype).nmant + 1
    splitter = x.dtype.type(2 ** ((bits + 1) // 2) + 1)

    def split(a: Array) -> tuple[Array, Array]:
        high = splitter * a - (splitter * a - a)
        return high, a - high

    product = x * y
    (x1, x2), (y1, y2) = split(x), split(y)
    error = ((x1 * y1 - product) + x1 * y2 + x2 * y1) + x2 * y2
    total: Array = (product + z) + error
    return total


def least_normal(call: Call) -> float:
    """The least normal number of the format of x."""
    return {"float64": 2.0**-1022, "float16": 2.0**-14}.get(call.x.dtype.name, 2.0**-126)
