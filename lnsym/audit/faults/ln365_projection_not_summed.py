"""LN365: the mean in the term u mean(g u) of dx is not taken. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - mean(g) - rows.u * g * rows.u) / rows.s}


FAULT = Fault(
    code="LN365",
    title="the mean in the term u mean(g u) of dx is not taken",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - u\,\wrong{g u}\right)",
    instead_of=DX,
    words="dx = (g - mean(g) - u g u)/s, entry by entry",
    slips="Shapes agree with and without the mean, so that nothing raises.",
    repair="Take the mean of g u over the row before multiplying by u.",
    witness=Witness(x=("1", "3"), eps="3", yours=("-1/8", "-1/8"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled", "jacobian_core_eq"),
    gradient=gradient,
)
