"""LN104: eps is not used. Imports the records of the catalogue."""

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(rows.q))


FAULT = Fault(
    code="LN104",
    title="eps is not used: the row is divided by sqrt(var)",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{q \wrong{{} + 0}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(var) + bias",
    slips=(
        "At var = 1 and eps = 1e-5 the results differ by 5e-6 of their size. Only rows with small variance show it, and constant "
        "rows, which give 0/0."
    ),
    repair=(
        "Add eps to the variance before the root, and look whether the argument reaches the code: a wrong type or name can turn it "
        "into 0."
    ),
    witness=Witness(x=("0", "2"), eps="3", yours=("-1", "1"), exact=("-1/2", "1/2")),
    theorems=("core_eq_core_iff_eps_eq", "moments_core_eps_zero", "variance_core_eq"),
    reports=("VeriSilicon/TIM-VX#589", "pytorch/pytorch#86580", "deepspeedai/DeepSpeed#581"),
    model=model,
)
