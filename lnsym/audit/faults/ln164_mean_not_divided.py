"""LN164: the mean is subtracted after the division. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.x / rows.s - rows.mean)


FAULT = Fault(
    code="LN164",
    title="the mean is subtracted after the division, undivided",
    kind="function",
    computes=r"u = \wrong{\frac{x}{\sqrt{q + \varepsilon}} - \mu}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x/sqrt(var + eps) - mean) + bias",
    slips="For rows with mean 0 it is right, and random test data has a mean near 0.",
    repair="Subtract the mean first, or subtract mean*rstd.",
    witness=Witness(x=("0", "2"), eps="3", yours=("-1", "0"), exact=("-1/2", "1/2")),
    theorems=("core_add_const", "core_eq"),
    model=model,
)
