"""LN161: weight and bias are taken by row. Imports the records of the catalogue and what mistakes share."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness
from lnsym.audit.faults._shared import RAISES


def model(rows: Rows) -> Array:
    """y as the mistake computes it, where weight and bias are long enough."""
    if rows.n > rows.d:
        return RAISES
    return rows.weight[: rows.n, None] * rows.u + rows.bias[: rows.n, None]


FAULT = Fault(
    code="LN161",
    title="weight and bias are indexed by the row, not by the column",
    kind="function",
    computes=r"y_{ij} = \gamma_{\wrong{i}} u_{ij} + \beta_{\wrong{i}}",
    instead_of=r"y_{ij} = \gamma_j u_{ij} + \beta_j",
    words="weight[row]*(x - mean)/sqrt(var + eps) + bias[row]",
    slips="Weight 1 and bias 0, the values at the start of training, hide it. Equal entries hide it as well.",
    repair="Index weight and bias along the normalized axis. Test distinct entries and more rows than columns.",
    witness=Witness(
        x=(("0", "2"), ("0", "2")),
        eps="3",
        yours=(("0", "2"), ("3", "7")),
        exact=(("0", "7"), ("0", "7")),
        weight=("2", "4"),
        bias=("1", "5"),
    ),
    theorems=("output_eq", "mean_output_eq"),
    model=model,
    shown_by=frozenset({"weight"}),
)
