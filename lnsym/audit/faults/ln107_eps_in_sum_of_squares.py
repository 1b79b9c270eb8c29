"""LN107: eps is added to the sum of squares. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(((rows.v**2).sum(axis=1, keepdims=True) + rows.eps) / rows.d))


FAULT = Fault(
    code="LN107",
    title="eps is added to the sum of squares, before the division by d",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{\frac{1}{d} \left(\wrong{\sum_i v_i^2 + \varepsilon}\right)}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt((sum((x - mean)^2) + eps)/d) + bias",
    slips="It makes eps smaller by the factor d, which does not show while the variance is far above eps.",
    repair="Divide the sum of squares by d first, then add eps.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-sqrt(10)/5", "sqrt(10)/5"), exact=("-1/2", "1/2")),
    theorems=("core_eq_core_iff_eps_eq",),
    model=model,
)
