"""LN205: all arithmetic in the half format. Imports the records of the catalogue and what mistakes share."""

from collections.abc import Callable

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._arithmetic import finished, is_half, running_sum, two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    return _two_pass(call, sum_divided, terms_divided)


def sums_divided(call: Call) -> Array:
    """The same with the sum of squares divided, not each square: it overflows sooner."""
    return _two_pass(call, sum_divided, sum_divided)


def all_terms_divided(call: Call) -> Array:
    """The same with each entry divided before they are summed: the mean of a constant row is off."""
    return _two_pass(call, terms_divided, terms_divided)


def sum_divided(x: Array) -> Array:
    """The mean of each row as sum(x)/d."""
    mean: Array = running_sum(x) / x.dtype.type(x.shape[1])
    return mean


def terms_divided(x: Array) -> Array:
    """The mean of each row as sum(x/d)."""
    return running_sum(x / x.dtype.type(x.shape[1]))


def _two_pass(call: Call, mean: Callable[[Array], Array], mean_of_squares: Callable[[Array], Array]) -> Array:
    if not is_half(call):
        return two_pass(call)
    x = call.flat(call.x)
    v = x - mean(x)
    return finished(call, v / np.sqrt(mean_of_squares(v * v) + x.dtype.type(call.eps)))


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
    orders=(sums_divided, all_terms_divided),
)
