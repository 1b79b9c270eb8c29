"""LN345: both sums of dx are formed with dy and lack the weight. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - mean(dy) - rows.u * mean(dy * rows.u)) / rows.s}


FAULT = Fault(
    code="LN345",
    title="both sums of dx are formed with dy and lack the weight",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{\wrong{\mathrm{d}y}} - u\,\overline{\wrong{\mathrm{d}y}\,u}\right)",
    instead_of=DX,
    words="dx = (g - mean(dy) - u mean(dy u))/s",
    slips="With weight of ones g is dy.",
    repair="Form g = weight dy once, and use it in all three terms.",
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("5/16", "3/16"),
        exact=("0", "0"),
        quantity="dx",
        weight=("2", "1"),
        dy=("1", "2"),
    ),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
