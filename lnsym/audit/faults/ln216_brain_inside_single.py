"""LN216: bfloat16 inputs for float32. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._arithmetic import kept_bits, two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    if call.x.dtype != np.float32:
        return two_pass(call)
    return two_pass(call.but(x=kept_bits(call.x, 8).astype(np.float32)))


FAULT = Fault(
    code="LN216",
    title="a float32 row is rounded to 8 bits (bfloat16) on the way in",
    kind="arithmetic",
    computes=r"\wrong{\operatorname{rd}\left(x\right)}",
    instead_of=r"x",
    words="the layer norm of bfloat16(x), in float32",
    slips="The result has the right type and about 3 right digits. Rows with a large mean beside their spread lose all of it.",
    repair="Keep the format of the input; look at autocast and at the precision mode of the backend.",
    witness=None,
    theorems=("core_rounded_le",),
    simulate=simulate,
)
