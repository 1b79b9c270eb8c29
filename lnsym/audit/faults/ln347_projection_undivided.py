"""LN347: the sum in the term u mean(g u) of dx lacks the division by d. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - mean(g) - rows.u * rows.d * mean(g * rows.u)) / rows.s}


FAULT = Fault(
    code="LN347",
    title="the sum in the term u mean(g u) of dx lacks the division by d",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - u\,\wrong{\sum_j g_j u_j}\right)",
    instead_of=DX,
    words="dx = (g - mean(g) - u sum(g u))/s",
    slips="Where g is orthogonal to u, as with g of ones, the term is 0.",
    repair="Divide the sum by the width d.",
    witness=Witness(x=("1", "3"), eps="3", yours=("1/4", "-1/4"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled", "jacobian_core_ne_undivided"),
    gradient=gradient,
)
