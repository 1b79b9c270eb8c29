"""LN318: dx carries rstd to a wrong power. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DX, dx


def gradient(rows: Rows, dy: Array, power: int) -> Gradient:
    """The gradients as the mistake computes them."""
    return {"x": dx(rows.weight * dy, rows.u, rows.s) / rows.s ** (power - 1)}


def parameters(_: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    for power in (2, 3, -1):
        yield {"power": power}


FAULT = Fault(
    code="LN318",
    title="dx carries rstd to the power {power}, not 1",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s^{\wrong{k}}}\left(g - \overline{g} - u\,\overline{g u}\right), \quad \wrong{k \ne 1}",
    instead_of=DX,
    words="dx = rstd^k (g - mean(g) - u mean(g u)) with k = -1, 2 or 3",
    slips="Where the variance is about 1, as in most random test data, every power of s is about 1.",
    repair="Multiply by rstd once. The third power belongs only to the form of the last term that is written with v.",
    witness=Witness(x=("1", "3"), eps="3", yours=("3/16", "-3/16"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "jacobian_forms", "inverse_root_ne_inverse_variance"),
    gradient=gradient,
    parameters=parameters,
)
