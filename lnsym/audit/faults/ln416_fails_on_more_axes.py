"""LN416: it fails on inputs that are no matrices. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN416",
    title="it fails on inputs with one axis or with more than two",
    kind="behaviour",
    computes=r"x \in \mathbb{R}^{m \times n \times d}: \wrong{\text{error}}",
    instead_of=r"x \in \mathbb{R}^{m \times n \times d}: y \in \mathbb{R}^{m \times n \times d}",
    words="an input of shape (d,) or (m, n, d) raises or is read wrongly",
    slips="Tests use matrices.",
    repair="Flatten all leading axes into one, or index from the last axis.",
    witness=None,
    theorems=("output_eq",),
    reports=("apache/tvm#19691",),
)
