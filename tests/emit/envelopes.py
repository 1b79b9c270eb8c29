"""What the bounds of the safe tier are multiples of, for the operations that lnsym.oracle.measure has no constant for.

Computed in extended precision for its range of exponents: products of three numbers of the largest sizes occur.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lnsym import oracle
from lnsym.oracle import measure

Array = NDArray[Any]


def long(array: Array | None, d: int, absent: float) -> Array:
    """The entries in extended precision; a row of one number in place of an absent vector."""
    entries: Array = np.full(d, absent, np.longdouble) if array is None else array.astype(np.float64).astype(np.longdouble)
    return entries


def _mean(x: Array) -> Array:
    mean: Array = x.mean(axis=-1, keepdims=True)
    return mean


def _rms(x: Array) -> Array:
    return np.sqrt(_mean(x * x))


class Rows:
    """|u|, sqrt(rho) and r = 1/sqrt(q + eps) of finite rows x."""

    def __init__(self, x: Array, eps: float) -> None:
        """Take the rows (n, d) in any format."""
        u = measure.pairs(oracle.exact_layer_norm(x, None, None, eps))
        self.d = x.shape[-1]
        self.u = np.abs(np.ldexp(u.high.astype(np.longdouble), u.exponent.astype(np.int32)))
        self.root_rho = _rms(self.u)
        z = x.astype(np.float64).astype(np.longdouble)
        self.r = 1 / np.sqrt(_mean((z - _mean(z)) ** 2) + np.longdouble(eps))

    def core(self) -> Array:
        """|u| + sqrt(rho)."""
        core: Array = self.u + self.root_rho
        return core

    def _spread(self, h: Array, product: bool) -> Array:
        """|h - mean h|, and |h| + mean|h| besides if h is a product that has been rounded."""
        centred: Array = np.abs(h - _mean(h))
        return centred + np.abs(h) + _mean(np.abs(h)) if product else centred

    def jacobian(self, h: Array, product: bool) -> Array:
        """For J h."""
        spread = self._spread(h, product)
        envelope: Array = self.r * (spread + (1 + self.u) * _rms(spread))
        return envelope

    def second(self, h: Array, k: Array, product: bool) -> Array:
        """For the second derivative along h with the cotangent k."""
        a, b = self._spread(h, False), self._spread(k, product)
        envelope: Array = self.r**2 * (_rms(b) * a + _rms(a) * b + _rms(a) * _rms(b) * (1 + 4 * self.u))
        return envelope


def vjp_sums(dy: Array, x: Array, eps: float) -> tuple[Array, Array]:
    """For dweight: sum |dy| (|u| + sqrt(rho)); for dbias: sum |dy|."""
    g = np.abs(long(dy, x.shape[1], 0.0))
    return (g * Rows(x, eps).core()).sum(axis=0), g.sum(axis=0)


def vjp_vjp(
    ddx: Array | None, ddweight: Array | None, ddbias: Array | None, dy: Array, x: Array, weight: Array | None, eps: float
) -> tuple[Array, Array, Array]:
    """For ddy, dx and dweight of the double backward pass."""
    rows, d = Rows(x, eps), x.shape[1]
    a = np.zeros(x.shape, np.longdouble) if ddx is None else long(ddx, d, 0.0)
    b, c, w, g = long(ddweight, d, 0.0), long(ddbias, d, 0.0), long(weight, d, 1.0), long(dy, d, 0.0)
    along = rows.jacobian(a, False)
    ddy = np.abs(w) * along + np.abs(b) * rows.core() + np.abs(c)
    dx = rows.second(a, w * g, weight is not None) + rows.jacobian(b * g, True)
    return ddy, dx, (np.abs(g) * along).sum(axis=0)


def jacobian(x: Array, eps: float) -> Array:
    """For the matrix of one row: r (delta_ij + (1 + (|u_i| + sqrt(rho)) (|u_j| + sqrt(rho)))/d)."""
    rows = Rows(x, eps)
    core = rows.core()[0]
    envelope: Array = rows.r * (np.eye(rows.d) + (1 + core[:, None] * core[None, :]) / rows.d)
    return envelope


def constant(got: Array, want: Array, envelope: Array, floor: float = 1.0) -> float:
    """The largest k with |got - want| <= k 2^-p envelope + floor eta; want is finite or infinite in float64, rightly rounded."""
    form = oracle.FORMATS[got.dtype.name]
    g, w = got.astype(np.float64), want.astype(np.float64)
    limit = np.ldexp(np.longdouble(1), form.largest + 1)
    with np.errstate(all="ignore"):
        beyond = np.isinf(g) & ((np.sign(g) * w >= limit) | (g == w))  # infinity is right where the answer is out of range
        g, w = (np.where(np.isinf(v), np.sign(v) * limit, v.astype(np.longdouble)) for v in (g, w))
        error = np.abs(g - w) - floor * np.ldexp(np.longdouble(1), form.least)
        k = error / envelope * np.ldexp(np.longdouble(1), form.precision)
    k = np.where(beyond | (error <= 0), 0, np.where(np.isnan(k), np.inf, k))
    return float(k.max(initial=0))
