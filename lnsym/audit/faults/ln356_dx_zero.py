"""LN356: dx is zero. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX


def gradient(rows: Rows, _: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": np.zeros(rows.x.shape)}


FAULT = Fault(
    code="LN356",
    title="dx is zero",
    kind="gradient",
    computes=r"\mathrm{d}x = \wrong{0}",
    instead_of=DX,
    words="dx = 0",
    slips="With dy of ones and weight of ones the right gradient is 0 too.",
    repair="Return (g - mean(g) - u mean(g u))/s. In PyTorch, do not detach the row.",
    witness=Witness(x=("1", "3"), eps="3", yours=("0", "0"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "jacobian_apply_one"),
    gradient=gradient,
)
