"""The sizes that the error bounds are multiples of, for every operation: |error| <= k 2^-p size + eta.

A size needs few digits; u comes from the oracle, the rest is computed with long floats. Imports NumPy and the oracle.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lnsym import oracle
from tests.emit.bug_cases import LEAST, PRECISION

Array = NDArray[Any]
K = 16.0  # what the safe tier is held to
SLACK = 1.01  # for the digits that a size is not computed to


def allowed(size: Array, form: str, k: float = K) -> Array:
    """How far an answer of this format may be from the right one, as float64: infinite where the bound leaves the range."""
    with np.errstate(over="ignore"):
        room: Array = (k * SLACK * 2.0 ** -PRECISION[form] * size + LEAST[form]).astype(np.float64)
    return room


def _rms(rows: Array) -> Array:
    """The root mean square along the rows, which neither overflows nor underflows on the way."""
    top = np.abs(rows).max(axis=-1, keepdims=True)
    top = np.where(top > 0, top, 1)
    size: Array = top * np.sqrt(np.square(rows / top).mean(axis=-1, keepdims=True))
    return size


def _centred(rows: Array) -> Array:
    long = rows.astype(np.longdouble)
    centred: Array = long - long.mean(axis=-1, keepdims=True)
    return centred


def _core(x: Array, eps: float) -> tuple[Array, Array, Array]:
    """|u|, sqrt(rho) = rms(u) and 1 / sqrt(q + eps)."""
    u = np.abs(oracle.normalize(x, eps, np.float64)).astype(np.longdouble)
    root = 1 / np.hypot(_rms(_centred(x)), np.sqrt(np.longdouble(eps)))
    return u, _rms(u), root


def output(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    """|weight| (|u| + sqrt(rho)) + |bias|."""
    u, spread, _ = _core(x, eps)
    size: Array = (u + spread) * (1 if weight is None else np.abs(weight.astype(np.longdouble)))
    return size if bias is None else size + np.abs(bias.astype(np.longdouble))


def derivative(h: Array, x: Array, eps: float = 1e-5) -> Array:
    """Of J h: (|h - mean| + (1 + |u|) rms(h - mean)) / sqrt(q + eps)."""
    u, _, root = _core(x, eps)
    centred = _centred(h)
    size: Array = root * (np.abs(centred) + (1 + u) * _rms(centred))
    return size


def gradient(dy: Array, x: Array, weight: Array | None = None, eps: float = 1e-5) -> Array:
    """Of dx = J (weight * dy); the rounding of the product weight * dy counts too."""
    size = derivative(_scaled(dy, weight), x, eps)
    if weight is None:
        return size
    g = np.abs(_scaled(dy, weight))
    root = _core(x, eps)[2]
    whole: Array = size + root * (g + g.mean(axis=-1, keepdims=True))
    return whole


def directional(x: Array, h: Array, weight: Array | None = None, eps: float = 1e-5) -> Array:
    """Of weight * J h."""
    return np.abs(_scaled(derivative(h, x, eps), weight))


def parameters(dy: Array, x: Array, eps: float = 1e-5) -> tuple[Array, Array]:
    """Of dweight and dbias: sums over the rows of |dy| (|u| + sqrt(rho)), and of |dy|."""
    long = np.abs(dy.astype(np.longdouble))
    return (long * output(x, eps=eps)).sum(axis=0), long.sum(axis=0)


def exact_weight_gradient(dy: Array, x: Array, eps: float, right: Array) -> Array:
    """What the exact tier promises of dweight over several rows: how far it may be from the right answer."""
    u, spread, _ = _core(x, eps)
    size, form = np.abs(dy.astype(np.longdouble)), right.dtype.name
    value = 2.0 ** -PRECISION[form] * np.abs(right.astype(np.longdouble))
    if form != "float64":
        lost = 2.0**-38 * (size * (u + spread)).sum(axis=0)
    else:
        top = u.max(axis=-1, keepdims=True)
        lost = ((2.0**-66 * size + 2.0**-600 * size.max(axis=-1, keepdims=True)) * top).sum(axis=0)
    # Twice the rounding of the value: the right answer is itself rounded here.
    room: Array = (2 * SLACK * value + lost + LEAST[form]).astype(np.float64)
    return room


def double_backward(
    a: Array, b: Array, c: Array, dy: Array, x: Array, weight: Array | None = None, eps: float = 1e-5
) -> tuple[Array, Array, Array]:
    """Of the cotangents of dy, x and weight for cotangents (a, b, c) of (dx, dweight, dbias)."""
    u, _, root = _core(x, eps)
    along = derivative(a, x, eps)
    long_b = np.abs(b.astype(np.longdouble))
    first = np.abs(_scaled(along, weight)) + long_b * output(x, eps=eps) + np.abs(c.astype(np.longdouble))
    pa, pk = np.abs(_centred(a)), np.abs(_centred(_scaled(dy, weight)))
    curved = root**2 * (_rms(pk) * pa + _rms(pa) * pk + 4 * _rms(pa) * _rms(pk) * (1 + u))
    return first, curved + derivative(_scaled(dy, b), x, eps), (np.abs(dy.astype(np.longdouble)) * along).sum(axis=0)


def jacobian(x: Array, eps: float = 1e-5) -> Array:
    """Of the matrix of one row: derivatives along the unit vectors."""
    d = x.shape[-1]
    return derivative(np.eye(d), np.broadcast_to(x.reshape(1, d), (d, d)), eps)


def _scaled(rows: Array, weight: Array | None) -> Array:
    long = rows.astype(np.longdouble)
    return long if weight is None else long * weight.astype(np.longdouble)
