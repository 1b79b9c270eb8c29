"""LN114: the sample standard deviation plus eps. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    sample = (rows.v**2).sum(axis=1, keepdims=True) / (rows.d - 1)
    return rows.affine(rows.v / (np.sqrt(sample) + rows.eps))


FAULT = Fault(
    code="LN114",
    title="the standard deviation has the divisor d - 1, and eps is added outside the root",
    kind="function",
    computes=r"u = \frac{v}{\wrong{\sqrt{\tfrac{1}{d - 1} \sum_i v_i^2} + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/(std(x, divisor d - 1) + eps) + bias",
    slips=(
        "The default of std() in several libraries has the divisor d - 1. At d = 768 it makes results smaller by 0.07 percent, and "
        "the eps outside does not show at var = 1."
    ),
    repair="Take the variance with divisor d, add eps, then take the root.",
    witness=Witness(x=("4", "0", "0", "0"), eps="1", yours=("1", "-1/3", "-1/3", "-1/3"), exact=("3/2", "-1/2", "-1/2", "-1/2")),
    theorems=("core_outside_eq", "core_divided_eq", "norm_core_divided_lt"),
    reports=(
        "codertimo/BERT-pytorch#30",
        "harvardnlp/annotated-transformer#119",
        "hyunwoongko/transformer#7",
        "hkproj/pytorch-transformer#31",
    ),
    model=model,
)
