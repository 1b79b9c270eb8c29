"""LN139: the first entry is left out of the statistics. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import statistics


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    mean, variance = statistics(rows.x[:, 1:], 1)
    return rows.affine((rows.x - mean) / np.sqrt(variance + rows.eps))


FAULT = Fault(
    code="LN139",
    title="the first entry is left out of mean and variance",
    kind="function",
    computes=r"\mu = \wrong{\frac{1}{d - 1} \sum_{i = 2}^{d}} x_i",
    instead_of=r"\mu = \frac{1}{d} \sum_{i = 1}^{d} x_i",
    words="mean and var over the entries without the first one, with divisor d - 1",
    slips="In a wide row one entry of d changes mean and variance by about 1/d of their size.",
    repair="Let the sums run over all d entries. Test narrow rows, d = 2 and 3.",
    witness=Witness(x=("1", "0", "2"), eps="3", yours=("0", "-1/2", "1/2"), exact=("0", "-sqrt(33)/11", "sqrt(33)/11")),
    theorems=("statistics_eq", "mean_core_eq_zero"),
    model=model,
)
