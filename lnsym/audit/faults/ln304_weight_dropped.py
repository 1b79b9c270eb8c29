"""LN304: the weight is left out of dx. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": dx(dy, rows.u, rows.s)}


FAULT = Fault(
    code="LN304",
    title="the weight is left out of dx",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right), \quad g = \wrong{\mathrm{d}y}",
    instead_of=DX,
    words="dx = (dy - mean(dy) - u mean(dy u))/s",
    slips="The weight starts as ones, and with ones nothing is wrong.",
    repair="Multiply dy by the weight first: g = weight dy.",
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("0", "0"),
        exact=("-3/16", "3/16"),
        quantity="dx",
        weight=("1", "2"),
        dy=("1", "1"),
    ),
    theorems=("gradient_dot_output_eq", "double_backward_ne_without_gain"),
    gradient=gradient,
)
