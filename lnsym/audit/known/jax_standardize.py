"""JAX: jax.nn.standardize, then weight and bias. Imports JAX when called."""

from typing import Any

from lnsym.audit.known.record import Known


def layer_norm(x: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """The function takes no weight and no bias."""
    import jax

    y = jax.nn.standardize(x, axis=-1, epsilon=eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


KNOWN = Known(
    "jax.nn.standardize", "The function of JAX on the CPU, with weight and bias.", ("jax", "jaxlib"), "jax", f"{__name__}:layer_norm"
)
