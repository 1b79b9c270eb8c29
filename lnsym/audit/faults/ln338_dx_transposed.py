"""LN338: dx is written in the order of columns, as a transpose. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    right = dx(rows.weight * dy, rows.u, rows.s)
    return {"x": right.T.reshape(right.shape)}


FAULT = Fault(
    code="LN338",
    title="dx is written in the order of columns, as a transpose",
    kind="gradient",
    computes=r"\mathrm{d}x = \wrong{\left(\frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right)\right)^{\mathsf T}}",
    instead_of=DX,
    words="dx holds the right numbers, column after column in place of row after row",
    slips="A test of one row, or one that sorts or sums the entries, does not see their order.",
    repair="Write the entry of row i and column j at i d + j, and transpose back what was transposed.",
    witness=Witness(
        x=(("1", "3"), ("1", "3")),
        eps="3",
        yours=(("3/16", "0"), ("-3/16", "0")),
        exact=(("3/16", "-3/16"), ("0", "0")),
        quantity="dx",
        dy=(("1", "0"), ("0", "0")),
    ),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
)
