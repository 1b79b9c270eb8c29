"""LN125: the padded row is normalized as a whole. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import in_blocks, padded


def model(rows: Rows, block: float) -> Array:
    """y as the mistake computes it."""
    width = padded(rows.d, block)
    mean = rows.x.sum(axis=1, keepdims=True) / width
    square = (rows.x**2).sum(axis=1, keepdims=True) / width
    return rows.affine((rows.x - mean) / np.sqrt(square - mean**2 + rows.eps))


FAULT = Fault(
    code="LN125",
    title="the row is padded with zeros, and the zeros count in mean, variance and divisor",
    kind="function",
    computes=r"\mu = \frac{1}{\wrong{w}} \sum_i x_i, \quad q = \wrong{\frac{1}{w} \sum_i x_i^2 - \mu^2}",
    instead_of=r"\mu = \frac{1}{d} \sum_i x_i, \quad q = \frac{1}{d} \sum_i (x_i - \mu)^2",
    words="the layer norm of the row continued with zeros to the padded width, cut back to d",
    slips="Widths that fill the block are right.",
    repair="Divide by the true width d, and keep the padded lanes out of both sums.",
    witness=Witness(
        x=("1", "2", "5"),
        eps="1/2",
        yours=("-1/2", "0", "3/2"),
        exact=("-5*sqrt(122)/61", "-2*sqrt(122)/61", "7*sqrt(122)/61"),
    ),
    theorems=("statistics_eq", "core_add_const"),
    model=model,
    parameters=in_blocks,
)
