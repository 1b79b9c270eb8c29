"""LN343: the second derivative has the wrong sign. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN343",
    title="the second derivative has the wrong sign",
    kind="behaviour",
    computes=r"\wrong{-}\frac{\partial}{\partial x} \langle a, \mathrm{d}x \rangle",
    instead_of=r"\frac{\partial}{\partial x} \langle a, \mathrm{d}x \rangle",
    words="minus the gradient of sum(a dx)",
    slips="The first derivative is right, and nothing else is tested.",
    repair="Check second derivatives against differences of the first ones, in forward mode and in reverse mode.",
    witness=None,
    theorems=("second_derivative_core_apply_eq",),
    reports=("pytorch/pytorch#196700",),
)
