"""LN122: padded lanes add the squared mean to the variance. Imports the records of the catalogue and what mistakes share."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import in_blocks, padded


def model(rows: Rows, block: float) -> Array:
    """y as the mistake computes it: a lane that holds 0 deviates from the mean by the mean."""
    lanes = padded(rows.d, block) - rows.d
    return rows.affine(rows.v / np.sqrt(rows.q + lanes * rows.mean**2 / rows.d + rows.eps))


FAULT = Fault(
    code="LN122",
    title="the lanes that pad a row count in the variance: each adds the squared mean",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{\wrong{\tfrac{1}{d} \left(\sum_i v_i^2 + (w - d) \mu^2\right)} + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(var + (w - d)/d*mean^2 + eps) + bias with w the padded width",
    slips=(
        "Widths that fill the block are right, and so is every row with mean 0. Tests take powers of two and random rows with a "
        "mean near 0."
    ),
    repair="Mask the deviations as well as the loads: where(lane < d, x - mean, 0).",
    witness=Witness(x=("1", "2", "3"), eps="1/3", yours=("-sqrt(21)/7", "0", "sqrt(21)/7"), exact=("-1", "0", "1")),
    theorems=("variance_add_const", "core_add_const"),
    reports=("triton-lang/triton#9838",),
    model=model,
    parameters=in_blocks,
)
