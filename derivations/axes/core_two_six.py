"""The case (2, 6) with eps = 1: mean 4, variance 4, output (-2, 2)/sqrt(5)."""

from lnsym.derivation import Derivation, Example, NearMiss, at, entries
from lnsym.lang import Eq, fraction, sqrt, var

from ..definitions import mu, q, s, u, v, y

CASE = at(z=(2, 6), gamma=(1, 1), beta=(0, 0), eps=1)

THEOREM = Derivation(
    title="The case (2, 6) with eps = 1 has mean 4, variance 4 and output (-2, 2)/sqrt(5).",
    catalogue="S43",
    cites=("004 ¶2",),
    claims=(
        Example((Eq(mu, 4), *entries(v, (-2, 2)), Eq(q, 4)), CASE, why="The deviations are -2 and 2, the mean of their squares is 4."),
        Example((Eq(s, sqrt(5)), Eq(var(u), fraction(4, 5)), *entries(u, (-2 / sqrt(5), 2 / sqrt(5)))), CASE, why="q + eps = 5."),
        Example(entries(y, (-2 / sqrt(5), 2 / sqrt(5))), CASE, why="Unit gains and zero biases leave the core as it is."),
    ),
    near_misses=(NearMiss(Eq(var(u), 1), why="With eps = 1 the variance of this output is 4/5."),),
)
