"""LN120: the variance has the divisor d - 1. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt((rows.v**2).sum(axis=1, keepdims=True) / (rows.d - 1) + rows.eps))


FAULT = Fault(
    code="LN120",
    title="the variance has the divisor d - 1 (sample variance)",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{\wrong{\tfrac{1}{d - 1} \sum_i v_i^2} + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(sum((x - mean)^2)/(d - 1) + eps) + bias",
    slips=(
        "The result is smaller by the factor sqrt(1 - 1/d) where eps does not matter: 0.07 percent at d = 768. At d = 2 it is 29 "
        "percent, and d = 1 gives 0/0."
    ),
    repair="Use the divisor d: var(x, ddof=0), or unbiased=False.",
    witness=Witness(x=("0", "2"), eps="2", yours=("-1/2", "1/2"), exact=("-sqrt(3)/3", "sqrt(3)/3")),
    theorems=("core_ne_core_unbiased", "core_divided_eq", "norm_core_divided_lt"),
    reports=("LBANN/lbann#2024", "FluxML/Flux.jl#529", "pytorch/pytorch#84356"),
    model=model,
)
