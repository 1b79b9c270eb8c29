"""The right answers to a call, correctly rounded to float64 by the oracle, in the shapes of the call. Imports the oracle."""

from __future__ import annotations

import numpy as np

from lnsym import oracle
from lnsym.audit.call import Array, Call, Gradient


def output(call: Call) -> Array:
    """y of the call. With a mask, the entries that count are normalized among themselves and the others give NaN: any value is right."""
    x = call.flat(call.x)
    weight, bias = _vector(call.weight), _vector(call.bias)
    if call.mask is None:
        return call.shaped(oracle.layer_norm(x, weight, bias, call.eps, "float64"))
    y = np.full(x.shape, np.nan)
    for row, kept, out in zip(x, call.flat(call.mask), y, strict=True):
        if kept.any():
            out[kept] = oracle.layer_norm(row[kept], _some(weight, kept), _some(bias, kept), call.eps, "float64")
    return call.shaped(y)


def statistics(call: Call) -> tuple[Array, Array]:
    """Mean and rstd of every row, (n, 1)."""
    x = call.flat(call.x)
    return oracle.mean(x, "float64")[:, None], oracle.rstd(x, call.eps, "float64")[:, None]


def gradient(call: Call, dy: Array) -> Gradient:
    """dx, dweight and dbias by "x", "weight" and "bias", for the cotangent dy of y."""
    x, g, weight = call.flat(call.x), call.flat(dy), _vector(call.weight)
    shape = tuple(call.x.shape[axis] for axis in call.axes)
    return {
        "x": call.shaped(oracle.vjp(g, x, weight, call.eps, "float64")),
        "weight": oracle.dweight(g, x, call.eps, "float64").reshape(shape),
        "bias": oracle.dbias(g, "float64").reshape(shape),
    }


def jvp(call: Call, dx: Array) -> Array:
    """The derivative of y along dx."""
    return call.shaped(oracle.jvp(call.flat(call.x), call.flat(dx), _vector(call.weight), call.eps, "float64"))


def double(call: Call, dy: Array, ddx: Array) -> Gradient:
    """The gradients by "dy", "x" and "weight" of sum(ddx * dx)."""
    x, g, a, weight = call.flat(call.x), call.flat(dy), call.flat(ddx), _vector(call.weight)
    to_dy, to_x, to_weight = oracle.vjp_vjp(a, None, None, g, x, weight, call.eps, "float64")
    shape = tuple(call.x.shape[axis] for axis in call.axes)
    return {"dy": call.shaped(to_dy), "x": call.shaped(to_x), "weight": to_weight.reshape(shape)}


def _vector(values: Array | None) -> Array | None:
    return None if values is None else values.reshape(-1)


def _some(values: Array | None, kept: Array) -> Array | None:
    return None if values is None else values[kept]
