"""LN163: only the mean is divided. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.x - rows.mean / rows.s)


FAULT = Fault(
    code="LN163",
    title="only the mean is divided: a parenthesis is missing around x - mean",
    kind="function",
    computes=r"u = \wrong{x - \frac{\mu}{\sqrt{q + \varepsilon}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean/sqrt(var + eps)) + bias",
    slips="For rows with variance 1 it is nearly right, and random test data has mean 0 and variance 1.",
    repair="Put the numerator in parentheses: (x - mean)/sqrt(var + eps).",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1/2", "3/2"), exact=("-1/2", "1/2")),
    theorems=("core_add_const", "core_eq"),
    model=model,
)
