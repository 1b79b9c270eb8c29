"""LN208: x*rstd - mean*rstd. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._arithmetic import finished, fused, rows_of


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    x = rows_of(call)
    mean = x.mean(axis=1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=1, keepdims=True)
    rstd = 1 / np.sqrt(variance + x.dtype.type(call.eps))
    return finished(call, fused(x, rstd, -(mean * rstd)))


FAULT = Fault(
    code="LN208",
    title="the core is computed as x*rstd - mean*rstd, with a residue where x is the mean",
    kind="arithmetic",
    computes=r"u = \wrong{x r - \mu r}",
    instead_of=r"u = (x - \mu) r",
    words="fma(x, rstd, -mean*rstd) in the place of (x - mean)*rstd",
    slips=(
        "In real numbers the two are equal. The residue is a rounding error of mean*rstd: it shows where rstd or the weight is "
        "large, above all in constant rows and at d = 1."
    ),
    repair="Subtract the mean first: (x - mean)*rstd is exactly 0 in a constant row whose mean is exact.",
    witness=Witness(x=("3",), eps="3", yours=("-1",), exact=("0",), weight=("9007199254740992",)),
    theorems=("core_of_dim_one", "core_eq_zero_iff"),
    reports=("pytorch/pytorch#98075",),
    simulate=simulate,
)
