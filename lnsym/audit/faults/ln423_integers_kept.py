"""LN423: an input of integers is computed or returned in integers. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN423",
    title="an input of integers is computed or returned in integers",
    kind="behaviour",
    computes=r"y = \wrong{\lfloor u \rfloor}",
    instead_of=r"y = u \in \mathbb{R}^d",
    words="for integers the result is rounded to integers",
    slips="Tests use floats.",
    repair="Convert integers to a format of floats first, or refuse them with an error.",
    witness=None,
    theorems=("core_eq",),
)
