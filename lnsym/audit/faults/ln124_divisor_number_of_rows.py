"""LN124: the variance is divided by the number of rows. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt((rows.v**2).sum(axis=1, keepdims=True) / rows.n + rows.eps))


FAULT = Fault(
    code="LN124",
    title="the sum of squares is divided by the number of rows, not by the width",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{\wrong{\tfrac{1}{n} \sum_i v_i^2} + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(sum((x - mean)^2)/n + eps) + bias with n rows",
    slips="A square test matrix has as many rows as columns.",
    repair="Divide by the length of the normalized axis. Test with one row and with more rows than columns.",
    witness=Witness(
        x=(("1", "2", "3"), ("0", "0", "0")),
        eps="1/3",
        yours=(("-sqrt(3)/2", "0", "sqrt(3)/2"), ("0", "0", "0")),
        exact=(("-1", "0", "1"), ("0", "0", "0")),
    ),
    theorems=("core_divided_eq",),
    reports=("RubixML/ML#423",),
    model=model,
)
