"""LN344: the term mean(g) of dx is formed with dy and lacks the weight. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - mean(dy) - rows.u * mean(g * rows.u)) / rows.s}


FAULT = Fault(
    code="LN344",
    title="the term mean(g) of dx is formed with dy and lacks the weight",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{\wrong{\mathrm{d}y}} - u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (g - mean(dy) - u mean(g u))/s",
    slips="With weight of ones g is dy.",
    repair="Form g = weight dy once, and use it in all three terms.",
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("1/4", "1/4"),
        exact=("0", "0"),
        quantity="dx",
        weight=("2", "1"),
        dy=("1", "2"),
    ),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
