"""LN306: the weight is multiplied in after the projection in dx, not before. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": rows.weight * dx(dy, rows.u, rows.s)}


FAULT = Fault(
    code="LN306",
    title="the weight is multiplied in after the projection in dx, not before",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \wrong{\gamma} \cdot \frac{1}{s}\left(\mathrm{d}y - \overline{\mathrm{d}y} - "
        r"u\,\overline{\mathrm{d}y\,u}\right)"
    ),
    instead_of=DX,
    words="dx = weight (dy - mean(dy) - u mean(dy u))/s",
    slips="With equal weights the order does not matter, and the weight starts as ones.",
    repair="Form g = weight dy first, and take both means of g.",
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("0", "0"),
        exact=("-3/16", "3/16"),
        quantity="dx",
        weight=("1", "2"),
        dy=("1", "1"),
    ),
    theorems=("gradient_dot_output_eq", "norm_gain_centering_lt_max"),
    gradient=gradient,
)
