"""LN418: some gradients are wrong or missing if not all of them are asked for. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN418",
    title="some gradients are wrong or missing if not all of them are asked for",
    kind="behaviour",
    computes=r"\mathrm{d}x \text{ alone} \wrong{\ne} \mathrm{d}x \text{ among all}",
    instead_of=r"\mathrm{d}x \text{ alone} = \mathrm{d}x \text{ among all}",
    words="dx, dweight or dbias differs when only some of them are requested",
    slips="Tests request all of them. Frozen parameters, as in fine-tuning, do not.",
    repair="Compute each gradient from its own inputs, and test every subset of the three.",
    witness=None,
    theorems=("gradient_dot_output_eq",),
)
