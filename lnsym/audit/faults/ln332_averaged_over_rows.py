"""LN332: dweight and dbias are averaged over the rows, not summed. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DWEIGHT


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    n = max(rows.n, 1)
    return {"weight": (dy * rows.u).sum(axis=0) / n, "bias": dy.sum(axis=0) / n}


FAULT = Fault(
    code="LN332",
    title="dweight and dbias are averaged over the rows, not summed",
    kind="gradient",
    computes=r"\mathrm{d}\gamma_i = \wrong{\frac{1}{n}} \sum_{\text{rows}} \mathrm{d}y_i\,u_i",
    instead_of=DWEIGHT,
    words="dweight = mean over rows of dy u, dbias = mean over rows of dy",
    slips="With one row sum and mean are equal, and an optimizer that rescales its gradients hides the factor.",
    repair="Sum over the rows. A mean over the batch belongs to the loss and is then in dy already.",
    witness=Witness(
        x=(("1", "3"), ("1", "3")),
        eps="3",
        yours=("1", "0"),
        exact=("2", "0"),
        quantity="dbias",
        dy=(("1", "0"), ("1", "0")),
    ),
    theorems=("parameter_gradient_sums_cases",),
    gradient=gradient,
)
