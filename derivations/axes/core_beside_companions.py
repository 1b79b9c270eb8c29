"""Beside (-100, 100) or (1000, 2000) the case (2, 6) has the same core; two-case batch normalization changes it."""

from lnsym.derivation import Claim, Derivation, Example, NearMiss, at, by, derivative, entries
from lnsym.kernel.terms import ROWS, Index, Relation, Term
from lnsym.lang import D, Eq, core, i, j, positive, sqrt

from ..definitions import eps
from . import X, column, row

FIRST, SECOND = Index("1", ROWS), Index("2", ROWS)
NEAR = at(X=((2, 6), (-100, 100)), eps=1)
FAR = at(X=((2, 6), (1000, 2000)), eps=1)
alone = entries(core(row(FIRST)), (-2 / sqrt(5), 2 / sqrt(5)))


def batch_norm(first: Term, second: Term) -> tuple[Relation, ...]:
    """The values that batch normalization gives to the two features of the first case."""
    return tuple(Eq(core(column(Index(str(k))))[FIRST], value) for k, value in enumerate((first, second), 1))


THEOREM = Derivation(
    title="The core of (2, 6) is the same beside any companion; batch normalization changes it.",
    catalogue="S44",
    cites=("004 ¶2",),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(D(core(row(FIRST))[i], X[SECOND, j]), 0),
            by(derivative, why="The companion does not enter the statistics of the first case."),
            label="no companion matters",
        ),
        Example(alone, NEAR, why="The first case, beside (-100, 100)."),
        Example(alone, FAR, why="The first case, beside (1000, 2000): the same output."),
        Example(batch_norm(51 / sqrt(2602), -47 / sqrt(2210)), NEAR, why="Batch normalization of (2, -100) and (6, 100)."),
        Example(batch_norm(-499 / sqrt(249002), -997 / sqrt(994010)), FAR, why="The same of (2, 1000) and (6, 2000): another output."),
    ),
    points=(NEAR, FAR),
    near_misses=(
        NearMiss(Eq(D(core(column(j))[FIRST], X[SECOND, j]), 0), why="Statistics over the cases of a batch do depend on the companion."),
    ),
)
