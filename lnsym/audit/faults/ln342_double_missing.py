"""LN342: the double backward pass gives nothing or raises for a gradient that exists. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN342",
    title="the double backward pass gives nothing or raises for a gradient that exists",
    kind="behaviour",
    computes=r"\frac{\partial}{\partial x} \langle a, \mathrm{d}x \rangle = \wrong{\text{none}}",
    instead_of=r"\frac{\partial}{\partial x} \langle a, \mathrm{d}x \rangle = \text{an array of the shape of } x",
    words="no gradient of sum(a dx), for some combination of weight and bias given or absent",
    slips="The usual combination, weight and bias both given, works; the others are not tested.",
    repair="Go through every combination of weight and bias given and absent, and of requested gradients.",
    witness=None,
    theorems=("gradient_backward_eq", "gradient_backward_sums_cases"),
    reports=("pytorch/pytorch#79705",),
)
