"""LN315: dx uses the full output y where the core u belongs. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": dx(g, rows.y, rows.s)}


FAULT = Fault(
    code="LN315",
    title="dx uses the full output y where the core u belongs",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - \wrong{y}\,\overline{g \wrong{y}}\right)",
    instead_of=DX,
    words="dx = (g - mean(g) - y mean(g y))/s, with y = weight u + bias",
    slips="With weight of ones and bias of zeros y is u.",
    repair="Save u or recompute it from x; y holds weight and bias.",
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("-1/4", "1/8"),
        exact=("0", "0"),
        quantity="dx",
        weight=("2", "1"),
        dy=("1", "2"),
    ),
    theorems=("gradient_dot_output_eq", "output_eq"),
    gradient=gradient,
)
