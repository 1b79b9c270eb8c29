"""LN209: Welford with rounded steps. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._arithmetic import finished, rows_of


def simulate(call: Call) -> Array:
    """y with the rounding that the mistake brings."""
    x = rows_of(call)
    mean, total = np.zeros((2, len(x), 1), x.dtype)
    for k in range(call.width):
        entry = x[:, k : k + 1]
        step = entry - mean
        mean = mean + step / x.dtype.type(k + 1)
        total = total + step * (entry - mean)
    return finished(call, (x - mean) / np.sqrt(total / x.dtype.type(max(call.width, 1)) + x.dtype.type(call.eps)))


FAULT = Fault(
    code="LN209",
    title="the mean is a running mean, which drifts by the rounding of each step",
    kind="arithmetic",
    computes=r"\mu_k = \wrong{\operatorname{rd}\left(\mu_{k-1} + \frac{x_k - \mu_{k-1}}{k}\right)}",
    instead_of=r"\mu = \frac{1}{d} \sum_i x_i",
    words="Welford's mean and variance, one entry after the other, in the working format",
    slips=(
        "The drift is in units of the last place of the mean, which a row near 0 does not feel. At a mean of 1e6 in float32 a unit "
        "is 1/16, and 0.3 was seen over 1024 entries."
    ),
    repair="Correct the mean by the mean of the deviations from it, or subtract a first guess such as the first entry.",
    witness=Witness(
        x=("4503599627370498", "4503599627370497", "4503599627370497", "4503599627370496"),
        eps="5/2",
        yours=("0", "-1/2", "-1/2", "-1"),
        exact=("sqrt(3)/3", "0", "0", "-sqrt(3)/3"),
    ),
    theorems=("core_shifted_mean_eq", "mean_rounded_le"),
    reports=("tenstorrent/tt-metal#47791",),
    simulate=simulate,
)
