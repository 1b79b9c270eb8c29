"""LN401: it writes into its input. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN401",
    title="it writes into its input",
    kind="behaviour",
    computes=r"\wrong{x \leftarrow x - \mu}",
    instead_of=r"x \text{ unchanged}",
    words="after the call an argument holds other numbers than before",
    slips="The result is right, and a test that makes its input anew for every call does not look at it again.",
    repair="Use x = x - mean in place of x -= mean, or copy first.",
    witness=None,
)
