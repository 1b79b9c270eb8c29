"""LN146: the deviations are not divided. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v)


FAULT = Fault(
    code="LN146",
    title="the deviations are returned undivided: the row is centered, not normalized",
    kind="function",
    computes=r"u = \wrong{v}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean) + bias",
    slips="For rows with variance near 1 the division changes little, and random test data has a variance near 1.",
    repair="Divide by sqrt(var + eps). Test with rows whose variance is 1/4 and 4.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1", "1"), exact=("-1/2", "1/2")),
    theorems=("core_eq", "variance_core_eq"),
    model=model,
)
