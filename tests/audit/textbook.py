"""A right layer norm with its gradient, as a careful author writes it: the text whose mutants an audit must catch. Imports NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Vector = Array | None


def _statistics(x: Array, eps: float) -> tuple[Array, Array]:
    """Mean and reciprocal root of every row."""
    mean = np.sum(x, axis=1, keepdims=True) / x.shape[1]
    deviations = x - mean
    variance = np.sum(deviations * deviations, axis=1, keepdims=True) / x.shape[1]
    return mean, 1 / np.sqrt(variance + x.dtype.type(eps))


def _core(x: Array, eps: float) -> tuple[Array, Array]:
    """(x - mean) * rstd."""
    mean, rstd = _statistics(x, eps)
    return (x - mean) * rstd, rstd


def _affine(core: Array, weight: Vector, bias: Vector) -> Array:
    """weight * core + bias, where they are given."""
    if weight is not None:
        core = core * weight
    if bias is not None:
        core = core + bias
    return core


def _forward(x: Array, weight: Vector, bias: Vector, eps: float) -> Array:
    """y for rows."""
    core, _ = _core(x, eps)
    return _affine(core, weight, bias)


def _dx(g: Array, core: Array, rstd: Array) -> Array:
    """rstd * (g - mean(g) - u mean(g u))."""
    d = core.shape[1]
    mean = np.sum(g, axis=1, keepdims=True) / d
    along = np.sum(g * core, axis=1, keepdims=True) / d
    dx: Array = rstd * (g - mean - core * along)
    return dx


def _backward(dy: Array, x: Array, weight: Vector, eps: float) -> tuple[Array, Array, Array]:
    """dx, dweight, dbias for rows."""
    core, rstd = _core(x, eps)
    g = dy if weight is None else dy * weight
    dweight = np.sum(dy * core, axis=0)
    dbias = np.sum(dy, axis=0)
    return _dx(g, core, rstd), dweight, dbias


def _welford(x: Array, eps: float) -> Array:
    """The core by running moments."""
    mean = np.zeros((x.shape[0], 1), x.dtype)
    moment = np.zeros((x.shape[0], 1), x.dtype)
    for k in range(x.shape[1]):
        column = x[:, k : k + 1]
        step = column - mean
        mean = mean + step / (k + 1)
        moment = moment + step * (column - mean)
    core: Array = (x - mean) / np.sqrt(moment / x.shape[1] + x.dtype.type(eps))
    return core


def _running(x: Array, weight: Vector, bias: Vector, eps: float) -> Array:
    """y by running moments."""
    return _affine(_welford(x, eps), weight, bias)


def _shifted(x: Array, weight: Vector, bias: Vector, eps: float) -> Array:
    """y by sums of the row less its first entry."""
    first = x[:, 0:1]
    shifted = x - first
    d = x.shape[1]
    total = np.sum(shifted, axis=1, keepdims=True)
    mean = total / d
    v = shifted - mean
    variance = (np.sum(v * v, axis=1, keepdims=True) - np.sum(v, axis=1, keepdims=True) ** 2 / d) / d
    core = v / np.sqrt(variance + x.dtype.type(eps))
    return _affine(core, weight, bias)


def _blocked(x: Array, weight: Vector, bias: Vector, eps: float) -> Array:
    """y by merging the moments of two halves of each row."""
    half = x.shape[1] // 2
    one, two = x[:, :half], x[:, half:]
    n1, n2 = half, x.shape[1] - half
    n = n1 + n2
    mean2 = np.sum(two, axis=1, keepdims=True) / n2
    mean1 = np.sum(one, axis=1, keepdims=True) / n1 if n1 > 0 else mean2
    apart = mean2 - mean1
    mean = mean1 + apart * n2 / n
    squares1 = np.sum((one - mean1) ** 2, axis=1, keepdims=True)
    squares2 = np.sum((two - mean2) ** 2, axis=1, keepdims=True)
    variance = (squares1 + squares2 + apart * apart * n1 * n2 / n) / n
    core = (x - mean) / np.sqrt(variance + x.dtype.type(eps))
    return _affine(core, weight, bias)
