"""NumPy with the variance in one pass, as the mean of the squares minus the squared mean. Imports NumPy."""

import numpy as np

from lnsym.audit.call import Array
from lnsym.audit.known.record import Known


def layer_norm(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    """One pass."""
    mean = x.mean(axis=-1, keepdims=True)
    var = (x * x).mean(axis=-1, keepdims=True) - mean * mean
    y: Array = (x - mean) / np.sqrt(var + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


KNOWN = Known("NumPy, one pass", "(x - mean)/sqrt(mean(x^2) - mean^2 + eps).", ("numpy",), "numpy", f"{__name__}:layer_norm")
