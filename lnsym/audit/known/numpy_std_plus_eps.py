"""NumPy with np.std and eps added to it. Imports NumPy."""

from lnsym.audit.call import Array
from lnsym.audit.known.record import Known


def layer_norm(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    """The eps outside the root."""
    y: Array = (x - x.mean(axis=-1, keepdims=True)) / (x.std(axis=-1, keepdims=True) + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


KNOWN = Known("NumPy, np.std plus eps", "(x - mean)/(std + eps).", ("numpy",), "numpy", f"{__name__}:layer_norm")
