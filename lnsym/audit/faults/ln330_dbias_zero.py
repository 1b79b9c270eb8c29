"""LN330: dbias is zero. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DBIAS


def gradient(rows: Rows, _: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"bias": np.zeros(rows.d)}


FAULT = Fault(
    code="LN330",
    title="dbias is zero",
    kind="gradient",
    computes=r"\mathrm{d}\beta_i = \wrong{0}",
    instead_of=DBIAS,
    words="dbias = 0",
    slips="A test of dx and dweight does not look at dbias, and with weight absent the bias is easily forgotten.",
    repair="Return the sum of dy over the rows wherever a bias is given, whether or not there is a weight.",
    witness=Witness(x=("1", "3"), eps="3", yours=("0", "0"), exact=("1", "0"), quantity="dbias", dy=("1", "0")),
    theorems=("gradient_dot_output_eq",),
    reports=("pytorch/pytorch#79705",),
    gradient=gradient,
)
