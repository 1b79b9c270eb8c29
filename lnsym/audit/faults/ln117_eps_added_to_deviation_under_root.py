"""LN117: the root is taken twice. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(np.sqrt(rows.q) + rows.eps))


FAULT = Fault(
    code="LN117",
    title="the root is taken of the standard deviation plus eps, not of the variance plus eps",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{\wrong{\sqrt{q}} + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(std + eps) + bias",
    slips="For rows with variance 1 the second root changes nothing, and random test data has a variance near 1.",
    repair="Put the variance under the root: sqrt(var + eps).",
    witness=Witness(x=("0", "8"), eps="5", yours=("-4/3", "4/3"), exact=("-4*sqrt(21)/21", "4*sqrt(21)/21")),
    theorems=("inverse_root_ne_inverse_variance",),
    reports=("hyunwoongko/transformer#7",),
    model=model,
)
