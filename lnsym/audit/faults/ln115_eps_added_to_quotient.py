"""LN115: eps is added to the quotient. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(rows.q) + rows.eps)


FAULT = Fault(
    code="LN115",
    title="eps is added to the quotient: a parenthesis is missing around the denominator",
    kind="function",
    computes=r"u = \wrong{\frac{v}{\sqrt{q}} + \varepsilon}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*((x - mean)/sqrt(var) + eps) + bias",
    slips=(
        "The error is about eps in each entry, within absolute tolerances of 1e-5. Rows with small variance and constant rows show "
        "it."
    ),
    repair="Put the denominator in parentheses: (x - mean)/sqrt(var + eps).",
    witness=Witness(x=("0", "2"), eps="3", yours=("2", "4"), exact=("-1/2", "1/2")),
    theorems=("mean_core_eq_zero", "core_eq"),
    model=model,
)
