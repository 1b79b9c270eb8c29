"""LN133: mean absolute deviation. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / (np.abs(rows.v).mean(axis=1, keepdims=True) + rows.eps))


FAULT = Fault(
    code="LN133",
    title="the row is divided by its mean absolute deviation plus eps",
    kind="function",
    computes=r"u = \frac{v}{\wrong{\tfrac{1}{d} \sum_i |v_i| + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/(mean(|x - mean|) + eps) + bias",
    slips="At d = 2, and in every row whose deviations have one size, it is the standard deviation plus eps.",
    repair="Divide by the root of the mean square: sqrt(mean((x - mean)^2) + eps).",
    witness=Witness(x=("1", "2", "6"), eps="1/3", yours=("-6/7", "-3/7", "9/7"), exact=("-2*sqrt(5)/5", "-sqrt(5)/5", "3*sqrt(5)/5")),
    theorems=("core_eq", "norm_core_eq"),
    model=model,
)
