"""LN210: float32 arithmetic for float64. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._arithmetic import deviations, finished, rows_of, two_pass, wide


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    if wide(call) != np.float64:
        return two_pass(call)
    v = deviations(rows_of(call).astype(np.float32))
    variance = (v * v).mean(axis=1, keepdims=True)
    return finished(call, v / np.sqrt(variance + np.float32(call.eps)))


FAULT = Fault(
    code="LN210",
    title="a float64 row is computed in float32",
    kind="arithmetic",
    computes=r"\wrong{\operatorname{rd}\left(x\right)}",
    instead_of=r"x",
    words="the layer norm of float32(x), converted back to float64",
    slips=(
        "The result has the right type and 7 right digits of 16, which tolerances of 1e-5 let pass. Rows with a large mean or "
        "beyond 3.4e38 show it."
    ),
    repair="Keep the format of the input: no fixed dtype in conversions, buffers and constants.",
    witness=Witness(x=("16777216", "16777217"), eps="3/4", yours=("0", "0"), exact=("-1/2", "1/2")),
    theorems=("core_rounded_le",),
    simulate=simulate,
)
