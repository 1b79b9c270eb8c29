"""LN127: the row itself over the standard deviation. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.x / rows.s)


FAULT = Fault(
    code="LN127",
    title="the row is divided by its standard deviation without being centered",
    kind="function",
    computes=r"u = \frac{\wrong{x}}{\sqrt{q + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*x/sqrt(var + eps) + bias",
    slips=(
        "For rows with mean 0 it agrees with the layer norm and with the root mean square norm, and random test data has means near "
        "0."
    ),
    repair="Subtract the mean; for a root mean square norm divide by the root of the mean square.",
    witness=Witness(x=("0", "2"), eps="3", yours=("0", "1"), exact=("-1/2", "1/2")),
    theorems=("mean_core_eq_zero", "core_add_const"),
    reports=("keras-team/keras#21234", "keras-team/keras#22393"),
    model=model,
)
