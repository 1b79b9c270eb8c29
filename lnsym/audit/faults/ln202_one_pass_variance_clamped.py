"""LN202: one-pass variance clamped at 0. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._arithmetic import finished, is_half, rows_of


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    x = rows_of(call)
    mean = x.mean(axis=1, keepdims=True)
    variance = np.maximum((x * x).mean(axis=1, keepdims=True) - mean * mean, x.dtype.type(0))
    return finished(call, (x - mean) / np.sqrt(variance + x.dtype.type(call.eps)))


def in_half(call: Call) -> Array:
    """The same in the half format of x."""
    if not is_half(call):
        return simulate(call)
    x = call.flat(call.x)
    mean = x.mean(axis=1, keepdims=True)
    variance = np.maximum((x * x).mean(axis=1, keepdims=True) - mean * mean, x.dtype.type(0))
    return finished(call, (x - mean) / np.sqrt(variance + x.dtype.type(call.eps)))


FAULT = Fault(
    code="LN202",
    title="the variance is taken in one pass and clamped at 0",
    kind="arithmetic",
    computes=r"q = \wrong{\max\left(\frac{1}{d} \sum_i x_i^2 - \mu^2, 0\right)}",
    instead_of=r"q = \frac{1}{d} \sum_i (x_i - \mu)^2",
    words="var = max(mean(x^2) - mean(x)^2, 0) in the working format",
    slips=(
        "The clamp takes away the NaN of the one-pass formula and leaves its error: where the difference came out negative, the row "
        "is divided by sqrt(eps)."
    ),
    repair="Subtract the mean first and average the squares of the deviations; then no clamp is needed.",
    witness=Witness(x=("134217729", "134217730"), eps="2", yours=("-sqrt(2)/4", "sqrt(2)/4"), exact=("-1/3", "1/3")),
    theorems=("variance_one_pass_eq",),
    reports=("google/flax#1545", "google/flax#1491", "intel/torch-xpu-ops#1374"),
    simulate=simulate,
    orders=(in_half,),
)
