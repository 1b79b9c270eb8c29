"""LN160: the input is added. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.x + rows.y


FAULT = Fault(
    code="LN160",
    title="the input is added to the result, as in a residual connection",
    kind="function",
    computes=r"y = \wrong{x + {}} \gamma u + \beta",
    instead_of=r"y = \gamma u + \beta",
    words="x + weight*(x - mean)/sqrt(var + eps) + bias",
    slips="A test of the whole residual block passes where the block does not add the input again.",
    repair="Leave the residual connection to the caller.",
    witness=Witness(x=("0", "2"), eps="3", yours=("0", "9"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_add_const", "output_eq"),
    model=model,
)
