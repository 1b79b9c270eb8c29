"""Right implementations as subjects of an audit: two passes, 50 digits, and the emitted safe tier. Imports the audit's records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import mpmath
import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.subject import About
from tests.emit.modules import emitted

HALF = ("float16", "bfloat16")
EVERYTHING = frozenset({"weight", "bias", "eps", "axis", "mask"})
DERIVATIVES = frozenset({"vjp", "jvp", "double"})


class Core(NamedTuple):
    """What a pass starts from, as rows: u, 1/s, the weight and the bias."""

    u: Array
    r: Array
    weight: Array
    bias: Array


def mean(rows: Array) -> Array:
    """The mean of every row, which stays an axis."""
    found: Array = rows.mean(axis=1, keepdims=True)
    return found


class Textbook:
    """Two passes, halves in float32, derivatives by the formulas of the book. Wrong implementations override one of its steps."""

    name = "two passes"
    takes = EVERYTHING
    gradients = DERIVATIVES

    def __init__(self, **about: Any) -> None:
        settings = {"takes": self.takes, "gradients": self.gradients, "formats": ("float64", "float32", "float16", "bfloat16")} | about
        self.about = About(self.name, "numpy", **settings)

    # ------------------------------------------------ the steps

    def rows(self, call: Call) -> Array:
        """x as rows in the format to compute in."""
        rows = call.flat(call.x)
        kind = np.float32 if rows.dtype.name in HALF else np.float64 if rows.dtype.kind == "i" else rows.dtype
        return rows.astype(kind, copy=False)

    def root(self, q: Array, eps: float) -> Array:
        """1/s."""
        r: Array = 1 / np.sqrt(q + q.dtype.type(eps))
        return r

    def center(self, x: Array, kept: Array) -> Array:
        """The deviations."""
        count = kept.sum(axis=1, keepdims=True).astype(x.dtype)
        return np.where(kept, x - np.where(kept, x, 0).sum(axis=1, keepdims=True) / count, 0)

    def variance(self, v: Array, kept: Array) -> Array:
        """q."""
        q: Array = (v * v).sum(axis=1, keepdims=True) / kept.sum(axis=1, keepdims=True).astype(v.dtype)
        return q

    def core(self, call: Call) -> Core:
        """u and 1/s, and the parameters in the same format."""
        x = self.rows(call)
        kept = np.ones(x.shape, bool) if call.mask is None else call.flat(call.mask)
        v = self.center(x, kept)
        r = self.root(self.variance(v, kept), call.eps)
        return Core(v * r, r, *self.parameters(call, x.dtype))

    def parameters(self, call: Call, dtype: Any) -> tuple[Array, Array]:
        """Weight and bias, filled in."""
        weight, bias = self.about.weight or call.weight, self.about.bias or call.bias
        return (
            np.ones(call.width, dtype) if weight is None else np.asarray(weight).reshape(-1).astype(dtype),
            np.zeros(call.width, dtype) if bias is None else np.asarray(bias).reshape(-1).astype(dtype),
        )

    def affine(self, found: Core) -> Array:
        """y as rows."""
        y: Array = found.weight * found.u + found.bias
        return y

    def dx(self, found: Core, k: Array) -> Array:
        """The gradient by x from that by the core."""
        dx: Array = found.r * (k - mean(k) - found.u * mean(found.u * k))
        return dx

    def dweight(self, found: Core, g: Array) -> Array:
        """The gradient by the weight."""
        total: Array = (g * found.u).sum(axis=0)
        return total

    def dbias(self, g: Array) -> Array:
        """The gradient by the bias."""
        total: Array = g.sum(axis=0)
        return total

    # ------------------------------------------------ what a subject offers

    def forward(self, call: Call) -> Any:
        if call.eps < 0:
            raise ValueError(f"eps: expected a number >= 0, got {call.eps}")
        y = call.shaped(self.affine(self.core(call)))
        return y if call.x.dtype.kind == "i" else y.astype(call.x.dtype)

    def gradient(self, call: Call, dy: Array, wrt: tuple[str, ...]) -> Mapping[str, Array]:
        found = self.core(call)
        g = call.flat(dy).astype(found.u.dtype)
        shape = tuple(call.x.shape[axis] for axis in call.axes)
        whole = {
            "x": call.shaped(self.dx(found, g * found.weight)),
            "weight": self.dweight(found, g).reshape(shape),
            "bias": self.dbias(g).reshape(shape),
        }
        return {name: whole[name].astype(call.x.dtype) for name in wrt}

    def jvp(self, call: Call, dx: Array) -> Array:
        found = self.core(call)
        return call.shaped(found.weight * self.dx(found, call.flat(dx).astype(found.u.dtype))).astype(call.x.dtype)

    def double(self, call: Call, dy: Array, ddx: Array) -> Mapping[str, Array]:
        found = self.core(call)
        g, a = (call.flat(one).astype(found.u.dtype) for one in (dy, ddx))
        along, k, u = self.dx(found, a), g * found.weight, found.u
        pa, pk, ua, uk = a - mean(a), k - mean(k), mean(u * a), mean(u * k)
        to_x = -(found.r**2) * (uk * pa + ua * pk + (mean(pa * pk) - 3 * ua * uk) * u)
        shape = tuple(call.x.shape[axis] for axis in call.axes)
        return {
            "dy": call.shaped(found.weight * along).astype(call.x.dtype),
            "x": call.shaped(to_x).astype(call.x.dtype),
            "weight": (g * along).sum(axis=0).reshape(shape).astype(call.x.dtype),
        }


class FiftyDigits(Textbook):
    """The same with every row in 50 digits of mpmath; what is undefined it refuses."""

    name = "50 digits"
    takes = EVERYTHING - {"mask"}

    def core(self, call: Call) -> Core:
        rows = call.flat(call.x).astype(np.float64)
        u, r = np.empty(rows.shape), np.empty((rows.shape[0], 1))
        known: dict[bytes, int] = {}
        with mpmath.workdps(50):
            for at, row in enumerate(rows):
                same = known.setdefault(row.tobytes(), at)
                u[at], r[at] = (u[same], r[same]) if same < at else self._row(row, call.eps)
        return Core(u, r, *self.parameters(call, np.float64))

    @staticmethod
    def _row(row: Array, eps: float) -> tuple[list[float], float]:
        entries = [mpmath.mpf(entry) for entry in row.tolist()]
        middle = mpmath.fsum(entries) / len(entries)
        s = mpmath.sqrt(mpmath.fsum((entry - middle) ** 2 for entry in entries) / len(entries) + mpmath.mpf(eps))
        return [float((entry - middle) / s) for entry in entries], float(1 / s)


class Emitted(Textbook):
    """The safe tier as it is handed out."""

    name = "emitted"
    takes = EVERYTHING - {"mask"}

    def __init__(self) -> None:
        super().__init__(formats=("float64", "float32", "float16"))
        self.module = emitted("safe")

    def forward(self, call: Call) -> Any:
        return self.module.layer_norm(call.x, call.weight, call.bias, call.eps, call.axis)

    def gradient(self, call: Call, dy: Array, wrt: tuple[str, ...]) -> Mapping[str, Array]:
        found = self.module.layer_norm_vjp(dy, call.x, call.weight, call.eps, call.axis, wrt=wrt)
        return dict(zip(wrt, found if isinstance(found, tuple) else (found,), strict=True))

    def jvp(self, call: Call, dx: Array) -> Array:
        along: Array = self.module.layer_norm_jvp(call.x, dx, call.weight, call.eps, call.axis)
        return along

    def double(self, call: Call, dy: Array, ddx: Array) -> Mapping[str, Array]:
        found = self.module.layer_norm_vjp_vjp(ddx, None, None, dy, call.x, call.weight, call.eps, call.axis)
        return dict(zip(("dy", "x", "weight"), found, strict=True))
