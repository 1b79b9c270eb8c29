"""LN329: dweight recovers u from y with weight and bias off by one index. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DWEIGHT


def gradient(rows: Rows, dy: Array, shift: int, biased: int) -> Gradient:
    """The gradients as the mistake computes them."""
    weight, bias = np.roll(rows.weight, shift), np.roll(rows.bias, shift)
    scaled = rows.y - bias if biased else rows.weight * rows.u
    with np.errstate(all="ignore"):
        return {"weight": (dy * scaled / weight).sum(axis=0)}


def parameters(_: Sequence[Seen]) -> Iterator[Parameters]:
    # A backward pass that is not given the bias has taken it off before.
    """The constants worth trying, from what was seen."""
    for biased in (1, 0):
        for shift in (1, -1):
            yield {"shift": shift, "biased": biased}


FAULT = Fault(
    code="LN329",
    title="dweight recovers u from y with weight and bias off by one index (shift {shift})",
    kind="gradient",
    computes=(
        r"\mathrm{d}\gamma_i = \sum_{\text{rows}} \mathrm{d}y_i\,\frac{y_i - \beta_{\wrong{i \pm 1}}}{\gamma_{\wrong{i \pm 1}}}"
    ),
    instead_of=DWEIGHT,
    words="dweight = sum over rows of dy_i (y_i - bias_(i+1))/weight_(i+1), or with i - 1",
    slips="With equal weights and equal biases no index matters, and both start so.",
    repair=(
        "Read weight and bias at the index of the entry. Better, save u or recompute it from x: dividing by the weight fails at "
        "weight 0."
    ),
    witness=Witness(
        x=("1", "3"),
        eps="3",
        yours=("0", "1"),
        exact=("0", "1/2"),
        quantity="dweight",
        weight=("1", "2"),
        dy=("0", "1"),
    ),
    theorems=("gradient_dot_output_eq", "output_eq"),
    reports=("deepspeedai/DeepSpeed#692",),
    gradient=gradient,
    parameters=parameters,
)
