"""LN360: dx uses only the diagonal of the Jacobian. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - g / rows.d - rows.u**2 * g / rows.d) / rows.s}


FAULT = Fault(
    code="LN360",
    title="dx uses only the diagonal of the Jacobian",
    kind="gradient",
    computes=r"\mathrm{d}x_i = \frac{1}{s}\left(g_i - \wrong{\frac{g_i}{d}} - u_i\,\wrong{\frac{g_i u_i}{d}}\right)",
    instead_of=DX,
    words="dx_i = g_i (1 - 1/d - u_i^2/d)/s: every output is taken to depend on its own input alone",
    slips="Every diagonal entry is right, so that moving one input and looking at its own output agrees.",
    repair="Sum over all outputs: every input moves mean and variance, and through them the whole row.",
    witness=Witness(x=("1", "3"), eps="3", yours=("3/16", "3/16"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "jacobian_core_eq"),
    gradient=gradient,
)
