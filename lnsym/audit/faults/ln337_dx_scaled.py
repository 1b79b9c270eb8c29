"""LN337: dx is a constant times what it should be. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DX, answers, dx


def gradient(rows: Rows, dy: Array, factor: float) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": factor * dx(rows.weight * dy, rows.u, rows.s)}


def parameters(seen: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    factors = []
    for rows, dy, found in answers(seen, "x"):
        right = dx(rows.weight * dy, rows.u, rows.s)
        if right.any():
            factors.append(float((found * right).sum() / (right * right).sum()))
    if factors:
        yield {"factor": float(np.median(factors))}


FAULT = Fault(
    code="LN337",
    title="dx is {factor:.4g} times what it should be",
    kind="gradient",
    computes=r"\mathrm{d}x = \wrong{c} \cdot \frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = c (g - mean(g) - u mean(g u))/s with a constant c",
    slips="A constant factor acts like another learning rate, and an optimizer that rescales its gradients hides it.",
    repair="Find where the factor enters: a wrong sign, a loss averaged twice, a gradient added twice.",
    witness=Witness(x=("1", "3"), eps="3", yours=("-3/8", "3/8"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
    parameters=parameters,
)
