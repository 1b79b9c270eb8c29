"""LN116: eps is added to the reciprocal deviation. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v * (1 / np.sqrt(rows.q) + rows.eps))


FAULT = Fault(
    code="LN116",
    title="eps is added to 1/sqrt(var), not to the variance",
    kind="function",
    computes=r"u = v \left(\wrong{\frac{1}{\sqrt{q}} + \varepsilon}\right)",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)*(1/sqrt(var) + eps) + bias",
    slips="At var = 1 and eps = 1e-5 the results differ by 1.5e-5 of their size. Constant rows give infinity times 0.",
    repair="Write rstd = 1/sqrt(var + eps).",
    witness=Witness(x=("0", "2"), eps="3", yours=("-4", "4"), exact=("-1/2", "1/2")),
    theorems=("inverse_root_ne_inverse_variance",),
    model=model,
)
