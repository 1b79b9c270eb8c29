"""LN106: eps is raised to a minimum. Imports the records of the catalogue and what mistakes share."""

from collections.abc import Iterable, Sequence

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._shared import effective_eps, least_doubtful, shortest


def model(rows: Rows, c: float) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(rows.q + max(rows.eps, c)))


def minima(seen: Sequence[Seen]) -> Iterable[Parameters]:
    """The eps of the best known row whose eps came out larger than given, if some probe has an eps above it: else it is a constant."""
    estimates = effective_eps(seen)
    one = least_doubtful(row for row in estimates if row.value - row.doubt > row.rows.eps)
    return () if one is None or all(row.rows.eps <= one.value + one.doubt for row in estimates) else ({"c": shortest(one)},)


FAULT = Fault(
    code="LN106",
    title="every eps below {c} is raised to {c}",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{q + \wrong{\max(\varepsilon, c)}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(var + max(eps, {c})) + bias",
    slips=(
        "The default eps lies above the minimum or near it, and tests with a smaller eps use rows with var near 1, where it does "
        "not show."
    ),
    repair="Use the eps that was asked for. If the backend cannot, refuse a smaller one with an error.",
    witness=Witness(x=("0", "1/500"), eps="1/3000000", yours=("-sqrt(2)/2", "sqrt(2)/2"), exact=("-sqrt(3)/2", "sqrt(3)/2")),
    theorems=("core_eq_core_iff_eps_eq",),
    reports=("tensorflow/tensorflow#37768", "tensorflow/tensorflow#8090", "microsoft/onnxruntime#2680"),
    model=model,
    parameters=minima,
)
