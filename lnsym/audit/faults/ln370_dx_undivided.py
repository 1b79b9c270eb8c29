"""LN370: the factor 1/d is forgotten in dx. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": dx(rows.weight * dy, rows.u, rows.s) * rows.d}


FAULT = Fault(
    code="LN370",
    title="dx is too large by the factor d: the division by the width is forgotten",
    kind="gradient",
    computes=r"\mathrm{d}x = \wrong{d} \cdot \frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = d (g - mean(g) - u mean(g u))/s",
    slips="An optimizer that rescales its gradients hides the factor.",
    repair="In the form r/d (d g - sum(g) - u sum(g u)) the factor 1/d stands for both means: divide once.",
    witness=Witness(x=("1", "3"), eps="3", yours=("3/4", "-3/4"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
