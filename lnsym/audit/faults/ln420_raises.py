"""LN420: it raises on an ordinary input. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN420",
    title="it raises on an ordinary input",
    kind="behaviour",
    computes=r"f(x): \wrong{\text{error}}",
    instead_of=r"f(x) = \gamma u + \beta",
    words="a call with finite numbers and fitting shapes raises an error",
    slips="It does so for one combination of arguments only, such as a weight without a bias.",
    repair="Read the message: it is shown as it came. Go through weight and bias given and absent, and through the formats.",
    witness=None,
    theorems=("variance_add_eps_pos",),
    reports=("apache/tvm#19691",),
)
