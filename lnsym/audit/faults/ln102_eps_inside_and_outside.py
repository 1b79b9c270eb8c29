"""LN102: eps is used twice. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / (rows.s + rows.eps))


FAULT = Fault(
    code="LN102",
    title="eps is added under the root and once more to the root",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{q + \varepsilon} \wrong{{} + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/(sqrt(var + eps) + eps) + bias",
    slips=(
        "The results differ by the factor 1 + eps/sqrt(var + eps): 1e-5 at var = 1 and eps = 1e-5. A constant row is right, and no "
        "row is off by more than the factor 1 + sqrt(eps)."
    ),
    repair="Write sqrt(var + eps) and nothing more: under the root eps already keeps the denominator from 0.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1/5", "1/5"), exact=("-1/2", "1/2")),
    theorems=("core_eq", "core_smul_of_sq_eps"),
    reports=("keras-team/keras#2961",),
    model=model,
)
