"""LN204: the sum of squares is kept in the half format. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._arithmetic import deviations, finished, is_half, rows_of, running_sum, two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    if not is_half(call):
        return two_pass(call)
    v = deviations(rows_of(call))
    total = running_sum((v * v).astype(call.x.dtype))
    variance = (total / total.dtype.type(call.width)).astype(v.dtype)
    return finished(call, v / np.sqrt(variance + v.dtype.type(call.eps)))


def sum_rounded_once(call: Call) -> Array:
    """The same with the sum taken in float32 and rounded then."""
    if not is_half(call):
        return two_pass(call)
    v = deviations(rows_of(call))
    total = (v * v).sum(axis=1, keepdims=True).astype(call.x.dtype).astype(v.dtype)
    return finished(call, v / np.sqrt(total / v.dtype.type(call.width) + v.dtype.type(call.eps)))


FAULT = Fault(
    code="LN204",
    title="the sum of squares is kept in the half format, before the division by d",
    kind="arithmetic",
    computes=r"q = \frac{1}{d} \wrong{\operatorname{rd}\left(\sum_i v_i^2\right)}",
    instead_of=r"q = \frac{1}{d} \sum_i (x_i - \mu)^2",
    words="var = sum((x - mean)^2)/d with the sum in the half format",
    slips="The variance itself fits. In float16 the sum overflows at 65504: 16 entries with deviation 80 and variance 6400 are enough.",
    repair="Sum in float32, and round only the result.",
    witness=None,
    theorems=("rounding_factor_mul_le",),
    reports=("SKaiNET-developers/SKaiNET#1281",),
    simulate=simulate,
    orders=(sum_rounded_once,),
)
