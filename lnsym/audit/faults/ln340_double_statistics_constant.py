"""LN340: the double backward pass treats mean and rstd as constants. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN340",
    title="the double backward pass treats mean and rstd as constants",
    kind="behaviour",
    computes=r"\frac{\partial}{\partial x} \langle a, \mathrm{d}x \rangle \text{ with } \wrong{\mu, s \text{ fixed}}",
    instead_of=r"\frac{\partial}{\partial x} \langle a, \mathrm{d}x \rangle \text{ with } \mu = \mu(x),\ s = s(x)",
    words="the gradient of sum(a dx) with the saved mean and rstd held constant",
    slips=(
        "The first gradient is right, and nothing else is tested. It happens where a hand-written backward pass uses saved "
        "tensors that carry no gradient."
    ),
    repair="Recompute mean and rstd from x inside the backward pass, or give the backward pass a derivative of its own.",
    witness=None,
    theorems=("gradient_backward_eq", "second_derivative_core_apply_eq"),
    reports=("pytorch/pytorch#50467",),
)
