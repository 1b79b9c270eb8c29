"""A common shift c moves the mean by c and leaves the deviations as they are."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, by, centred, chain, count, split
from lnsym.lang import Eq, P, mean, one

from ..definitions import c, d, mu, v, w, z

THEOREM = Derivation(
    title="mean(z + c 1) = mean(z) + c, and the deviations do not change.",
    catalogue="S12",
    cites=("004 ¶7", "004 ¶14"),
    claims=(
        Claim(
            Eq(mean(z + c * one), mean(z) + c),
            chain(mean(z + c * one))
            .to(mean(z) + c * mean(one), by=algebra, why="The mean is linear.")
            .to(mean(z) + c, by=count, why="The mean of 1 is 1."),
        ),
        Claim(
            Eq(z + c * one - mean(z + c * one), z - mean(z)),
            chain(z + c * one - mean(z + c * one))
            .to(z + c * one - (mean(z) + c), by=count, why="The mean moves by c.")
            .to(z - mean(z), by=algebra, why="c is added and taken away."),
        ),
        Claim(Eq(P @ (z + c * one), v), by(split, centred, count, why="P z = v and P 1 = 0."), label="in matrix form"),
    ),
    points=(at(z=(1, 2, 3), c=10, value="12"),),
    near_misses=(
        NearMiss(Eq(mean(z + c * one), mu + c / d), why="Every coordinate moves, not one alone."),
        NearMiss(Eq(P @ (z + w), v), why="Unequal shifts change the deviations."),
    ),
)
