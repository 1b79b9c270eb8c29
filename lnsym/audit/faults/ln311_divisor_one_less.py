"""LN311: both sums of dx are divided by d - 1. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - (mean(g) + rows.u * mean(g * rows.u)) * rows.d / max(rows.d - 1, 1)) / rows.s}


FAULT = Fault(
    code="LN311",
    title="both sums of dx are divided by d - 1",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \frac{\sum_j g_j}{\wrong{d - 1}} - u\,\frac{\sum_j g_j u_j}{\wrong{d - 1}}\right)",
    instead_of=DX,
    words="dx = (g - sum(g)/(d-1) - u sum(g u)/(d-1))/s",
    slips="For wide rows d and d - 1 differ by less than a usual tolerance.",
    repair="Divide both sums by d.",
    witness=Witness(x=("1", "3"), eps="3", yours=("-1/2", "-1/2"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled", "jacobian_core_ne_undivided"),
    gradient=gradient,
)
