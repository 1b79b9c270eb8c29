"""LN126: root mean square norm. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.x / np.sqrt((rows.x**2).mean(axis=1, keepdims=True) + rows.eps))


FAULT = Fault(
    code="LN126",
    title="the row is not centered: this is the root mean square norm",
    kind="function",
    computes=r"u = \frac{\wrong{x}}{\sqrt{\wrong{\tfrac{1}{d} \sum_i x_i^2} + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*x/sqrt(mean(x^2) + eps) + bias",
    slips="For rows with mean 0 both norms agree, and random test data has means near 0.",
    repair="Subtract the mean first, or name the function root mean square norm.",
    witness=Witness(x=("0", "2"), eps="3", yours=("0", "2*sqrt(5)/5"), exact=("-1/2", "1/2")),
    theorems=("core_add_const", "mean_core_eq_zero"),
    reports=("keras-team/keras#21234",),
    model=model,
)
