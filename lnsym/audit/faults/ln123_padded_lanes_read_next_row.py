"""LN123: padded lanes read the next row. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import in_blocks, padded


def model(rows: Rows, block: float) -> Array:
    """y as the mistake computes it: the mask ends with the buffer, so only the last rows are read alone."""
    lanes = np.arange(rows.n)[:, None] * rows.d + np.arange(padded(rows.d, block))
    inside = lanes < rows.x.size
    read = np.where(inside, rows.x.reshape(-1)[np.where(inside, lanes, 0)], 0)
    mean = read.sum(axis=1, keepdims=True) / rows.d
    variance = (np.where(inside, read - mean, 0) ** 2).sum(axis=1, keepdims=True) / rows.d
    return rows.affine((rows.x - mean) / np.sqrt(variance + rows.eps))


FAULT = Fault(
    code="LN123",
    title="the lanes that pad a row read the next row",
    kind="function",
    computes=r"\mu = \frac{1}{d} \sum_{i \le \wrong{w}} x_i, \quad q = \frac{1}{d} \sum_{i \le \wrong{w}} (x_i - \mu)^2",
    instead_of=r"\mu = \frac{1}{d} \sum_{i \le d} x_i, \quad q = \frac{1}{d} \sum_{i \le d} (x_i - \mu)^2",
    words="mean and var over the first w entries from the start of the row, w the padded width, with divisor d",
    slips="Widths that fill the block are right, a single row is right, and so is the last row of a batch.",
    repair="Mask the lanes by the width of the row, lane < d, and not by the size of the buffer.",
    witness=Witness(
        x=(("2", "0", "4"), ("9", "0", "0")),
        eps="1",
        yours=(("-sqrt(2)/2", "-5*sqrt(2)/6", "-sqrt(2)/6"), ("6*sqrt(19)/19", "-3*sqrt(19)/19", "-3*sqrt(19)/19")),
        exact=(("0", "-2*sqrt(33)/11", "2*sqrt(33)/11"), ("6*sqrt(19)/19", "-3*sqrt(19)/19", "-3*sqrt(19)/19")),
    ),
    theorems=("jacobian_batch_core_eq", "core_beside_companions"),
    reports=("flagos-ai/FlagGems#4985",),
    model=model,
    parameters=in_blocks,
)
