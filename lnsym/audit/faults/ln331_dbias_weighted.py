"""LN331: dbias is multiplied by the weight. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DBIAS


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"bias": rows.weight * dy.sum(axis=0)}


FAULT = Fault(
    code="LN331",
    title="dbias is multiplied by the weight",
    kind="gradient",
    computes=r"\mathrm{d}\beta_i = \sum_{\text{rows}} \wrong{\gamma_i}\,\mathrm{d}y_i",
    instead_of=DBIAS,
    words="dbias = sum over rows of weight dy",
    slips="The weight starts as ones. It happens where g = weight dy is used for dbias too.",
    repair="Sum dy as it came in; g = weight dy belongs to dx.",
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("0", "2"),
        exact=("0", "1"),
        quantity="dbias",
        weight=("1", "2"),
        dy=("0", "1"),
    ),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
