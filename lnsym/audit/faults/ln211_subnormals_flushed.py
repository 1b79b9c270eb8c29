"""LN211: subnormal numbers are flushed. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._arithmetic import least_normal, two_pass


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""

    def flushed(a: Array) -> Array:
        return np.where(np.abs(a.astype(np.float64)) < least_normal(call), 0, a).astype(a.dtype)

    return flushed(two_pass(call.but(x=flushed(call.x))))


FAULT = Fault(
    code="LN211",
    title="subnormal inputs and results are flushed to 0",
    kind="arithmetic",
    computes=r"y = \wrong{\operatorname{flush}}(\gamma u + \beta)",
    instead_of=r"y = \gamma u + \beta",
    words="entries and results below the least normal number become 0",
    slips="Only rows whose entries or results lie below the least normal number show it: 1.2e-38 in float32, 6.1e-5 in float16.",
    repair="Do not set the flush mode for the process; where the hardware flushes, document it.",
    witness=None,
    theorems=("core_eq_core_div",),
    reports=("jax-ml/jax#37762", "symengine/symengine#1453"),
    simulate=simulate,
)
