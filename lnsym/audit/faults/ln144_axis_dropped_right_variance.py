"""LN144: mean and variance without their axis. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import RAISES, affine_rows


def model(call: Call) -> Array:
    """y as the mistake computes it, where the shapes let it."""
    x = call.x.astype(np.float64)
    try:
        core = (x - x.mean(axis=call.axes)) / np.sqrt(x.var(axis=call.axes) + call.eps)
    except ValueError:
        return RAISES
    return affine_rows(call, core) if core.shape == x.shape else RAISES


FAULT = Fault(
    code="LN144",
    title="mean and variance are right but lose their axis, so those of row i are applied to column i",
    kind="function",
    computes=r"u_{ij} = \frac{x_{ij} - \mu_{\wrong{j}}}{\sqrt{q_{\wrong{j}} + \varepsilon}}",
    instead_of=r"u_{ij} = \frac{x_{ij} - \mu_i}{\sqrt{q_i + \varepsilon}}",
    words="(x - mean(x, axis))/sqrt(var(x, axis) + eps) without keepdims",
    slips="A single row is right. For most shapes it raises an error, but for square matrices the shapes fit.",
    repair="Write keepdims=True in both reductions. Test a square batch.",
    witness=Witness(
        x=(("0", "2"), ("4", "10")),
        eps="3",
        yours=(("-1/2", "-5*sqrt(3)/6"), ("3/2", "sqrt(3)/2")),
        exact=(("-1/2", "1/2"), ("-sqrt(3)/2", "sqrt(3)/2")),
    ),
    theorems=("core_pooled_steps", "jacobian_batch_core_eq"),
    reports=("microsoft/onnxruntime#30513",),
    whole=model,
)
