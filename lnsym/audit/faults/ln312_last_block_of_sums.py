"""LN312: of the sums in dx only the last block of entries survives. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DX, greatest_width


def gradient(rows: Rows, dy: Array, block: int) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    start = (rows.d - 1) // block * block
    sums = g[:, start:].sum(axis=1, keepdims=True) + rows.u * (g * rows.u)[:, start:].sum(axis=1, keepdims=True)
    return {"x": (g - sums / rows.d) / rows.s}


def parameters(seen: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    for block in range(1, greatest_width(seen)):
        yield {"block": block}


FAULT = Fault(
    code="LN312",
    title="of the sums in dx only the last block of {block} entries survives",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{s}\left(g - \frac{1}{d}\wrong{\sum_{j\,\text{in the last block}}} g_j - "
        r"u\,\frac{1}{d}\wrong{\sum_{j\,\text{in the last block}}} g_j u_j\right)"
    ),
    instead_of=DX,
    words="dx with sums over the last block of a row in place of the whole row",
    slips="Rows that fit into one block are right, and tests use narrow rows.",
    repair="Add the blocks up: the accumulator is set where it should be added to.",
    witness=Witness(
        x=("1", "2", "3"),
        eps="1/3",
        yours=("1", "0", "0"),
        exact=("1/3", "-1/3", "0"),
        quantity="dx",
        dy=("1", "0", "0"),
    ),
    theorems=("gradient_dot_output_eq",),
    reports=("tenstorrent/tt-metal#53215",),
    gradient=gradient,
    parameters=parameters,
)
