"""LN137: statistics without their axis. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import RAISES, affine_rows


def model(call: Call) -> Array:
    """y as the mistake computes it, where the shapes let it."""
    x = call.x.astype(np.float64)
    try:
        v = x - x.mean(axis=call.axes)
        core = v / np.sqrt((v**2).mean(axis=call.axes) + call.eps)
    except ValueError:
        return RAISES
    return affine_rows(call, core) if core.shape == x.shape else RAISES


FAULT = Fault(
    code="LN137",
    title="the reductions drop their axis, so mean and variance of row i are applied to column i",
    kind="function",
    computes=(
        r"v_{ij} = x_{ij} - \mu_{\wrong{j}}, \quad u_{ij} = \frac{v_{ij}}{\sqrt{\operatorname{mean}_k(v_{\wrong{j}k}^2) + "
        r"\varepsilon}}"
    ),
    instead_of=r"v_{ij} = x_{ij} - \mu_i, \quad u_{ij} = \frac{v_{ij}}{\sqrt{\operatorname{mean}_k(v_{ik}^2) + \varepsilon}}",
    words="v = x - mean(x, axis), then v/sqrt(mean(v^2, axis) + eps), both without keepdims",
    slips="A single row is right. For most shapes it raises an error, but for square matrices the shapes fit.",
    repair="Write keepdims=True in both reductions. Test a square batch.",
    witness=Witness(
        x=(("0", "2"), ("4", "10")),
        eps="3",
        yours=(("-1/4", "-5*sqrt(3)/6"), ("3/4", "sqrt(3)/2")),
        exact=(("-1/2", "1/2"), ("-sqrt(3)/2", "sqrt(3)/2")),
    ),
    theorems=("core_pooled_steps", "jacobian_batch_core_eq"),
    reports=("microsoft/onnxruntime#30513", "microsoft/onnxruntime#31144", "microsoft/onnxruntime#31147"),
    whole=model,
)
