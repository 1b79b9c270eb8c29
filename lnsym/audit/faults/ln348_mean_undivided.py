"""LN348: the sum in the term mean(g) of dx lacks the division by d. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - rows.d * mean(g) - rows.u * mean(g * rows.u)) / rows.s}


FAULT = Fault(
    code="LN348",
    title="the sum in the term mean(g) of dx lacks the division by d",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \wrong{\sum_j g_j} - u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (g - sum(g) - u mean(g u))/s",
    slips="Where g sums to 0 the term is 0.",
    repair="Divide the sum by the width d.",
    witness=Witness(x=("1", "3"), eps="3", yours=("-1/2", "-1/2"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled", "jacobian_apply_one"),
    gradient=gradient,
)
