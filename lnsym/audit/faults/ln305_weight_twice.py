"""LN305: the weight is multiplied in twice in dx. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": dx(rows.weight**2 * dy, rows.u, rows.s)}


FAULT = Fault(
    code="LN305",
    title="the weight is multiplied in twice in dx",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right), \quad g = \wrong{\gamma^2}\,\mathrm{d}y",
    instead_of=DX,
    words="dx as it should be, but with g = weight^2 dy",
    slips="The weight starts as ones, and with ones nothing is wrong. It happens where two functions both apply the weight.",
    repair="Multiply dy by the weight once.",
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("3/8", "-3/8"),
        exact=("0", "0"),
        quantity="dx",
        weight=("2", "1"),
        dy=("1", "2"),
    ),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
