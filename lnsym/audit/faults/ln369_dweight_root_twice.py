"""LN369: dweight is divided by s once too often. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DWEIGHT


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"weight": (dy * rows.u / rows.s).sum(axis=0)}


FAULT = Fault(
    code="LN369",
    title="dweight is divided by s once too often",
    kind="gradient",
    computes=r"\mathrm{d}\gamma_i = \sum_{\text{rows}} \mathrm{d}y_i\,\frac{u_i}{\wrong{s}}",
    instead_of=DWEIGHT,
    words="dweight = sum over rows of dy u/s",
    slips="Where the variance is about 1, as in most random test data, s is about 1 too.",
    repair="Sum dy u: the core holds rstd already.",
    witness=Witness(x=("1", "3"), eps="3", yours=("0", "1/4"), exact=("0", "1/2"), quantity="dweight", dy=("0", "1")),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
