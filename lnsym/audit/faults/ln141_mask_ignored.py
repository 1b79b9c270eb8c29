"""LN141: the mask is ignored. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault


def model(call: Call) -> Array:
    """y as the mistake computes it."""
    y = call.shaped(call.rows().y)
    return y if call.mask is None else np.where(call.mask, y, np.nan)


FAULT = Fault(
    code="LN141",
    title="the mask is ignored: masked entries count in mean and variance",
    kind="function",
    computes=r"\mu = \frac{1}{\wrong{d}} \sum_{i} x_i",
    instead_of=r"\mu = \frac{1}{|M|} \sum_{i \in M} x_i",
    words="the layer norm of the whole row, masked entries and all",
    slips="Tests use a mask that is all true, or masked entries that look like the others.",
    repair="Sum over the entries that count and divide by their number. Test that masked entries can be changed without effect.",
    witness=None,
    theorems=("statistics_eq",),
    whole=model,
)
