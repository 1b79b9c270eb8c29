"""LN317: dx is not divided by s. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": dx(g, rows.u, rows.s) * rows.s}


FAULT = Fault(
    code="LN317",
    title="dx is not divided by s",
    kind="gradient",
    computes=r"\mathrm{d}x = \wrong{1} \cdot \left(g - \overline{g} - u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = g - mean(g) - u mean(g u)",
    slips="Where the variance is about 1, as in most random test data, s is about 1 too.",
    repair="Multiply by rstd = 1/s at the end.",
    witness=Witness(x=("1", "3"), eps="3", yours=("3/4", "-3/4"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled", "jacobian_forms"),
    gradient=gradient,
)
