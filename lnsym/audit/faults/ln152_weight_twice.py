"""LN152: the weight is applied twice. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.weight**2 * rows.u + rows.bias


FAULT = Fault(
    code="LN152",
    title="the weight is applied twice",
    kind="function",
    computes=r"y = \gamma^{\wrong{2}} u + \beta",
    instead_of=r"y = \gamma u + \beta",
    words="weight^2*(x - mean)/sqrt(var + eps) + bias",
    slips="Weights 0 and 1 hide it.",
    repair="Apply the weight in one place: a fused kernel and its caller both do it.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1", "13"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_eq", "core_conventions"),
    model=model,
    shown_by=frozenset({"weight"}),
)
