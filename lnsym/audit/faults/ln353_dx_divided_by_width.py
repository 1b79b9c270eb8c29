"""LN353: dx is divided by the width once too often. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": dx(rows.weight * dy, rows.u, rows.s) / rows.d}


FAULT = Fault(
    code="LN353",
    title="dx is divided by the width once too often",
    kind="gradient",
    computes=r"\mathrm{d}x = \wrong{\frac{1}{d}} \cdot \frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (g - mean(g) - u mean(g u))/(d s)",
    slips="An optimizer that rescales its gradients hides the factor.",
    repair="In the form r/d (d g - sum(g) - u sum(g u)) the factor 1/d stands for both means: with means it is not divided again.",
    witness=Witness(x=("1", "3"), eps="3", yours=("3/16", "-3/16"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
