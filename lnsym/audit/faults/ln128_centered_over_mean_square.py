"""LN128: deviations over the root mean square. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt((rows.x**2).mean(axis=1, keepdims=True) + rows.eps))


FAULT = Fault(
    code="LN128",
    title="the deviations are divided by the root mean square of the row, not by its standard deviation",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{\wrong{\tfrac{1}{d} \sum_i x_i^2} + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(mean(x^2) + eps) + bias",
    slips="For rows with mean 0 it agrees with the layer norm. It is the layer norm for the eps mean^2 + eps.",
    repair="Square the deviations, not the entries.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-sqrt(5)/5", "sqrt(5)/5"), exact=("-1/2", "1/2")),
    theorems=("variance_add_const", "core_add_const"),
    model=model,
)
