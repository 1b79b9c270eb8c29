"""NumPy, as people write it: mean, then the mean of the squared deviations. Imports NumPy."""

import numpy as np

from lnsym.audit.call import Array
from lnsym.audit.known.record import Known


def layer_norm(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    """Two passes."""
    mean = x.mean(axis=-1, keepdims=True)
    var = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    y: Array = (x - mean) / np.sqrt(var + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


KNOWN = Known("NumPy, two passes", "(x - mean)/sqrt(mean((x - mean)^2) + eps).", ("numpy",), "numpy", f"{__name__}:layer_norm")
