"""LN422: rows beyond the size of a block or a grid are not written. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN422",
    title="rows beyond the size of a block or a grid are not written",
    kind="behaviour",
    computes=r"y_k = \wrong{\text{what was in memory}} \text{ for } k > K",
    instead_of=r"y_k = f(x_k) \text{ for every } k",
    words="the first rows are right, the later ones hold what the memory held before",
    slips="Tests use few rows.",
    repair="Let every block go on to further rows (a grid-stride loop), or split the batch.",
    witness=None,
    theorems=("jacobian_batch_output_eq",),
    reports=("NVIDIA/apex#411",),
)
