"""LN130: the variance is squared. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / (rows.q + rows.eps) ** 2)


FAULT = Fault(
    code="LN130",
    title="the row is divided by (var + eps)^2: the exponent 2 stands for 1/2",
    kind="function",
    computes=r"u = \frac{v}{\wrong{(q + \varepsilon)^2}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/(var + eps)^2 + bias",
    slips="For rows with variance 1 the exponent changes hardly anything, and random test data has a variance near 1.",
    repair="Write (var + eps)**0.5, or sqrt(var + eps).",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1/16", "1/16"), exact=("-1/2", "1/2")),
    theorems=("inverse_root_ne_inverse_variance",),
    reports=("131250208/TPlinker-joint-extraction#37",),
    model=model,
)
