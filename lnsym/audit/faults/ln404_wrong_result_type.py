"""LN404: the result is not an array of numbers. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN404",
    title="the result is not an array of numbers",
    kind="behaviour",
    computes=r"y = \wrong{\text{none, a generator, text}}",
    instead_of=r"y = \text{an array of floats}",
    words="the function returns None, or something that cannot be read as floats",
    slips="In a notebook one looks at what was printed, not at what was returned.",
    repair="Return the array itself, and return it on every path.",
    witness=None,
)
