"""LN158: the bias is subtracted. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.weight * rows.u - rows.bias


FAULT = Fault(
    code="LN158",
    title="the bias is subtracted",
    kind="function",
    computes=r"y = \gamma u \wrong{{} - \beta}",
    instead_of=r"y = \gamma u + \beta",
    words="weight*(x - mean)/sqrt(var + eps) - bias",
    slips="The bias 0, its value at the start of training, hides it.",
    repair="Write weight*core + bias.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-2", "-3"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_eq", "core_conventions"),
    model=model,
    shown_by=frozenset({"bias"}),
)
