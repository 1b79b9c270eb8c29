"""LN217: variance plus eps rounded to the half format. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._arithmetic import deviations, finished, is_half, rows_of, two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    if not is_half(call):
        return two_pass(call)
    v = deviations(rows_of(call))
    stabilized = ((v * v).mean(axis=1, keepdims=True) + v.dtype.type(call.eps)).astype(call.x.dtype)
    return finished(call, v / np.sqrt(stabilized.astype(v.dtype)))


def before_eps(call: Call) -> Array:
    """The same with eps added to the rounded variance."""
    if not is_half(call):
        return two_pass(call)
    v = deviations(rows_of(call))
    variance = (v * v).mean(axis=1, keepdims=True).astype(call.x.dtype).astype(v.dtype)
    return finished(call, v / np.sqrt(variance + v.dtype.type(call.eps)))


FAULT = Fault(
    code="LN217",
    title="the variance is rounded to the half format, with eps or without, before the root is taken",
    kind="arithmetic",
    computes=r"u = \frac{v}{\sqrt{\wrong{\operatorname{rd}\left(q + \varepsilon\right)}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(half(var + eps)) + bias",
    slips=(
        "For variances near 1 the error is a fraction of a unit in the last place. In float16 a variance above 65504 becomes infinite, "
        "and the output 0; an eps below 3e-8 on a constant row becomes 0, and the output NaN."
    ),
    repair="Keep the variance in float32 until the root is taken.",
    witness=None,
    theorems=("variance_add_eps_pos", "core_rounded_le"),
    reports=("deepspeedai/DeepSpeed#581",),
    simulate=simulate,
    orders=(before_eps,),
)
