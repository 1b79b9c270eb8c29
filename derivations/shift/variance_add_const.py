"""A common shift leaves the variance as it is."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, centred, chain, count, split, variance
from lnsym.lang import Eq, mean, one, var

from ..definitions import c, q, w, z

shifted = z + c * one

THEOREM = Derivation(
    title="var(z + c 1) = q.",
    catalogue="S13",
    cites=("004 ¶14",),
    claims=(
        Claim(
            Eq(var(shifted), q),
            chain(var(shifted))
            .to(mean((shifted - mean(shifted)) ** 2), by=count, why="The variance is the mean of the squared deviations.")
            .to(mean((z - mean(z)) ** 2), by=count, why="The deviations do not change.")
            .to(q, by=(split, centred, variance), why="q names that mean."),
        ),
    ),
    points=(at(z=(1, 2, 3), c=10, value="2/3"),),
    near_misses=(
        NearMiss(Eq(var(shifted), q + c**2), why="That is how the mean square about a fixed point would move."),
        NearMiss(Eq(var(z + w), q), why="Unequal shifts change the variance."),
    ),
)
