"""LN410: it reads a transposed or strided array in the order of memory. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault, Witness

FAULT = Fault(
    code="LN410",
    title="it reads a transposed or strided array in the order of memory",
    kind="behaviour",
    computes=r"x_{ij} = \text{buffer}[\wrong{i d + j}]",
    instead_of=r"x_{ij} = \text{buffer}[i\,\text{stride}_0 + j\,\text{stride}_1]",
    words="the rows are taken from memory one after the other, whatever the strides are",
    slips="Test inputs are made anew and lie in memory row by row.",
    repair="Use the strides, or make a contiguous copy first.",
    witness=Witness(
        x=(("1", "4"), ("2", "5"), ("3", "7")),
        eps="2",
        yours=(("-1/3", "1/3"), ("-1/3", "1/3"), ("-sqrt(3)/3", "sqrt(3)/3")),
        exact=(("-3*sqrt(17)/17", "3*sqrt(17)/17"), ("-3*sqrt(17)/17", "3*sqrt(17)/17"), ("-sqrt(6)/3", "sqrt(6)/3")),
    ),
    reports=("microsoft/DirectML#588", "NVIDIA/TransformerEngine#1017", "ELS-RD/kernl#193"),
)
