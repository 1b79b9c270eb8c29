"""LN132: squared deviations in the place of deviations. Imports the records of the catalogue."""

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Witness


def model(rows: Rows) -> Array:
    """y as the mistake computes it."""
    return rows.affine(rows.v**2 / rows.s)


FAULT = Fault(
    code="LN132",
    title="the squared deviations are scaled and returned, not the deviations",
    kind="function",
    computes=r"u = \frac{\wrong{v^2}}{\sqrt{q + \varepsilon}}",
    instead_of=r"u = \frac{v}{\sqrt{q + \varepsilon}}",
    words="weight*(x - mean)^2/sqrt(var + eps) + bias",
    slips="A fused helper keeps the squares in the buffer of the deviations on one branch only, such as the scalar one or the tail.",
    repair="Keep the deviations, and square them in a register.",
    witness=Witness(x=("0", "2"), eps="3", yours=("1/2", "1/2"), exact=("-1/2", "1/2")),
    theorems=("mean_core_eq_zero", "core_eq"),
    reports=("ggml-org/whisper.cpp#3477",),
    model=model,
)
