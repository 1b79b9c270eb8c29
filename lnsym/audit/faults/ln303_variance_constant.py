"""LN303: the variance is treated as a constant in dx: the term u mean(g u) is missing.

Imports the records of a mistake and the backward pass.
"""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - mean(g)) / rows.s}


FAULT = Fault(
    code="LN303",
    title="the variance is treated as a constant in dx: the term u mean(g u) is missing",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} \wrong{{}- 0}\right)",
    instead_of=DX,
    words="dx = (g - mean(g))/s",
    slips="With dy of ones and weight of ones every term cancels, and any of these formulas gives 0.",
    repair="Subtract u mean(g u) too. For large variance the gradient along u must nearly vanish.",
    witness=Witness(x=("1", "3"), eps="3", yours=("1/2", "-1/2"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "gradient_detached_eq", "jacobian_apply_deviation"),
    reports=("openxla/xla#8225",),
    gradient=gradient,
)
