"""LN105: a constant in place of eps. Imports the records of the catalogue and what mistakes share."""

from collections.abc import Iterable, Sequence

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, Witness
from lnsym.audit.faults._shared import effective_eps, least_doubtful, shortest


def model(rows: Rows, c: float) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v / np.sqrt(rows.q + c))


def constants(seen: Sequence[Seen]) -> Iterable[Parameters]:
    """The eps of the best known row, unless it is 0 or, where all probes have one eps, that eps itself, its double or its square."""
    one = least_doubtful(effective_eps(seen))
    if one is None or one.value <= one.doubt:
        return ()
    given = {row.rows.eps for row in effective_eps(seen)}
    special = [k for eps in given for k in (eps, 2 * eps, eps**2)] if len(given) == 1 else []
    return () if any(abs(one.value - k) <= one.doubt for k in special) else ({"c": shortest(one)},)


FAULT = Fault(
    code="LN105",
    title="eps is always {c}, whatever was asked for",
    kind="function",
    computes=r"u = \frac{v}{\sqrt{q + \wrong{c}}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)/sqrt(var + {c}) + bias",
    slips="Tests call with the default eps, which is the constant, or compare rows with var near 1, where eps does not show.",
    repair="Hand the argument eps through to the place where the root is taken, on every path.",
    witness=Witness(x=("0", "1/500"), eps="3/1000000", yours=("-sqrt(2)/2", "sqrt(2)/2"), exact=("-1/2", "1/2")),
    theorems=("core_eq_core_iff_eps_eq",),
    reports=("ggml-org/llama.cpp#2373", "mlc-ai/mlc-llm#1006", "OpenNMT/CTranslate2#951"),
    model=model,
    parameters=constants,
)
