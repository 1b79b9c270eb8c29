"""LN405: the result comes in another format than the input. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN405",
    title="the result comes in another format than the input",
    kind="behaviour",
    computes=r"\operatorname{format}(y) = \wrong{\text{float32}}",
    instead_of=r"\operatorname{format}(y) = \operatorname{format}(x) = \text{float16}",
    words="for an input in half precision the result is float32, or for float32 it is float64",
    slips=(
        "The numbers are right, even more exact than they need to be. Memory and time double, and the next layer may refuse "
        "the mixture."
    ),
    repair="Compute in the wider format, and cast once at the end to the format of x.",
    witness=None,
    reports=("huggingface/transformers#30236", "pytorch/pytorch#139923"),
)
