"""LN313: the term mean(g) of dx has the wrong sign. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g + mean(g) - rows.u * mean(g * rows.u)) / rows.s}


FAULT = Fault(
    code="LN313",
    title="the term mean(g) of dx has the wrong sign",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g \wrong{+} \overline{g} - u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (g + mean(g) - u mean(g u))/s",
    slips="Where g sums to 0 the sign does not matter.",
    repair="Subtract mean(g). The gradient must sum to 0 over every row.",
    witness=Witness(x=("1", "3"), eps="3", yours=("1", "1"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled", "derivative_deviation_ne_plus", "jacobian_apply_one"),
    gradient=gradient,
)
