"""LN354: dweight is written one index off. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DWEIGHT, shifts


def gradient(rows: Rows, dy: Array, shift: int) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"weight": np.roll((dy * rows.u).sum(axis=0), shift)}


FAULT = Fault(
    code="LN354",
    title="dweight is written one index off (shift {shift})",
    kind="gradient",
    computes=r"\mathrm{d}\gamma_{\wrong{i \pm 1}} = \sum_{\text{rows}} \mathrm{d}y_i\,u_i",
    instead_of=DWEIGHT,
    words="dweight holds the right numbers one place further, the last one first, or the other way round",
    slips="Its sum and its norm are right, and a test of dx alone does not look at it.",
    repair="Write the sum over column i at index i.",
    witness=Witness(x=("1", "3"), eps="3", yours=("1/2", "0"), exact=("0", "1/2"), quantity="dweight", dy=("0", "1")),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
    parameters=shifts,
)
