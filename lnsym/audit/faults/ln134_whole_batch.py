"""LN134: statistics over the whole batch. Imports the records of the catalogue and what mistakes share."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import normalized


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(normalized(rows.x, (0, 1), rows.eps))


FAULT = Fault(
    code="LN134",
    title="mean and variance are taken over the whole batch, not over each row",
    kind="function",
    computes=(
        r"\mu = \operatorname{mean}_{\wrong{\text{all axes}}}(x), \quad q = \operatorname{mean}_{\wrong{\text{all axes}}}\left((x - "
        r"\mu)^2\right)"
    ),
    instead_of=r"\mu = \operatorname{mean}_{\text{axis}}(x), \quad q = \operatorname{mean}_{\text{axis}}\left((x - \mu)^2\right)",
    words="weight*(x - mean(all))/sqrt(var(all) + eps) + bias",
    slips="A test with one row cannot see it, and rows that all have mean 0 and variance 1 come out right.",
    repair="Give the reductions the axis: mean(x, axis=-1, keepdims=True). Test that a row alone gives what it gives in a batch.",
    witness=Witness(
        x=(("0", "2"), ("2", "4")),
        eps="3",
        yours=(("-2*sqrt(5)/5", "0"), ("0", "2*sqrt(5)/5")),
        exact=(("-1/2", "1/2"), ("-1/2", "1/2")),
    ),
    theorems=("jacobian_batch_core_eq", "core_pooled_steps"),
    model=model,
)
