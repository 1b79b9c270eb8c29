"""LN368: of the sums in dx only the first block of entries is added up. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DX, greatest_width


def gradient(rows: Rows, dy: Array, block: int) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    sums = g[:, :block].sum(axis=1, keepdims=True) + rows.u * (g * rows.u)[:, :block].sum(axis=1, keepdims=True)
    return {"x": (g - sums / rows.d) / rows.s}


def parameters(seen: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    for block in range(1, greatest_width(seen)):
        yield {"block": block}


FAULT = Fault(
    code="LN368",
    title="of the sums in dx only the first block of {block} entries is added up",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{s}\left(g - \frac{1}{d}\wrong{\sum_{j\,\text{in the first block}}} g_j - "
        r"u\,\frac{1}{d}\wrong{\sum_{j\,\text{in the first block}}} g_j u_j\right)"
    ),
    instead_of=DX,
    words="dx with sums over the first block of a row in place of the whole row",
    slips="Rows that fit into one block are right, and tests use narrow rows.",
    repair="Run over all blocks of the row, and add their sums up.",
    witness=Witness(
        x=("1", "2", "3"),
        eps="1/3",
        yours=("0", "0", "1"),
        exact=("0", "-1/3", "1/3"),
        quantity="dx",
        dy=("0", "0", "1"),
    ),
    theorems=("gradient_dot_output_eq",),
    gradient=gradient,
    parameters=parameters,
)
