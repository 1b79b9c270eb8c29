"""LN408: it does not come back. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN408",
    title="it does not come back",
    kind="behaviour",
    computes=r"f(x): \wrong{\text{no answer within the time limit}}",
    instead_of=r"f(x): \text{an answer}",
    words="a call takes longer than the time limit",
    slips="It may hang for one size only, or wait for a device or for another process that is not there.",
    repair="Bound every loop, and test the sizes that the failing call has.",
    witness=None,
)
