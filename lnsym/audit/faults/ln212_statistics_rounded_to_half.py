"""LN212: statistics rounded to the half format. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._arithmetic import finished, is_half, rows_of, two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    if not is_half(call):
        return two_pass(call)
    x, half = rows_of(call), call.x.dtype
    mean = x.mean(axis=1, keepdims=True)
    rstd = 1 / np.sqrt(((x - mean) ** 2).mean(axis=1, keepdims=True) + x.dtype.type(call.eps))
    return finished(call, (x - mean.astype(half).astype(x.dtype)) * rstd.astype(half).astype(x.dtype))


FAULT = Fault(
    code="LN212",
    title="mean and rstd are rounded to the half format before they are used",
    kind="arithmetic",
    computes=r"u = (x - \wrong{\operatorname{rd}\left(\mu\right)}) \cdot \wrong{\operatorname{rd}\left(r\right)}",
    instead_of=r"u = (x - \mu) r",
    words="(x - half(mean))*half(rstd)",
    slips=(
        "For mean 0 and rstd near 1 the error is within the rounding of the result. It grows with mean/spread: a rounded mean "
        "shifts the row by up to half a unit of its last place."
    ),
    repair="Keep mean and rstd in float32, also where they are stored for the backward pass.",
    witness=None,
    theorems=("core_shifted_mean_eq", "norm_core_rounded_sub_core_le"),
    simulate=simulate,
)
