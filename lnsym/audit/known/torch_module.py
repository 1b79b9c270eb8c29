"""PyTorch's module, with its own gradients. Imports nothing of PyTorch."""

from lnsym.audit.known.record import Known

KNOWN = Known("torch.nn.LayerNorm", "The module of PyTorch on the CPU.", ("torch",), "torch", "torch.nn:LayerNorm")
