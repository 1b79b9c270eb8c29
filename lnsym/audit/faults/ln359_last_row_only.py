"""LN359: dweight and dbias hold the last row only. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DWEIGHT


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"weight": (dy * rows.u)[-1:].sum(axis=0), "bias": dy[-1:].sum(axis=0)}


FAULT = Fault(
    code="LN359",
    title="dweight and dbias hold the last row only",
    kind="gradient",
    computes=r"\mathrm{d}\gamma_i = \wrong{\left[\mathrm{d}y_i\,u_i\right]_{\text{last row}}}",
    instead_of=DWEIGHT,
    words="dweight = dy u and dbias = dy, both of the last row",
    slips="With one row nothing is wrong.",
    repair="Add to the sums (+=) where they are set (=).",
    witness=Witness(
        x=(("1", "3"), ("1", "3")),
        eps="3",
        yours=("0", "0"),
        exact=("1", "0"),
        quantity="dbias",
        dy=(("1", "0"), ("0", "0")),
    ),
    theorems=("parameter_gradient_sums_cases",),
    gradient=gradient,
)
