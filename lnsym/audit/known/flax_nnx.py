"""Flax: nnx.LayerNorm with its defaults. Imports Flax when called."""

from typing import Any

from lnsym.audit.known.record import Known


def layer_norm(x: Any, weight: Any, bias: Any, eps: float = 1e-6) -> Any:
    """The module with its parameters set."""
    from flax import nnx

    module = nnx.LayerNorm(x.shape[-1], epsilon=eps, rngs=nnx.Rngs(0))
    module.scale.value, module.bias.value = weight, bias
    return module(x)


KNOWN = Known(
    "flax.nnx.LayerNorm", "The module of Flax on the CPU with its defaults.", ("flax", "jax", "jaxlib"), "jax", f"{__name__}:layer_norm"
)
