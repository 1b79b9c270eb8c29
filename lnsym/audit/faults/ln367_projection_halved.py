"""LN367: the term u mean(g u) of dx is halved. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - mean(g) - rows.u * mean(g * rows.u) / 2) / rows.s}


FAULT = Fault(
    code="LN367",
    title="the term u mean(g u) of dx is halved",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - \wrong{\frac{1}{2}} u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (g - mean(g) - u mean(g u)/2)/s",
    slips="Where g is orthogonal to u, as with g of ones, the term is 0.",
    repair="The 1/2 of the root and the 2 of the square cancel: take the term once.",
    witness=Witness(x=("1", "3"), eps="3", yours=("7/16", "-7/16"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled"),
    gradient=gradient,
)
