"""LN157: the weight of a neighbor. Imports the records of the catalogue."""

from collections.abc import Iterable, Sequence

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness


def model(rows: Rows, shift: float) -> Array:
    """y as the mistake computes it."""
    return np.roll(rows.weight, int(shift)) * rows.u + rows.bias


def shifts(_: Sequence[Seen]) -> Iterable[Parameters]:
    """To the right or to the left."""
    return {"shift": 1}, {"shift": -1}


FAULT = Fault(
    code="LN157",
    title="the weight is misaligned by one entry",
    kind="function",
    computes=r"y_i = \gamma_{\wrong{i - k}} u_i + \beta_i",
    instead_of=r"y = \gamma u + \beta",
    words="roll(weight, {shift})*(x - mean)/sqrt(var + eps) + bias",
    slips="Equal weights hide it.",
    repair="Index weight and core by the same column. Test a weight with distinct entries.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1", "6"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_eq", "core_conventions"),
    reports=("deepspeedai/DeepSpeed#692",),
    model=model,
    parameters=shifts,
    shown_by=frozenset({"weight"}),
)
