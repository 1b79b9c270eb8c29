"""LN302: the mean is treated as a constant in dx: the term mean(g) is missing. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - rows.u * mean(g * rows.u)) / rows.s}


FAULT = Fault(
    code="LN302",
    title="the mean is treated as a constant in dx: the term mean(g) is missing",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g \wrong{{}- 0} - u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (g - u mean(g u))/s",
    slips="A cotangent whose product with the weight sums to 0 gives the right answer.",
    repair="Subtract mean(g) too. The gradient must sum to 0 over every row.",
    witness=Witness(x=("1", "3"), eps="3", yours=("1/2", "1/2"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "gradient_detached_eq", "jacobian_apply_one"),
    gradient=gradient,
)
