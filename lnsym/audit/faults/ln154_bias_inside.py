"""LN154: the bias is added before the weight. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    y: Array = rows.weight * (rows.u + rows.bias)
    return y


FAULT = Fault(
    code="LN154",
    title="the bias is added before the weight is applied, so it is multiplied too",
    kind="function",
    computes=r"y = \gamma \wrong{(u + \beta)}",
    instead_of=r"y = \gamma u + \beta",
    words="weight*((x - mean)/sqrt(var + eps) + bias)",
    slips="Weight 1 or bias 0 hides it.",
    repair="Write weight*core + bias.",
    witness=Witness(x=("0", "2"), eps="3", yours=("1", "22"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_eq", "core_conventions"),
    model=model,
    shown_by=frozenset({"weight", "bias"}),
)
