"""LN129: the root is missing. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / (rows.q + rows.eps))


FAULT = Fault(
    code="LN129",
    title="the row is divided by var + eps: the root is missing",
    kind="function",
    computes=r"u = \frac{v}{\wrong{q + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/(var + eps) + bias",
    slips="For rows with variance 1 the root changes hardly anything, and random test data has a variance near 1.",
    repair="Write 1/sqrt(var + eps). Test with rows whose variance is 1/4 and 4.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1/4", "1/4"), exact=("-1/2", "1/2")),
    theorems=("inverse_root_ne_inverse_variance",),
    model=model,
)
