"""LN151: the bias is ignored. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.weight * rows.u


FAULT = Fault(
    code="LN151",
    title="the bias is ignored",
    kind="function",
    computes=r"y = \wrong{\gamma u}",
    instead_of=r"y = \gamma u + \beta",
    words="weight*(x - mean)/sqrt(var + eps)",
    slips="The bias 0, its value at the start of training, hides it.",
    repair="Add the bias. Test a bias that differs from 0 in every entry.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1", "2"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_eq", "core_conventions"),
    model=model,
    shown_by=frozenset({"bias"}),
)
