"""LN307: the weight is off by one index in dx. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx, shifts


def gradient(rows: Rows, dy: Array, shift: int) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": dx(np.roll(rows.weight, shift) * dy, rows.u, rows.s)}


FAULT = Fault(
    code="LN307",
    title="the weight is off by one index in dx (shift {shift})",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right), \quad g_i = \gamma_{\wrong{i \pm "
        r"1}}\,\mathrm{d}y_i"
    ),
    instead_of=DX,
    words="dx as it should be, but with g_i = weight_(i-1) dy_i or weight_(i+1) dy_i",
    slips="With equal weights no index matters, and the weight starts as ones.",
    repair="Read the weight at the index of the entry within its row.",
    witness=Witness(
        x=("-1", "1"),
        eps="8",
        yours=("0", "0"),
        exact=("-4/9", "4/9"),
        quantity="dx",
        weight=("1", "2"),
        dy=("1", "2"),
    ),
    theorems=("gradient_dot_output_eq",),
    reports=("deepspeedai/DeepSpeed#692",),
    gradient=gradient,
    parameters=shifts,
)
