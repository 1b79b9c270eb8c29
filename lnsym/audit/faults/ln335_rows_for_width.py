"""LN335: the sums of dx are divided by the number of rows, not by the width. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - (mean(g) + rows.u * mean(g * rows.u)) * rows.d / rows.n) / rows.s}


FAULT = Fault(
    code="LN335",
    title="the sums of dx are divided by the number of rows, not by the width",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \frac{\sum_j g_j}{\wrong{n}} - u\,\frac{\sum_j g_j u_j}{\wrong{n}}\right)",
    instead_of=DX,
    words="dx = (g - sum(g)/n - u sum(g u)/n)/s, with n rows",
    slips="A square test input has as many rows as entries in a row.",
    repair="Divide by the width d. Test with more rows than entries and with fewer.",
    witness=Witness(x=("1", "3"), eps="3", yours=("-1/2", "-1/2"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "jacobian_batch_output_eq"),
    gradient=gradient,
)
