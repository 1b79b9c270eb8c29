"""LN424: it prints while it computes. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN424",
    title="it prints while it computes",
    kind="behaviour",
    computes=r"f(x) \wrong{\text{ and text on the terminal}}",
    instead_of="f(x)",
    words="a call writes to standard output or standard error",
    slips="The result is right; this is a note, not a failure.",
    repair="Remove the print, or use a logger that is off by default.",
    witness=None,
)
