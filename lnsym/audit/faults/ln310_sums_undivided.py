"""LN310: both sums of dx lack the division by d. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - rows.d * mean(g) - rows.u * rows.d * mean(g * rows.u)) / rows.s}


FAULT = Fault(
    code="LN310",
    title="both sums of dx lack the division by d",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \wrong{\sum_j g_j} - u\,\wrong{\sum_j g_j u_j}\right)",
    instead_of=DX,
    words="dx = (g - sum(g) - u sum(g u))/s",
    slips="Both sums are 0 for cotangents that are orthogonal to 1 and to u.",
    repair="Divide both sums by the width d.",
    witness=Witness(x=("1", "3"), eps="3", yours=("-1/2", "-1/2"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled", "jacobian_core_ne_undivided"),
    gradient=gradient,
)
