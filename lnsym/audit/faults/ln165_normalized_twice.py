"""LN165: the norm is applied twice. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.u / np.sqrt((rows.u**2).mean(axis=1, keepdims=True) + rows.eps))


FAULT = Fault(
    code="LN165",
    title="the row is normalized twice",
    kind="function",
    computes=r"y = \gamma \wrong{u(u(x))} + \beta",
    instead_of=r"y = \gamma u + \beta",
    words="the layer norm of the normalized row",
    slips=(
        "The variance of the normalized row is var/(var + eps), near 1, so the second time changes little where eps is small beside "
        "var and 1."
    ),
    repair="Normalize once: a block and the layer inside it both do it.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-sqrt(13)/13", "sqrt(13)/13"), exact=("-1/2", "1/2")),
    theorems=("bench_1_3", "variance_core_eq"),
    model=model,
)
