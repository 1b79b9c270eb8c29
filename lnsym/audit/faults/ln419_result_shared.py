"""LN419: the result shares memory with an argument or with an earlier result. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN419",
    title="the result shares memory with an argument or with an earlier result",
    kind="behaviour",
    computes=r"y_1 \wrong{\text{ changes when } f(x_2) \text{ is called}}",
    instead_of=r"y_1 \text{ stays}",
    words="what was returned changes later: with the input, or with the next call",
    slips="A result that is looked at once, before the next call, is right.",
    repair="Return memory of your own: copy, or allocate the result in every call.",
    witness=None,
    reports=("ggml-org/ggml#1519", "ml-explore/mlx#941", "tillahoffmann/jax-mps#168"),
)
