"""LN363: dx uses the weight with 1 added or taken off. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array, offset: int) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": dx((rows.weight + offset) * dy, rows.u, rows.s)}


def parameters(_: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    yield {"offset": 1}
    yield {"offset": -1}


FAULT = Fault(
    code="LN363",
    title="dx uses the weight with {offset:+d} added to it",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right), \quad g = (\gamma \wrong{{}\pm "
        r"1})\,\mathrm{d}y"
    ),
    instead_of=DX,
    words="dx as it should be, but with g = (weight + 1) dy or (weight - 1) dy",
    slips="It happens where one pass takes the weight as zero-centered and the other does not. Each pass alone looks right.",
    repair="Add the 1 of a zero-centered weight in both passes or in neither.",
    witness=Witness(x=("1", "3"), eps="3", yours=("3/4", "-3/4"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq",),
    reports=("NVIDIA/Megatron-LM#6859",),
    gradient=gradient,
    parameters=parameters,
)
