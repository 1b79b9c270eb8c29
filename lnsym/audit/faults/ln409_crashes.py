"""LN409: it ends the process. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN409",
    title="it ends the process",
    kind="behaviour",
    computes=r"f(x): \wrong{\text{the process is gone}}",
    instead_of=r"f(x): \text{an answer or an error}",
    words="a call ends the process that runs it, by a signal or by an exit",
    slips="What is read past the end of a buffer is often still mapped, so that the crash comes only at some sizes.",
    repair="Check sizes, strides and devices before the kernel is started, and raise an error instead.",
    witness=None,
)
