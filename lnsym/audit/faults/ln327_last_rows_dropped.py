"""LN327: the last incomplete block of rows is missing from dweight and dbias. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DWEIGHT, most_rows


def gradient(rows: Rows, dy: Array, block: int) -> Gradient:
    """The gradients as the mistake computes them."""
    kept = rows.n // block * block
    return {"weight": (dy * rows.u)[:kept].sum(axis=0), "bias": dy[:kept].sum(axis=0)}


def parameters(seen: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    for block in range(2, most_rows(seen) + 1):
        yield {"block": block}


FAULT = Fault(
    code="LN327",
    title="the last incomplete block of {block} rows is missing from dweight and dbias",
    kind="gradient",
    computes=r"\mathrm{d}\gamma_i = \sum_{\text{rows} \wrong{{}\le B \lfloor n/B \rfloor}} \mathrm{d}y_i\,u_i",
    instead_of=DWEIGHT,
    words="dweight and dbias sum only the rows of complete blocks",
    slips="A number of rows that is a multiple of the block size, as every power of two may be, has no incomplete block.",
    repair="Size the buffer of partial sums by rounding up, as the grid is, and mask the rows past the end.",
    witness=Witness(x=("1", "3"), eps="3", yours=("0", "0"), exact=("1", "0"), quantity="dbias", dy=("1", "0")),
    theorems=("parameter_gradient_sums_cases",),
    reports=("BobMcDear/attorch#18",),
    gradient=gradient,
    parameters=parameters,
)
