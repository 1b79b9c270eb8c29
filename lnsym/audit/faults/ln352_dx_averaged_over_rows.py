"""LN352: dx is divided by the number of rows. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": dx(rows.weight * dy, rows.u, rows.s) / max(rows.n, 1)}


FAULT = Fault(
    code="LN352",
    title="dx is divided by the number of rows",
    kind="gradient",
    computes=r"\mathrm{d}x = \wrong{\frac{1}{n}} \cdot \frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right)",
    instead_of=DX,
    words="dx = (g - mean(g) - u mean(g u))/(n s), with n rows",
    slips="With one row nothing is wrong, and an optimizer that rescales its gradients hides the factor.",
    repair="Leave the mean over the batch to the loss: it is in dy already.",
    witness=Witness(
        x=(("1", "3"), ("1", "3")),
        eps="3",
        yours=(("3/32", "-3/32"), ("0", "0")),
        exact=(("3/16", "-3/16"), ("0", "0")),
        quantity="dx",
        dy=(("1", "0"), ("0", "0")),
    ),
    theorems=("gradient_dot_output_eq", "jacobian_batch_output_eq"),
    gradient=gradient,
)
