"""LN213: the weight is rounded to the half format. Imports the records of the catalogue and what mistakes share."""

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._arithmetic import is_half, two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    if not is_half(call) or call.weight is None:
        return two_pass(call)
    return two_pass(call.but(weight=call.weight.astype(call.x.dtype)))


FAULT = Fault(
    code="LN213",
    title="a float32 weight is rounded to the half format of the input",
    kind="arithmetic",
    computes=r"y = \wrong{\operatorname{rd}\left(\gamma\right)} u + \beta",
    instead_of=r"y = \gamma u + \beta",
    words="half(weight)*(x - mean)/sqrt(var + eps) + bias",
    slips=(
        "Weights with few bits, such as 1, 2 and 1/2, do not change. In bfloat16 8.96875 becomes 9: with 1 + w formed in the half "
        "format the same happens to w."
    ),
    repair="Multiply by the weight in float32, and round the product.",
    witness=None,
    theorems=("output_eq",),
    reports=("vllm-project/vllm#29810",),
    simulate=simulate,
)
