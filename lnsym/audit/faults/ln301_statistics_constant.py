"""LN301: mean and variance are treated as constants in dx. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._backward import DX


def gradient(rows: Rows, dy: Array) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": g / rows.s}


FAULT = Fault(
    code="LN301",
    title="mean and variance are treated as constants in dx",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\,\wrong{g}",
    instead_of=DX,
    words="dx = g/s, with g = weight dy",
    slips=(
        "Training still goes down, since g/s is the largest part of the gradient. A cotangent that is orthogonal to 1 and to u "
        "gives the right answer."
    ),
    repair="Subtract mean(g) and u mean(g u) before dividing by s. In PyTorch, do not detach mean and variance.",
    witness=Witness(x=("1", "3"), eps="3", yours=("1/2", "1/2"), exact=("0", "0"), quantity="dx", dy=("1", "1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_constant_statistics", "gradient_detached_eq", "jacobian_apply_one"),
    gradient=gradient,
)
