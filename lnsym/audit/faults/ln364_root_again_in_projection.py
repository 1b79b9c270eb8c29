"""LN364: the term u mean(g u) of dx is divided by s too often. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array, times: int) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - mean(g) - rows.u * mean(g * rows.u) / rows.s**times) / rows.s}


def parameters(_: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    yield {"times": 1}
    yield {"times": 2}


FAULT = Fault(
    code="LN364",
    title="the term u mean(g u) of dx is divided by s {times} time(s) too often",
    kind="gradient",
    computes=(
        r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - \wrong{\frac{1}{s^k}} u\,\overline{g u}\right), \quad \wrong{k = 1, "
        r"2}"
    ),
    instead_of=DX,
    words="dx = (g - mean(g) - rstd u mean(g u))/s, or with rstd^2",
    slips="Where the variance is about 1, as in most random test data, every power of s is about 1.",
    repair="With u the last term needs no further rstd: rstd^3 belongs to the form that is written with the deviations v.",
    witness=Witness(x=("1", "3"), eps="3", yours=("7/16", "-7/16"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled", "jacobian_forms"),
    gradient=gradient,
    parameters=parameters,
)
