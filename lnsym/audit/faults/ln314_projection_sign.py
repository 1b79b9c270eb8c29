"""LN314: the term u mean(g u) of dx has the wrong sign. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - mean(g) + rows.u * mean(g * rows.u)) / rows.s}


FAULT = Fault(
    code="LN314",
    title="the term u mean(g u) of dx has the wrong sign",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} \wrong{+} u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (g - mean(g) + u mean(g u))/s",
    slips="Where g is orthogonal to u, as with g of ones, the sign does not matter.",
    repair="Subtract u mean(g u): the derivative of 1/s carries a minus.",
    witness=Witness(x=("1", "3"), eps="3", yours=("5/8", "-5/8"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled", "jacobian_apply_deviation"),
    gradient=gradient,
)
