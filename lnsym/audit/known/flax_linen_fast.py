"""Flax: linen.LayerNorm with use_fast_variance=True. Imports Flax when called."""

from typing import Any

from lnsym.audit.known.record import Known


def layer_norm(x: Any, weight: Any, bias: Any, eps: float = 1e-6) -> Any:
    """The module applied to its parameters."""
    from flax import linen

    return linen.LayerNorm(epsilon=eps, use_fast_variance=True).apply({"params": {"scale": weight, "bias": bias}}, x)


KNOWN = Known(
    "flax.linen, fast variance",
    "LayerNorm(use_fast_variance=True) of Flax on the CPU: the variance in one pass, the default.",
    ("flax", "jax", "jaxlib"),
    "jax",
    f"{__name__}:layer_norm",
)
