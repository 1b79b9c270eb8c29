"""LN149: statistics of each column over all rows. Imports the records of the catalogue and what mistakes share."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import normalized


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(normalized(rows.x, 0, rows.eps))


FAULT = Fault(
    code="LN149",
    title="mean and variance are taken of each column over all rows (batch norm)",
    kind="function",
    computes=(
        r"\mu = \operatorname{mean}_{\wrong{\text{all other axes}}}(x), \quad q = \operatorname{mean}_{\wrong{\text{all other "
        r"axes}}}\left((x - \mu)^2\right)"
    ),
    instead_of=r"\mu = \operatorname{mean}_{\text{axis}}(x), \quad q = \operatorname{mean}_{\text{axis}}\left((x - \mu)^2\right)",
    words="weight*(x - mean of the column)/sqrt(var of the column + eps) + bias",
    slips="Shapes fit, and each column comes out with mean 0 and variance near 1.",
    repair="Reduce over the normalized axes only. Test that a row alone gives what it gives in a batch.",
    witness=Witness(
        x=(("0", "2"), ("2", "8")),
        eps="3",
        yours=(("-1/2", "-sqrt(3)/2"), ("1/2", "sqrt(3)/2")),
        exact=(("-1/2", "1/2"), ("-sqrt(3)/2", "sqrt(3)/2")),
    ),
    theorems=("jacobian_batch_core_eq", "core_beside_companions", "jacobian_batch_norm_eq"),
    model=model,
)
