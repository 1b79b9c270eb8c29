"""LN358: dbias is written one index off. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DBIAS, shifts


def gradient(_: Rows, dy: Array, shift: int) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"bias": np.roll(dy.sum(axis=0), shift)}


FAULT = Fault(
    code="LN358",
    title="dbias is written one index off (shift {shift})",
    kind="gradient",
    computes=r"\mathrm{d}\beta_{\wrong{i \pm 1}} = \sum_{\text{rows}} \mathrm{d}y_i",
    instead_of=DBIAS,
    words="dbias holds the right numbers one place further, the last one first, or the other way round",
    slips="Its sum and its norm are right, and with equal entries of dy it is right.",
    repair="Write the sum over column i at index i.",
    witness=Witness(x=("1", "3"), eps="3", yours=("0", "1"), exact=("1", "0"), quantity="dbias", dy=("1", "0")),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
    parameters=shifts,
)
