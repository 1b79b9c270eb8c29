"""The exact tier that lnsym emits for NumPy. Imports the emitted code when called."""

from __future__ import annotations

from lnsym.audit.call import Array
from lnsym.audit.known.record import Known
from lnsym.audit.tiers import emitted


def layer_norm(
    x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: int | tuple[int, ...] = -1
) -> Array:
    """The emitted function."""
    y: Array = emitted("exact")(x, weight, bias, eps, axis)
    return y


def gradient(dy: Array, x: Array, weight: Array | None, eps: float, axis: int | tuple[int, ...] = -1) -> tuple[Array, Array, Array]:
    """The emitted gradient."""
    dx, dweight, dbias = emitted("exact", "layer_norm_vjp")(dy, x, weight, eps, axis)
    return dx, dweight, dbias


KNOWN = Known("lnsym, exact tier", "Code that lnsym emits.", ("numpy",), "numpy", f"{__name__}:layer_norm", f"{__name__}:gradient")
