"""LN162: weight - 1 in the place of weight. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.u) - rows.u


FAULT = Fault(
    code="LN162",
    title="1 is missing from the weight: weight - 1 is applied",
    kind="function",
    computes=r"y = (\gamma \wrong{{} - 1}) u + \beta",
    instead_of=r"y = \gamma u + \beta",
    words="(weight - 1)*(x - mean)/sqrt(var + eps) + bias",
    slips=(
        "The result has the right shape and is finite; the default weight 1 gives the bias alone, which a look at a trained model "
        "does not show."
    ),
    repair="Where the stored weight is zero-centered, apply 1 + weight.",
    witness=Witness(x=("0", "2"), eps="3", yours=("1/2", "13/2"), exact=("0", "7"), weight=("2", "4"), bias=("1", "5")),
    theorems=("output_eq", "core_conventions"),
    reports=("NVIDIA/Megatron-LM#6859",),
    model=model,
    shown_by=frozenset({"weight"}),
)
