"""LN411: it reads a slice from the start of the array that it was cut from. Imports the record of a mistake."""

from __future__ import annotations

from lnsym.audit.fault import Fault, Witness

FAULT = Fault(
    code="LN411",
    title="it reads a slice from the start of the array that it was cut from",
    kind="behaviour",
    computes=r"x_{ij} = \text{buffer}[\wrong{0} + i d + j]",
    instead_of=r"x_{ij} = \text{buffer}[\text{offset} + i d + j]",
    words="asked for the second row of ((1, 1), (2, 6)) it normalizes the first",
    slips="Test inputs are made anew and start where their memory starts.",
    repair="Take the address of the data of the view, not that of its storage.",
    witness=Witness(
        x=("2", "6"),
        eps="5",
        yours=("0", "0"),
        exact=("-2/3", "2/3"),
    ),
    reports=("pytorch/pytorch#131750",),
)
