"""LN366: the term mean(g) of dx is not divided by s. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - rows.u * mean(g * rows.u)) / rows.s - mean(g)}


FAULT = Fault(
    code="LN366",
    title="the term mean(g) of dx is not divided by s",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - u\,\overline{g u}\right) - \wrong{\overline{g}}",
    instead_of=DX,
    words="dx = (g - u mean(g u))/s - mean(g)",
    slips="Where the variance is about 1, as in most random test data, s is about 1 too.",
    repair="Put all three terms under the division by s.",
    witness=Witness(x=("1", "3"), eps="3", yours=("-1/2", "-1/2"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "jacobian_apply_one"),
    gradient=gradient,
)
