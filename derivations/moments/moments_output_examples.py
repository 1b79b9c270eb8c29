"""Unequal gains can move mean and variance, and can leave both as they were."""

from lnsym.derivation import Derivation, Example, NearMiss, at
from lnsym.lang import Eq, cov, fraction, mean, positive, var

from ..definitions import beta, eps, gamma, rho, u, y

THEOREM = Derivation(
    title="Unequal gains can change the mean and the variance of the output; they need not.",
    catalogue="S08",
    cites=("000 ¶2", "004 ¶10"),
    claims=(
        Example(
            (Eq(var(u), fraction(1, 4)), Eq(mean(y), fraction(1, 4)), Eq(var(y), fraction(9, 16))),
            at(z=(1, 3), eps=3, gamma=(1, 2), beta=(0, 0)),
            why="Gains (1, 2) move the mean from 0 to 1/4 and the variance from 1/4 to 9/16.",
        ),
        Example(
            (Eq(mean(y), fraction(1, 2)), Eq(var(y), 1)),
            at(z=(1, 3), eps=3, gamma=(1, 1), beta=(0, 1)),
            why="Unequal biases alone do it too.",
        ),
        Example(
            (Eq(cov(gamma, u), 0), Eq(mean(y), 0), Eq(var(y), rho), Eq(rho, fraction(1, 4))),
            at(z=(0, 2, 0, 2), eps=3, gamma=(1, 1, -1, -1), beta=(0, 0, 0, 0)),
            why="Gains of 1 and -1 that do not vary with the core leave both as they were.",
        ),
    ),
    near_misses=(
        NearMiss(Eq(mean(y), 0), given=(positive(eps), Eq(beta, 0)), why="Without a bias the gains alone can move the mean."),
        NearMiss(
            Eq(var(y), rho), given=(positive(eps), Eq(mean(gamma), 1), Eq(beta, 0)), why="Gains of mean 1 can still change the variance."
        ),
    ),
    note="That unequal parameters can change the moments is a possibility and not a rule; equal parameters can change them as well.",
)
