"""LN413: NaN or infinity in one row spoils other rows. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault

FAULT = Fault(
    code="LN413",
    title="NaN or infinity in one row spoils other rows",
    kind="behaviour",
    computes=r"x_1 \ni \text{NaN} \Rightarrow y_2 \wrong{\ni \text{NaN}}",
    instead_of=r"x_1 \ni \text{NaN} \Rightarrow y_2 = f(x_2)",
    words="a row of finite numbers gives NaN because another row holds NaN or infinity",
    slips="Test data is finite. Masked or padded rows of real batches often are not.",
    repair="Mask by selection (where), not by multiplication with 0: 0 times NaN is NaN. Let no reduction run over several rows.",
    witness=None,
    theorems=("jacobian_batch_output_eq",),
)
