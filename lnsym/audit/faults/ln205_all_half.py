"""LN205: all arithmetic in the half format. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._arithmetic import finished, is_half, running_sum, two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    if not is_half(call):
        return two_pass(call)
    x = call.flat(call.x)
    d, eps = x.dtype.type(call.width), x.dtype.type(call.eps)
    v = x - running_sum(x) / d
    return finished(call, v / np.sqrt(running_sum(v * v / d) + eps))


FAULT = Fault(
    code="LN205",
    title="all steps are rounded to the half format",
    kind="arithmetic",
    computes=r"u = \wrong{\operatorname{rd}\left(\frac{v}{\sqrt{q + \varepsilon}}\right)}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="mean, deviations, variance, root and quotient each in the half format",
    slips=(
        "Tolerances for half formats are wide, up to 1e-1, and rows are narrow. Entries near the mean lose most: float16 answers "
        "near 0 were seen to be off by 13 percent."
    ),
    repair="Convert to float32 on load, compute there, and round the result once.",
    witness=None,
    theorems=("norm_core_rounded_sub_core_le", "core_rounded_le"),
    reports=(
        "pytorch/pytorch#66707",
        "microsoft/onnxruntime#29034",
        "microsoft/onnxruntime#28442",
        "pytorch/pytorch#86580",
        "NVIDIA/TensorRT#2564",
    ),
    simulate=simulate,
)
