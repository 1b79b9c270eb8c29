"""The independence is of the normalization alone: mixing the cases before it couples them again."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, count, derivative, squares
from lnsym.kernel.terms import ROWS, Index
from lnsym.lang import D, Eq, core, i, j, positive

from ..definitions import eps
from . import X, core_jacobian, row

FIRST, SECOND = Index("1", ROWS), Index("2", ROWS)
mixed = row(SECOND) + row(FIRST) / 2

THEOREM = Derivation(
    title="Adding half of case 1 to case 2 before the core makes the core of case 2 depend on case 1.",
    catalogue="S45",
    cites=("004 ¶2",),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(D(core(mixed)[i], X[FIRST, j]), core_jacobian(mixed)[i, j] / 2),
            by(derivative, squares, count, why="The chain rule: half of X_1j enters each entry that the core of case 2 reads."),
        ),
    ),
    points=(at(X=((2, 6), (-100, 100)), eps=1),),
    near_misses=(
        NearMiss(Eq(D(core(mixed)[i], X[FIRST, j]), 0), why="A statement about the normalization is not one about a whole network."),
    ),
)
