"""LN425: the result for an ordinary input is NaN or infinite. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN425",
    title="the result for an ordinary input is NaN or infinite",
    kind="behaviour",
    computes=r"f(x) = \wrong{\text{NaN}}",
    instead_of=r"f(x) = \gamma u + \beta \in \mathbb{R}^d",
    words="finite numbers of ordinary size, with weight and bias of ordinary size or zero, give NaN or infinity",
    slips=(
        "It does so for one kind of input only: a bias of zeros, a weight of zeros, a row of equal entries, or numbers whose squares or "
        "sum leave a half format."
    ),
    repair="Find the division by what may be 0, such as a scale taken from the greatest entry, and the step that leaves the format.",
    witness=None,
    theorems=("variance_add_eps_pos",),
    reports=("Xilinx/brevitas#425",),
)
