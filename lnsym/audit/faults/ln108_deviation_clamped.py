"""LN108: the standard deviation is clamped by eps. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.maximum(np.sqrt(rows.q), rows.eps))


FAULT = Fault(
    code="LN108",
    title="the standard deviation is clamped from below by eps; nothing is added",
    kind="function",
    computes=r"u = \frac{v}{\wrong{\max(\sqrt{q}, \varepsilon)}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/max(sqrt(var), eps) + bias",
    slips=(
        "For a standard deviation above eps it is the layer norm with eps = 0; at var = 1 and eps = 1e-5 that is off by 5e-6. "
        "Constant rows are right."
    ),
    repair="Write sqrt(var + eps). The maximum also has a kink where the standard deviation is eps.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1/3", "1/3"), exact=("-1/2", "1/2")),
    theorems=("core_clamped_eq", "jacobian_clamped_eq", "norm_outside_le"),
    model=model,
)
