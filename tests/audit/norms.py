"""How the subjects of the tests are written: a core of rows becomes a layer norm, a formula of terms a backward pass. Imports NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Axes = int | tuple[int, ...]
Forward = Callable[..., Array]
Backward = Callable[..., tuple[Array, Array, Array]]
HALF = ("float16", "bfloat16")


def wide(x: Array) -> Array:
    """The array in the format to compute in: float32 for a half format, else its own."""
    return x.astype(np.float32) if x.dtype.name in HALF else x


def row_mean(x: Array) -> Array:
    """The mean along the last axis, which stays."""
    mean: Array = x.mean(axis=-1, keepdims=True)
    return mean


def rows_last(x: Array, axis: Axes) -> tuple[Array, Callable[[Array], Array]]:
    """The array with its normalized axes joined into the last one, and the way back."""
    axes = sorted(one % x.ndim for one in (axis if isinstance(axis, tuple) else (axis,)))
    order = [one for one in range(x.ndim) if one not in axes] + axes
    moved = x.transpose(order)
    kept = moved.shape[: x.ndim - len(axes)]
    joined = moved.reshape(*kept, int(np.prod(moved.shape[len(kept) :])))
    return joined, lambda y: y.reshape(moved.shape).transpose(np.argsort(order))


def affine(core: Array, weight: Array | None, bias: Array | None) -> Array:
    """weight * core + bias, each where it is given."""
    if weight is not None:
        core = core * weight.reshape(-1).astype(core.dtype)
    return core if bias is None else core + bias.reshape(-1).astype(core.dtype)


def norm(core: Callable[[Array, float], Array]) -> Forward:
    """A layer norm from the core of rows; halves are computed in float32 and rounded once at the end."""

    def layer_norm(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
        rows, back = rows_last(x, axis)
        with np.errstate(all="ignore"):
            return back(affine(core(wide(rows), eps), weight, bias).astype(x.dtype))

    layer_norm.__name__, layer_norm.__doc__ = core.__name__, core.__doc__
    return layer_norm


class Terms(NamedTuple):
    """What a backward pass is made of, as rows: g = weight*dy, the core u, the deviations v, the root s."""

    g: Array
    u: Array
    v: Array
    s: Array
    dy: Array
    x: Array
    weight: Array
    eps: float


Sums = tuple[Array | None, Array | None, Array | None]


def backward(formula: Callable[[Terms], Sums]) -> Backward:
    """A backward pass along the last axis from what it gives for dx, dweight and dbias; what it leaves as None is right."""

    def layer_norm_vjp(dy: Array, x: Array, weight: Array | None = None, eps: float = 1e-5) -> tuple[Array, Array, Array]:
        d = x.shape[-1]
        rows, cotangent = wide(x).reshape(-1, d), wide(dy).reshape(-1, d)
        gain = np.ones(d, rows.dtype) if weight is None else weight.astype(rows.dtype)
        with np.errstate(all="ignore"):
            v = rows - row_mean(rows)
            s = np.sqrt(row_mean(v * v) + rows.dtype.type(eps))
            t = Terms(gain * cotangent, v / s, v, s, cotangent, rows, gain, eps)
            dx, dweight, dbias = formula(t)
        dx = dx_of(t.g, t.u, t.s) if dx is None else dx
        dweight = (t.dy * t.u).sum(axis=0) if dweight is None else dweight
        dbias = t.dy.sum(axis=0) if dbias is None else dbias
        return dx.reshape(x.shape).astype(x.dtype), dweight.astype(x.dtype), dbias.astype(x.dtype)

    layer_norm_vjp.__name__, layer_norm_vjp.__doc__ = formula.__name__, formula.__doc__
    return layer_norm_vjp


def dx_of(g: Array, u: Array, s: Array) -> Array:
    """The right gradient by x."""
    dx: Array = (g - row_mean(g) - u * row_mean(g * u)) / s
    return dx
