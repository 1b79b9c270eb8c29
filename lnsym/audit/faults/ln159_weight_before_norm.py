"""LN159: the weight is applied before the normalization. Imports the records of the catalogue and what mistakes share."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import normalized


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    y: Array = normalized(rows.weight * rows.x, 1, rows.eps) + rows.bias
    return y


FAULT = Fault(
    code="LN159",
    title="the weight is applied to the input, before the normalization",
    kind="function",
    computes=r"y = \wrong{u(\gamma x)} + \beta",
    instead_of=r"y = \gamma u + \beta",
    words="the layer norm of weight*x, plus bias",
    slips="Equal positive weights hide it where eps is small beside the variance.",
    repair="Normalize x, then apply the weight.",
    witness=Witness(
        x=("0", "2"),
        eps="3",
        yours=("1-sqrt(3)/2", "5+sqrt(3)/2"),
        exact=("0", "13/2"),
        weight=("2", "3"),
        bias=("1", "5"),
    ),
    theorems=("output_eq", "core_add_const"),
    model=model,
    shown_by=frozenset({"weight"}),
)
