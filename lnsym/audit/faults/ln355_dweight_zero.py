"""LN355: dweight is zero. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DWEIGHT


def gradient(rows: Rows, _: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"weight": np.zeros(rows.d)}


FAULT = Fault(
    code="LN355",
    title="dweight is zero",
    kind="gradient",
    computes=r"\mathrm{d}\gamma_i = \wrong{0}",
    instead_of=DWEIGHT,
    words="dweight = 0",
    slips="A test of dx alone does not look at dweight, and a weight that never changes stays at ones.",
    repair="Return the sum of dy u over the rows. In PyTorch, do not detach the weight.",
    witness=Witness(x=("1", "3"), eps="3", yours=("0", "0"), exact=("0", "1/2"), quantity="dweight", dy=("0", "1")),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
