"""LN145: the last entry is left out of the statistics. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import statistics


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    mean, variance = statistics(rows.x[:, :-1], 1)
    return rows.affine((rows.x - mean) / np.sqrt(variance + rows.eps))


FAULT = Fault(
    code="LN145",
    title="the last entry is left out of mean and variance",
    kind="function",
    computes=r"\mu = \wrong{\frac{1}{d - 1} \sum_{i = 1}^{d - 1}} x_i",
    instead_of=r"\mu = \frac{1}{d} \sum_{i = 1}^{d} x_i",
    words="mean and var over the entries without the last one, with divisor d - 1",
    slips="In a wide row one entry of d changes mean and variance by about 1/d of their size.",
    repair="Let the sums run over all d entries: i < d, not i < d - 1. Test narrow rows, d = 2 and 3.",
    witness=Witness(x=("0", "2", "1"), eps="3", yours=("-1/2", "1/2", "0"), exact=("-sqrt(33)/11", "sqrt(33)/11", "0")),
    theorems=("statistics_eq", "mean_core_eq_zero"),
    model=model,
)
