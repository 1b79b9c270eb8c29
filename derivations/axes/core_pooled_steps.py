"""The axis of the statistics matters: pooled over both steps, (2, 6) becomes (0, 4)/sqrt(5007)."""

from lnsym.derivation import Derivation, Example, NearMiss, at, entries
from lnsym.kernel.terms import COORDINATES, STEPS, Array, Entry, Index, Term, hole
from lnsym.lang import D, Eq, core, i, j, length, matrix, positive, sqrt, sum_over

from ..definitions import eps

A = matrix("A", STEPS)  # the summed inputs of each step in a row
FIRST, SECOND = Index("1", STEPS), Index("2", STEPS)
p = Index("p", STEPS)
STEPS_AT = at(A=((2, 6), (-100, 100)), eps=1)


def step(place: Index) -> Array:
    """The summed inputs of one step."""
    return Array((hole(1),), Entry("A", (place, hole(1))))


def over_all(body: Array) -> Term:
    """The mean over all steps and coordinates."""
    average: Term = sum_over(p, sum_over(i, body[p, i])) / (length(STEPS) * length(COORDINATES))
    return average


separate = Array((hole(1, STEPS), hole(2)), core(step(hole(1, STEPS)))[hole(2)])
pooled = (A - over_all(A)) / sqrt(over_all((A - over_all(A)) ** 2) + eps)

THEOREM = Derivation(
    title="Pooled over two steps, (2, 6) beside (-100, 100) becomes (0, 4)/sqrt(5007); by itself it is (-2, 2)/sqrt(5).",
    catalogue="S48",
    cites=("004 ¶3",),
    claims=(
        Example(entries(core(step(FIRST)), (-2 / sqrt(5), 2 / sqrt(5))), STEPS_AT, why="The step alone: mean 4, variance 4."),
        Example(
            (Eq(over_all(A), 2), Eq(over_all((A - over_all(A)) ** 2), 5006)),
            STEPS_AT,
            why="All four numbers: sum 8, squared deviations 20024.",
        ),
        Example(
            (Eq(pooled[FIRST, Index("1")], 0), Eq(pooled[FIRST, Index("2")], 4 / sqrt(5007))),
            STEPS_AT,
            why="2 - 2 and 6 - 2 over the root of 5007.",
        ),
    ),
    near_misses=(
        NearMiss(Eq(pooled, separate), why="Pooled statistics are not those of a step."),
        NearMiss(Eq(D(pooled[FIRST, i], A[SECOND, j]), 0), why="Pooled, a step depends on the others.", given=(positive(eps),)),
    ),
)
