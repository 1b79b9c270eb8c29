"""LN357: dy is added to dx, as for a residual branch. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": dx(rows.weight * dy, rows.u, rows.s) + dy}


FAULT = Fault(
    code="LN357",
    title="dy is added to dx, as for a residual branch",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right) \wrong{{}+ \mathrm{d}y}",
    instead_of=DX,
    words="dx = (g - mean(g) - u mean(g u))/s + dy",
    slips="In a block with a residual connection the sum is what is wanted in the end.",
    repair="Return the gradient of the norm alone; the residual branch adds its own.",
    witness=Witness(x=("1", "3"), eps="3", yours=("1", "1"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
