"""LN316: dx uses the deviations v where the core u belongs. Imports the records of a mistake and the backward pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lnsym.audit.call import Array, Gradient, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._backward import DX, mean


def gradient(rows: Rows, dy: Array, places: int) -> Gradient:
    """The gradients as the mistake computes them."""
    g = rows.weight * dy
    return {"x": (g - mean(g) - rows.s**places * rows.u * mean(g * rows.u)) / rows.s}


def parameters(_: Sequence[Seen]) -> Iterator[Parameters]:
    """The constants worth trying, from what was seen."""
    yield {"places": 1}
    yield {"places": 2}


FAULT = Fault(
    code="LN316",
    title="dx uses the deviations v where the core u belongs ({places} of 2 places)",
    kind="gradient",
    computes=r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - \wrong{v}\,\overline{g \wrong{u}}\right)",
    instead_of=DX,
    words="dx = (g - mean(g) - v mean(g u))/s, or with v in both places",
    slips="Where the variance is about 1, as in most random test data, v and u are nearly equal.",
    repair=(
        "Multiply v by rstd in both places: the last term carries rstd three times, once outside the bracket and once in each "
        "u."
    ),
    witness=Witness(x=("1", "3"), eps="3", yours=("1/4", "-1/4"), exact=("3/8", "-3/8"), quantity="dx", dy=("1", "-1")),
    theorems=("gradient_dot_output_eq", "gradient_core_ne_scaled", "jacobian_forms"),
    reports=("sympy/sympy#9871",),
    gradient=gradient,
    parameters=parameters,
)
