"""LN215: an estimate of the reciprocal root. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._arithmetic import deviations, finished, kept_bits, rows_of


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    v = deviations(rows_of(call))
    variance = (v * v).mean(axis=1, keepdims=True)
    return finished(call, v * kept_bits(1 / np.sqrt(variance + v.dtype.type(call.eps)), 12))


FAULT = Fault(
    code="LN215",
    title="the reciprocal root is a hardware estimate, right to about 12 bits",
    kind="arithmetic",
    computes=r"u = v \cdot \wrong{\operatorname{rd}\left(\frac{1}{\sqrt{q + \varepsilon}}\right)}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="(x - mean)*estimate(1/sqrt(var + eps))",
    slips="The relative error of up to 2.5e-4 is the same in all entries of a row, which tolerances of 1e-3 let pass.",
    repair="Refine the estimate by Newton steps, or use the square root and a division.",
    witness=Witness(x=("0", "2"), eps="2", yours=("-2365/4096", "2365/4096"), exact=("-sqrt(3)/3", "sqrt(3)/3")),
    theorems=("inverse_root_ne_inverse_variance", "core_shifted_mean_eq"),
    reports=("Tencent/ncnn#6903", "tenstorrent/tt-metal#51420", "Xilinx/finn#1667"),
    simulate=simulate,
)
