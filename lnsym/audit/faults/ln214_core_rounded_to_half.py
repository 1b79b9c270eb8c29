"""LN214: the core is rounded before weight and bias. Imports the records of the catalogue and what mistakes share."""

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._arithmetic import finished, is_half, two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    if not is_half(call):
        return two_pass(call)
    plain = call.flat(two_pass(call.but(weight=None, bias=None)))
    return finished(call, plain)


FAULT = Fault(
    code="LN214",
    title="the core is rounded to the half format before weight and bias are applied there",
    kind="arithmetic",
    computes=r"y = \wrong{\operatorname{rd}\left(\gamma \cdot \operatorname{rd}(u)\right)} + \beta",
    instead_of=r"y = \gamma u + \beta",
    words="half(half(half(core)*weight) + bias)",
    slips=(
        "Without weight and bias it is right. With a bias of the other sign the roundings of core and product are left when the sum "
        "cancels."
    ),
    repair="Apply weight and bias in float32, and round once at the end.",
    witness=None,
    theorems=("norm_core_rounded_sub_core_le",),
    reports=("pytorch/pytorch#66707", "NVIDIA/TensorRT#2564"),
    simulate=simulate,
)
