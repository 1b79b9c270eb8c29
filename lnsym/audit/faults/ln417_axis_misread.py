"""LN417: a negative axis, or one of several axes, is misread. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN417",
    title="a negative axis, or one of several axes, is misread",
    kind="behaviour",
    computes=r"\text{axis} = \wrong{k} \text{ for } k < 0",
    instead_of=r"\text{axis} = k + \text{number of axes for } k < 0",
    words="axis = -2 or axes (-2, -1) give another result than the same axes counted from 0",
    slips="The default axis is the last one, and with it nothing is wrong.",
    repair="Bring every axis to 0, 1, ... first (axis modulo the number of axes), and sort several of them.",
    witness=None,
)
