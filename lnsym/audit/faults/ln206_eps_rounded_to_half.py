"""LN206: eps is rounded to the half format. Imports the records of the catalogue and what mistakes share."""

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._arithmetic import is_half, two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    return two_pass(call, float(call.x.dtype.type(call.eps)) if is_half(call) else None)


FAULT = Fault(
    code="LN206",
    title="eps is rounded to the half format, where a small one becomes 0",
    kind="arithmetic",
    computes=r"u = \frac{v}{\sqrt{q + \wrong{\operatorname{rd}\left(\varepsilon\right)}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(var + half(eps)) + bias",
    slips=(
        "In float16 eps = 1e-5 survives, to 0.2 percent; 1e-8 and 1e-12 become 0. It shows only in rows with a variance near eps "
        "and in constant rows, which give NaN."
    ),
    repair="Keep eps in float32 or wider, and add it there.",
    witness=None,
    theorems=("variance_add_eps_pos", "core_eq_core_iff_eps_eq"),
    reports=("deepspeedai/DeepSpeed#581", "pytorch/pytorch#86580", "pytorch/pytorch#41527"),
    simulate=simulate,
)
