"""LN156: the weight is used as the bias. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.u + rows.weight


FAULT = Fault(
    code="LN156",
    title="the weight is added as if it were the bias, and no weight is applied",
    kind="function",
    computes=r"y = \wrong{u + \gamma}",
    instead_of=r"y = \gamma u + \beta",
    words="(x - mean)/sqrt(var + eps) + weight",
    slips="With the default weight and bias an importer sets both itself.",
    repair="Check the positions of the arguments at import: (x, normalized_shape, weight, bias, eps) holds the shape first.",
    witness=Witness(x=("0", "2"), eps="3", yours=("3/2", "9/2"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_eq", "core_conventions"),
    reports=("apache/tvm#5249",),
    model=model,
    shown_by=frozenset({"weight"}),
)
