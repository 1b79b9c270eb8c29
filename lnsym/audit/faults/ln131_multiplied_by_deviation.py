"""LN131: multiplied instead of divided. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v * rows.s)


FAULT = Fault(
    code="LN131",
    title="the deviations are multiplied by the standard deviation instead of divided by it",
    kind="function",
    computes=r"u = \wrong{v \sqrt{q + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)*sqrt(var + eps) + bias",
    slips="For rows with variance 1 it is nearly the same, and random test data has a variance near 1.",
    repair="Divide by sqrt(var + eps), or multiply by its reciprocal: rsqrt, not sqrt.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-2", "2"), exact=("-1/2", "1/2")),
    theorems=("inverse_root_ne_inverse_variance", "variance_core_eq"),
    reports=("tenstorrent/tt-mlir#8561",),
    model=model,
)
