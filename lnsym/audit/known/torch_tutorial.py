"""PyTorch as tutorials write a layer norm: x.std, which divides by d - 1, plus eps. Imports nothing of PyTorch."""

from typing import Any

from lnsym.audit.known.record import Known


def layer_norm(x: Any, weight: Any, bias: Any, eps: float = 1e-6) -> Any:
    """Works on tensors, whose own methods it uses."""
    mean = x.mean(-1, keepdim=True)
    std = x.std(-1, keepdim=True)
    return weight * (x - mean) / (std + eps) + bias


KNOWN = Known("PyTorch, as in tutorials", "weight*(x - mean)/(x.std() + eps) + bias.", ("torch",), "torch", f"{__name__}:layer_norm")
