"""LN341: the double backward pass gives zero. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN341",
    title="the double backward pass gives zero",
    kind="behaviour",
    computes=r"\frac{\partial}{\partial x} \langle a, \mathrm{d}x \rangle = \wrong{0}",
    instead_of=r"\frac{\partial}{\partial x} \langle a, \mathrm{d}x \rangle \ne 0",
    words="the gradient of sum(a dx) is 0",
    slips="Training with first gradients never asks for it. A gradient penalty then acts as if it were not there.",
    repair="Give the backward pass a derivative, or let a second differentiation raise an error.",
    witness=None,
    theorems=("gradient_backward_eq", "second_derivative_core_apply_eq"),
)
