"""LN109: the variance is clamped by eps. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(np.maximum(rows.q, rows.eps)))


FAULT = Fault(
    code="LN109",
    title="the variance is clamped from below by eps; nothing is added",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{\wrong{\max(q, \varepsilon)}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(max(var, eps)) + bias",
    slips=(
        "For a variance above eps it is the layer norm with eps = 0. The results are nowhere off by more than the factor sqrt(2), "
        "reached at var = eps, and a constant row is right."
    ),
    repair="Write sqrt(var + eps).",
    witness=Witness(x=("0", "2"), eps="3", yours=("-sqrt(3)/3", "sqrt(3)/3"), exact=("-1/2", "1/2")),
    theorems=("core_clamped_eq", "core_eq_core_iff_eps_eq"),
    model=model,
)
