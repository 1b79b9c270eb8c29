"""LN113: eps is subtracted from the variance. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(rows.q - rows.eps))


FAULT = Fault(
    code="LN113",
    title="eps is subtracted from the variance",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{q \wrong{{} - \varepsilon}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(var - eps) + bias",
    slips=(
        "At var = 1 and eps = 1e-5 the results differ by 1e-5 of their size. Rows with var < eps give NaN, and a test without such "
        "rows passes."
    ),
    repair="Write sqrt(var + eps), and refuse a negative eps: it has the same effect.",
    witness=Witness(x=("0", "4"), eps="3", yours=("-2", "2"), exact=("-2*sqrt(7)/7", "2*sqrt(7)/7")),
    theorems=("variance_add_eps_pos", "core_eq_core_iff_eps_eq"),
    reports=("ml-explore/mlx#4312", "pytorch/pytorch#166405"),
    model=model,
)
