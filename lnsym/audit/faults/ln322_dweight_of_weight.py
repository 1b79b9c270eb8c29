"""LN322: dweight sums dy times the weight, not dy times u. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DWEIGHT


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"weight": (dy * rows.weight).sum(axis=0)}


FAULT = Fault(
    code="LN322",
    title="dweight sums dy times the weight, not dy times u",
    kind="gradient",
    computes=r"\mathrm{d}\gamma_i = \sum_{\text{rows}} \mathrm{d}y_i\,\wrong{\gamma_i}",
    instead_of=DWEIGHT,
    words="dweight = sum over rows of dy weight",
    slips="A test of dx alone does not look at dweight.",
    repair="The derivative of weight u by the weight is u: sum dy u.",
    witness=Witness(x=("1", "3"), eps="3", yours=("0", "1"), exact=("0", "1/2"), quantity="dweight", dy=("0", "1")),
    theorems=("gradient_dot_output_eq",),
    reports=("pytorch/pytorch#18233",),
    gradient=gradient,
)
