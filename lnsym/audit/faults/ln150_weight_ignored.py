"""LN150: the weight is ignored. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.u + rows.bias


FAULT = Fault(
    code="LN150",
    title="the weight is ignored",
    kind="function",
    computes=r"y = \wrong{u} + \beta",
    instead_of=r"y = \gamma u + \beta",
    words="(x - mean)/sqrt(var + eps) + bias",
    slips="The weight 1, its value at the start of training, hides it.",
    repair="Multiply by the weight. Test a weight that differs from 1 in every entry.",
    witness=Witness(x=("0", "2"), eps="3", yours=("1/2", "11/2"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_eq", "core_conventions"),
    model=model,
    shown_by=frozenset({"weight"}),
)
