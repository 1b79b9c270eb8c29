"""LN406: it fails on rows of one entry. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN406",
    title="it fails on rows of one entry",
    kind="behaviour",
    computes=r"d = 1: \wrong{\text{error}}",
    instead_of=r"d = 1: y = \beta",
    words="for d = 1 it raises, or gives something else than the bias",
    slips="No model normalizes over one entry on purpose. It happens at the end of a search over sizes, or in an exported graph.",
    repair="Let d = 1 through: the variance is 0, the core is 0 and the output is the bias. With divisor d - 1 it is 0/0.",
    witness=None,
    theorems=("core_of_dim_one",),
    reports=("microsoft/onnxruntime#25896", "microsoft/onnxruntime#26034"),
)
