"""LN153: 1 + weight in the place of weight. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.u) + rows.u


FAULT = Fault(
    code="LN153",
    title="the weight is taken as zero-centered: 1 + weight is applied",
    kind="function",
    computes=r"y = (\wrong{1 + {}} \gamma) u + \beta",
    instead_of=r"y = \gamma u + \beta",
    words="(1 + weight)*(x - mean)/sqrt(var + eps) + bias",
    slips="Where the same code makes and uses the weight, the two conventions agree. It shows with weights from elsewhere.",
    repair="Apply the weight as it is given, or document the zero-centered convention.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1/2", "15/2"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_eq", "core_conventions"),
    reports=("NVIDIA/TransformerEngine#577",),
    model=model,
    shown_by=frozenset({"weight"}),
)
