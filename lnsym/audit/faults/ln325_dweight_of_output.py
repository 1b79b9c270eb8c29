"""LN325: dweight sums dy times the full output y, not dy times u. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DWEIGHT


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"weight": (dy * rows.y).sum(axis=0)}


FAULT = Fault(
    code="LN325",
    title="dweight sums dy times the full output y, not dy times u",
    kind="gradient",
    computes=r"\mathrm{d}\gamma_i = \sum_{\text{rows}} \mathrm{d}y_i\,\wrong{y_i}",
    instead_of=DWEIGHT,
    words="dweight = sum over rows of dy y, with y = weight u + bias",
    slips="With weight of ones and bias of zeros y is u.",
    repair="Save u or recompute it from x; y holds weight and bias.",
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("0", "1"),
        exact=("0", "1/2"),
        quantity="dweight",
        weight=("1", "2"),
        dy=("0", "1"),
    ),
    theorems=("gradient_dot_output_eq", "output_eq"),
    gradient=gradient,
)
