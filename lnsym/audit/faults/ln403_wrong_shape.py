"""LN403: the result has the wrong shape. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN403",
    title="the result has the wrong shape",
    kind="behaviour",
    computes=r"\operatorname{shape}(y) \wrong{\ne} \operatorname{shape}(x)",
    instead_of=r"\operatorname{shape}(y) = \operatorname{shape}(x)",
    words="y has another shape than x, or a gradient another shape than what it belongs to",
    slips="Broadcasting lets a wrong shape pass in later operations, most of all where sides are equal.",
    repair="Keep the reduced axes (keepdims) in mean and variance, and test with sides that all differ.",
    witness=None,
    theorems=("output_eq",),
    reports=("pytorch/pytorch#84563", "microsoft/onnxruntime#30513"),
)
