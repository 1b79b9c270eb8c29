"""LN155: weight and bias are swapped. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.bias * rows.u + rows.weight


FAULT = Fault(
    code="LN155",
    title="weight and bias are swapped",
    kind="function",
    computes=r"y = \wrong{\beta} u + \wrong{\gamma}",
    instead_of=r"y = \gamma u + \beta",
    words="bias*(x - mean)/sqrt(var + eps) + weight",
    slips="Tests that look only at the shape of the output pass: both arguments have one shape.",
    repair="Name the arguments at the call: weight=..., bias=....",
    witness=Witness(x=("0", "2"), eps="3", yours=("3/2", "13/2"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_eq", "core_conventions"),
    model=model,
    shown_by=frozenset({"weight", "bias"}),
)
