"""LN138: the entries after the last full vector are left out. Imports the records of the catalogue and what mistakes share."""

from collections.abc import Iterable, Sequence

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._shared import BLOCKS


def model(rows: Rows, width: float) -> Array:
    """y as the mistake computes it."""
    full = rows.x[:, : rows.d - rows.d % int(width)]
    mean = full.sum(axis=1, keepdims=True) / rows.d
    variance = ((full - mean) ** 2).sum(axis=1, keepdims=True) / rows.d
    return rows.affine((rows.x - mean) / np.sqrt(variance + rows.eps))


def vectors(seen: Sequence[Seen]) -> Iterable[Parameters]:
    """The widths of vectors that leave some row with a remainder."""
    return [{"width": width} for width in BLOCKS if any(one.rows.d % width for one in seen)]


FAULT = Fault(
    code="LN138",
    title="the entries after the last full vector of {width} are left out of the sums",
    kind="function",
    computes=r"\mu = \frac{1}{d} \sum_{i \le \wrong{m}} x_i, \quad q = \frac{1}{d} \sum_{i \le \wrong{m}} (x_i - \mu)^2",
    instead_of=r"\mu = \frac{1}{d} \sum_{i \le d} x_i, \quad q = \frac{1}{d} \sum_{i \le d} (x_i - \mu)^2",
    words="mean and var with the sums over the first d - d % {width} entries, divided by d",
    slips="Widths that are multiples of the vector width are right, and tests take powers of two.",
    repair="Add the scalar loop for the remainder, or mask the last vector. Test widths one off a multiple.",
    witness=Witness(x=("0", "3", "6"), eps="7/3", yours=("-1/2", "1", "5/2"), exact=("-3*sqrt(3)/5", "0", "3*sqrt(3)/5")),
    theorems=("statistics_eq",),
    model=model,
    parameters=vectors,
)
