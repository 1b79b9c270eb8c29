"""LN407: it fails on a batch without rows. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN407",
    title="it fails on a batch without rows",
    kind="behaviour",
    computes=r"n = 0: \wrong{\text{error}}",
    instead_of=r"n = 0: y \text{ empty},\ \mathrm{d}\gamma = \mathrm{d}\beta = 0",
    words="for an input of shape (0, d) it raises or returns something else than an empty array of that shape",
    slips="Data loaders drop empty batches, until rows are routed by a condition.",
    repair="Return an empty result before any kernel is started; the gradients by weight and bias are zeros.",
    witness=None,
    theorems=("parameter_gradient_sums_cases",),
    reports=("intel/torch-xpu-ops#4378", "pytorch/pytorch#28614", "flagos-ai/FlagGems#5474"),
)
