"""LN203: squares overflow or underflow. Imports the records of the catalogue and what mistakes share."""

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._arithmetic import two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    return two_pass(call)


FAULT = Fault(
    code="LN203",
    title="the squares of the deviations leave the format: the row is not scaled",
    kind="arithmetic",
    computes=r"q = \frac{1}{d} \sum_i \wrong{v_i^2}",
    instead_of=r"q = m^2 \cdot \frac{1}{d} \sum_i \left(\frac{v_i}{m}\right)^2",
    words="two passes without scaling: the square of a deviation overflows or underflows",
    slips=(
        "It needs deviations above 1.8e19 in float32 or 1.3e154 in float64, or below the roots of the least numbers with an eps as "
        "small."
    ),
    repair="Divide the row by a power of two near its largest magnitude, and eps by its square.",
    witness=Witness(x=("-1e200", "1e200"), eps="1", yours=("0", "0"), exact=("-1", "1")),
    theorems=("core_eq_core_div", "core_smul_of_sq_eps"),
    reports=("pytorch/pytorch#178123", "pytorch/pytorch#162489", "PaddlePaddle/Paddle#33420"),
    simulate=simulate,
)
