"""LN361: the means of dx are taken over the rows of the batch, not over each row.

Imports the records of a mistake and the backward pass.
"""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - g.mean(axis=0) - rows.u * (g * rows.u).mean(axis=0)) / rows.s}


FAULT = Fault(
    code="LN361",
    title="the means of dx are taken over the rows of the batch, not over each row",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{s}\left(g - \wrong{\operatorname{mean}_{\text{rows}}}(g) - "
        r"u\,\wrong{\operatorname{mean}_{\text{rows}}}(g u)\right)"
    ),
    instead_of=DX,
    words="dx = (g - mean over axis 0 of g - u times mean over axis 0 of g u)/s",
    slips="Both means have a shape that broadcasts, so that nothing raises.",
    repair="Take both means over the normalized axes, as in the forward pass. No row's gradient depends on another row.",
    witness=Witness(x=("1", "3"), eps="3", yours=("-1/8", "-1/8"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "jacobian_batch_output_eq", "jacobian_batch_norm_eq"),
    gradient=gradient,
)
