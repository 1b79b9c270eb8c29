"""LN103: eps is squared under the root. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(rows.q + rows.eps**2))


FAULT = Fault(
    code="LN103",
    title="eps is squared under the root",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{q + \wrong{\varepsilon^2}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(var + eps^2) + bias",
    slips=(
        "At var = 1 both eps and eps^2 vanish beside the variance: with eps = 1e-5 the results differ by 5e-6 of their size. Rows "
        "with var near eps or below show it."
    ),
    repair=(
        "Write sqrt(var + eps). If eps is meant as a standard deviation, take its square once, where it is defined, and document "
        "it."
    ),
    witness=Witness(x=("0", "2"), eps="3", yours=("-sqrt(10)/10", "sqrt(10)/10"), exact=("-1/2", "1/2")),
    theorems=("core_eq_core_iff_eps_eq", "norm_outside_le"),
    model=model,
)
