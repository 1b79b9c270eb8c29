"""LN121: the sum of squares is not divided. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt((rows.v**2).sum(axis=1, keepdims=True) + rows.eps))


FAULT = Fault(
    code="LN121",
    title="the sum of squares is not divided by d",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{\wrong{\sum_i v_i^2} + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(sum((x - mean)^2) + eps) + bias",
    slips=(
        "The result has the right direction and length 1 instead of sqrt(d). A weight that is learned afterwards, or a second norm, "
        "makes up for it."
    ),
    repair="Divide the sum of squares by d before eps is added.",
    witness=Witness(x=("1", "2", "3"), eps="1/3", yours=("-sqrt(21)/7", "0", "sqrt(21)/7"), exact=("-1", "0", "1")),
    theorems=("core_divided_eq", "norm_core_eq"),
    model=model,
)
