"""LN140: each group of the row is normalized for itself. Imports the records of the catalogue and what mistakes share."""

from collections.abc import Iterable, Sequence

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._shared import BLOCKS, RAISES, normalized


def model(rows: Rows, groups: float) -> Array:
    """y as the mistake computes it, where the groups divide the row."""
    if rows.d % int(groups):
        return RAISES
    parts = rows.x.reshape(rows.n, int(groups), -1)
    return rows.affine(normalized(parts, 2, rows.eps).reshape(rows.n, rows.d))


def counts(seen: Sequence[Seen]) -> Iterable[Parameters]:
    """The numbers of groups that divide all rows."""
    return [{"groups": groups} for groups in BLOCKS if not any(one.rows.d % groups for one in seen)]


FAULT = Fault(
    code="LN140",
    title="the row is split into {groups} groups, and each is normalized for itself (group norm)",
    kind="function",
    computes=(
        r"\mu = \operatorname{mean}_{\wrong{\text{group}}}(x), \quad q = \operatorname{mean}_{\wrong{\text{group}}}\left((x - "
        r"\mu)^2\right)"
    ),
    instead_of=r"\mu = \operatorname{mean}_{\text{axis}}(x), \quad q = \operatorname{mean}_{\text{axis}}\left((x - \mu)^2\right)",
    words="group norm with {groups} groups",
    slips="Each group has mean 0 and variance near 1, so the whole row has as well.",
    repair="Reduce over the whole row. With several devices that each hold a part of it, merge their statistics.",
    witness=Witness(
        x=("0", "2", "4", "6"),
        eps="3",
        yours=("-1/2", "1/2", "-1/2", "1/2"),
        exact=("-3*sqrt(2)/4", "-sqrt(2)/4", "sqrt(2)/4", "3*sqrt(2)/4"),
    ),
    theorems=("core_ne_group_core", "statistics_merge_eq"),
    model=model,
    parameters=counts,
)
