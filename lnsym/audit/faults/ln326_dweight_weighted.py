"""LN326: dweight is multiplied by the weight. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DWEIGHT


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"weight": rows.weight * (dy * rows.u).sum(axis=0)}


FAULT = Fault(
    code="LN326",
    title="dweight is multiplied by the weight",
    kind="gradient",
    computes=r"\mathrm{d}\gamma_i = \sum_{\text{rows}} \wrong{\gamma_i}\,\mathrm{d}y_i\,u_i",
    instead_of=DWEIGHT,
    words="dweight = sum over rows of weight dy u",
    slips="The weight starts as ones. It happens where g = weight dy is used for dweight too.",
    repair="Sum dy u with dy as it came in; g = weight dy belongs to dx.",
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("0", "1"),
        exact=("0", "1/2"),
        quantity="dweight",
        weight=("1", "2"),
        dy=("0", "1"),
    ),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
