"""LN336: the last term of dx uses x in place of the deviations x - mean. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - mean(g) - rows.x / rows.s * mean(g * rows.u)) / rows.s}


FAULT = Fault(
    code="LN336",
    title="the last term of dx uses x in place of the deviations x - mean",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - \frac{\wrong{x}}{s}\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (g - mean(g) - (x/s) mean(g u))/s",
    slips=(
        "Rows with mean 0 are their own deviations. It comes from differentiating mean(x^2) - mean^2 with mean^2 held constant."
    ),
    repair="Use x - mean: the derivative of the variance by x is 2 (x - mean)/d, whatever formula it is computed with.",
    witness=Witness(x=("1", "3"), eps="3", yours=("5/8", "-1/8"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "jacobian_core_eq", "core_add_const"),
    gradient=gradient,
)
