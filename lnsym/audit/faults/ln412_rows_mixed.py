"""LN412: the result for a row depends on the other rows of the batch. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN412",
    title="the result for a row depends on the other rows of the batch",
    kind="behaviour",
    computes=r"y_k = f(x_k, \wrong{x_1, \dots, x_n})",
    instead_of="y_k = f(x_k)",
    words="a row alone and the same row within a batch give different results",
    slips="A test of one row cannot see it, and in a batch of equal rows the others change nothing.",
    repair="Take mean and variance over the normalized axes only, and let no row's kernel read or write past its end.",
    witness=None,
    theorems=("jacobian_batch_output_eq", "core_beside_companions"),
    reports=("vllm-project/vllm#57280", "flagos-ai/FlagGems#4985"),
)
