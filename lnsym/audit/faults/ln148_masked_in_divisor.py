"""LN148: masked entries count in the divisor. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault


def model(call: Call) -> Array:
    """y as the mistake computes it."""
    rows = call.rows()
    kept = np.ones(rows.x.shape, bool) if call.mask is None else call.flat(call.mask)
    mean = np.where(kept, rows.x, 0).sum(axis=1, keepdims=True) / rows.d
    variance = np.where(kept, (rows.x - mean) ** 2, 0).sum(axis=1, keepdims=True) / rows.d
    return call.shaped(np.where(kept, rows.affine((rows.x - mean) / np.sqrt(variance + rows.eps)), np.nan))


FAULT = Fault(
    code="LN148",
    title="masked entries are left out of both sums, but the divisor is the whole width",
    kind="function",
    computes=r"\mu = \frac{1}{\wrong{d}} \sum_{i \in M} x_i, \quad q = \frac{1}{\wrong{d}} \sum_{i \in M} (x_i - \mu)^2",
    instead_of=r"\mu = \frac{1}{|M|} \sum_{i \in M} x_i, \quad q = \frac{1}{|M|} \sum_{i \in M} (x_i - \mu)^2",
    words="mean and var with sums over the entries that count and divisor d",
    slips="Tests use a mask that is all true, or rows with few masked entries.",
    repair="Divide both sums by the number of entries that count.",
    witness=None,
    theorems=("statistics_eq",),
    whole=model,
)
