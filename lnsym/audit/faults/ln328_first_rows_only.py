"""LN328: dweight and dbias sum only the first rows. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DWEIGHT, most_rows


def gradient(rows: Rows, dy: Array, count: int) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"weight": (dy * rows.u)[:count].sum(axis=0), "bias": dy[:count].sum(axis=0)}


def parameters(seen: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    for count in range(1, most_rows(seen)):
        yield {"count": count}


FAULT = Fault(
    code="LN328",
    title="dweight and dbias sum only the first {count} rows",
    kind="gradient",
    computes=r"\mathrm{d}\gamma_i = \sum_{\text{rows} \wrong{{}\le k}} \mathrm{d}y_i\,u_i",
    instead_of=DWEIGHT,
    words="dweight and dbias sum the first k rows",
    slips="A test with few rows sees all of them. Where rows are split over devices, every device is right about its own part.",
    repair="Sum over all rows of the batch; where they are split over devices, add the parts up.",
    witness=Witness(
        x=(("1", "3"), ("1", "3")),
        eps="3",
        yours=("0", "0"),
        exact=("1", "0"),
        quantity="dbias",
        dy=(("0", "0"), ("1", "0")),
    ),
    theorems=("parameter_gradient_sums_cases",),
    reports=("NVIDIA/Megatron-LM#1446", "NVIDIA/TransformerEngine#435", "NVIDIA/Megatron-LM#474", "NVIDIA/Megatron-LM#7452"),
    gradient=gradient,
    parameters=parameters,
)
