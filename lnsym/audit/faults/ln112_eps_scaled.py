"""LN112: eps is multiplied by a constant. Imports the records of the catalogue and what mistakes share."""

from collections.abc import Iterable, Sequence

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._shared import Estimate, effective_eps, least_doubtful, shortest


def model(rows: Rows, k: float) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(rows.q + k * rows.eps))


def factors(seen: Sequence[Seen]) -> Iterable[Parameters]:
    """The factor of the row where it is best known; 1 is right, 2 is adding eps twice, and with one eps it is a constant in its place."""
    estimates = effective_eps(seen)
    one = least_doubtful(Estimate(row.value / row.rows.eps, row.doubt / row.rows.eps, row.rows) for row in estimates if row.rows.eps > 0)
    if one is None or one.value <= one.doubt or len({row.rows.eps for row in estimates}) == 1:
        return ()
    return () if any(abs(one.value - k) <= one.doubt for k in (1, 2)) else ({"k": shortest(one)},)


FAULT = Fault(
    code="LN112",
    title="eps counts {k} times, as when the input is divided by a constant and eps is kept",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{q + \wrong{k \varepsilon}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(var + {k}*eps) + bias",
    slips="A constant scale is chosen for a half format, and the values that it is tried on have a variance far above eps.",
    repair="Where the input is divided by a constant c, divide eps by c^2.",
    witness=Witness(x=("0", "2"), eps="3/4", yours=("-1/4", "1/4"), exact=("-2*sqrt(7)/7", "2*sqrt(7)/7")),
    theorems=("core_ne_core_of_scaled_down", "core_eq_core_iff_eps_eq"),
    reports=("openvinotoolkit/openvino#28996",),
    model=model,
    parameters=factors,
)
