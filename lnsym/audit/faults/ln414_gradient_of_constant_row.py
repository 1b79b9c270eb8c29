"""LN414: the gradient of a constant row is NaN or infinite. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault, Witness

FAULT = Fault(
    code="LN414",
    title="the gradient of a constant row is NaN or infinite",
    kind="behaviour",
    computes=r"q = 0: \mathrm{d}x = \wrong{\text{NaN}}",
    instead_of=r"q = 0: \mathrm{d}x = \frac{g - \overline{g}}{\sqrt{\varepsilon}}",
    words="for equal entries dx is NaN, where (g - mean(g))/sqrt(eps) is right",
    slips="The forward pass is right, and random rows are never constant. Padding is.",
    repair="Let eps stand under the root: the derivative of sqrt(variance) at 0 is infinite, that of sqrt(variance + eps) is not.",
    witness=Witness(x=("0", "0"), eps="1/4", yours=("nan", "nan"), exact=("1", "-1"), quantity="dx", dy=("1", "0")),
    theorems=("jacobian_of_constant", "variance_add_eps_pos"),
    reports=("tracel-ai/burn#1992",),
)
