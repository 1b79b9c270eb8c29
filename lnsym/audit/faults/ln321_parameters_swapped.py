"""LN321: dweight and dbias are swapped. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DWEIGHT


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"weight": dy.sum(axis=0), "bias": (dy * rows.u).sum(axis=0)}


FAULT = Fault(
    code="LN321",
    title="dweight and dbias are swapped",
    kind="gradient",
    computes=(
        r"\mathrm{d}\gamma_i = \sum_{\text{rows}} \wrong{\mathrm{d}y_i}, \quad \mathrm{d}\beta_i = \sum_{\text{rows}} "
        r"\wrong{\mathrm{d}y_i\,u_i}"
    ),
    instead_of=DWEIGHT,
    words="dweight = sum over rows of dy, dbias = sum over rows of dy u",
    slips="Both have the same shape, so that nothing raises.",
    repair="Return dx, dweight, dbias in the order of x, weight, bias.",
    witness=Witness(x=("1", "3"), eps="3", yours=("0", "1"), exact=("0", "1/2"), quantity="dweight", dy=("0", "1")),
    theorems=("gradient_dot_output_eq",),
    reports=("Oneflow-Inc/oneflow#6149",),
    gradient=gradient,
)
