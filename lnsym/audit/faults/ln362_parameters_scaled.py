"""LN362: dweight and dbias are a constant times what they should be. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DWEIGHT, answers


def gradient(rows: Rows, dy: Array, factor: float) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"weight": factor * (dy * rows.u).sum(axis=0), "bias": factor * dy.sum(axis=0)}


def parameters(seen: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    for name in ("weight", "bias"):
        factors = []
        for rows, dy, found in answers(seen, name):
            right = gradient(rows, dy, 1.0)[name]
            if right.any():
                factors.append(float((found * right).sum() / (right * right).sum()))
        if factors:
            yield {"factor": float(np.median(factors))}


FAULT = Fault(
    code="LN362",
    title="dweight and dbias are {factor:.4g} times what they should be",
    kind="gradient",
    computes=(
        r"\mathrm{d}\gamma_i = \wrong{c} \sum_{\text{rows}} \mathrm{d}y_i\,u_i, \quad \mathrm{d}\beta_i = \wrong{c} "
        r"\sum_{\text{rows}} \mathrm{d}y_i"
    ),
    instead_of=DWEIGHT,
    words="dweight = c times sum over rows of dy u, dbias = c times sum over rows of dy, with a constant c",
    slips="A constant factor acts like another learning rate, and an optimizer that rescales its gradients hides it.",
    repair="Find where the factor enters: a wrong sign, a sum taken twice, partial sums added to a buffer that was not cleared.",
    witness=Witness(x=("1", "3"), eps="3", yours=("2", "0"), exact=("1", "0"), quantity="dbias", dy=("1", "0")),
    theorems=("parameter_gradient_sums_cases",),
    gradient=gradient,
    parameters=parameters,
)
