"""LN111: the input is divided by its largest magnitude, eps kept. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it: dividing x by m with eps kept is the layer norm for m^2 eps."""
    m = np.abs(rows.x).max(axis=1, keepdims=True)
    return rows.affine(np.where(m == 0, 0, rows.v / np.sqrt(rows.q + m**2 * rows.eps)))


FAULT = Fault(
    code="LN111",
    title="the row is divided by its largest magnitude against overflow, but eps is not",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{q + \wrong{m^2 \varepsilon}}}, \quad m = \max_i |x_i|",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x/m - mean/m)/sqrt(var/m^2 + eps) + bias with m = max|x|",
    slips=(
        "Rows with largest magnitude 1 are right, and rows with var = 1 and entries of a few units differ only in about the fifth "
        "digit at eps = 1e-5."
    ),
    repair="Divide eps by m^2 when the row is divided by m; for a power of two m this costs no rounding.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-sqrt(13)/13", "sqrt(13)/13"), exact=("-1/2", "1/2")),
    theorems=("core_ne_core_of_scaled_down", "core_eq_core_div", "core_smul_of_sq_eps"),
    reports=("openvinotoolkit/openvino#28996",),
    model=model,
)
