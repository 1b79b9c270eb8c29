"""LN166: the mean is cut to an integer. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    v = rows.x - np.trunc(rows.mean)
    return rows.affine(v / np.sqrt((v**2).mean(axis=1, keepdims=True) + rows.eps))


FAULT = Fault(
    code="LN166",
    title="the mean is cut to an integer",
    kind="function",
    computes=r"\mu = \wrong{\operatorname{trunc}}\left(\frac{1}{d} \sum_i x_i\right)",
    instead_of=r"\mu = \frac{1}{d} \sum_i x_i",
    words="the layer norm about trunc(mean)",
    slips="Rows of integers with an integer mean are right, and so are rows with mean 0.",
    repair="Divide as floating-point numbers. A mean that is off by c works like an eps larger by c^2 and shifts the result.",
    witness=Witness(x=("0", "1"), eps="1/2", yours=("0", "1"), exact=("-sqrt(3)/3", "sqrt(3)/3")),
    theorems=("core_shifted_mean_eq", "mean_core_eq_zero"),
    model=model,
)
