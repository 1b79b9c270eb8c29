"""LN110: eps is added twice under the root. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(rows.q + 2 * rows.eps))


FAULT = Fault(
    code="LN110",
    title="eps is added twice under the root",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{q + \wrong{2 \varepsilon}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(var + 2*eps) + bias",
    slips="At var = 1 and eps = 1e-5 the results differ by 5e-6 of their size. A helper that returns var + eps invites it.",
    repair="Add eps in one place: either the helper that computes the variance adds it, or the caller.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-sqrt(7)/7", "sqrt(7)/7"), exact=("-1/2", "1/2")),
    theorems=("core_eq_core_iff_eps_eq",),
    model=model,
)
