"""LN135: statistics along axis 0. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import affine_rows, normalized


def model(call: Call) -> Array:
    """y as the mistake computes it."""
    return affine_rows(call, normalized(call.x.astype(np.float64), 0, call.eps))


FAULT = Fault(
    code="LN135",
    title="mean and variance are taken along axis 0 of the array, whatever axis was asked for",
    kind="function",
    computes=(
        r"\mu = \operatorname{mean}_{\wrong{\text{axis 0}}}(x), \quad q = \operatorname{mean}_{\wrong{\text{axis 0}}}\left((x - "
        r"\mu)^2\right)"
    ),
    instead_of=r"\mu = \operatorname{mean}_{\text{axis}}(x), \quad q = \operatorname{mean}_{\text{axis}}\left((x - \mu)^2\right)",
    words="weight*(x - mean(x, axis=0))/sqrt(var(x, axis=0) + eps) + bias",
    slips="Shapes fit, and each column comes out with mean 0 and variance near 1.",
    repair="Reduce over the normalized axes only. Test that a row alone gives what it gives in a batch.",
    witness=Witness(
        x=(("0", "2"), ("2", "8")),
        eps="3",
        yours=(("-1/2", "-sqrt(3)/2"), ("1/2", "sqrt(3)/2")),
        exact=(("-1/2", "1/2"), ("-sqrt(3)/2", "sqrt(3)/2")),
    ),
    theorems=("jacobian_batch_core_eq", "core_beside_companions", "jacobian_batch_norm_eq"),
    whole=model,
)
