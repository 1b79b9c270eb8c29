"""PyTorch's function, with its own gradients. Imports nothing of PyTorch."""

from lnsym.audit.known.record import Known

KNOWN = Known("torch, functional.layer_norm", "The function of PyTorch on the CPU.", ("torch",), "torch", "torch.nn.functional:layer_norm")
