"""LN147: masked entries count as zeros. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault
from lnsym.audit.faults._shared import normalized


def model(call: Call) -> Array:
    """y as the mistake computes it."""
    rows = call.rows()
    kept = np.ones(rows.x.shape, bool) if call.mask is None else call.flat(call.mask)
    core = normalized(np.where(kept, rows.x, 0), 1, rows.eps)
    return call.shaped(np.where(kept, rows.affine(core), np.nan))


FAULT = Fault(
    code="LN147",
    title="masked entries are set to 0 and then count in mean, variance and divisor",
    kind="function",
    computes=r"\mu = \frac{1}{\wrong{d}} \sum_{i \in M} x_i, \quad q = \wrong{\frac{1}{d} \sum_{i \in M} x_i^2 - \mu^2}",
    instead_of=r"\mu = \frac{1}{|M|} \sum_{i \in M} x_i, \quad q = \frac{1}{|M|} \sum_{i \in M} (x_i - \mu)^2",
    words="the layer norm of the row with zeros in the place of masked entries",
    slips="Tests use a mask that is all true, or rows with mean near 0 and few masked entries.",
    repair="Divide both sums by the number of entries that count, and mask the deviations as well.",
    witness=None,
    theorems=("statistics_eq",),
    whole=model,
)
