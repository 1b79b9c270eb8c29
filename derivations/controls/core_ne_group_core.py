"""Normalizing two groups is not normalizing the whole: the whole variance also holds the variance of the group means."""

from lnsym.derivation import Claim, Derivation, Example, NearMiss, algebra, at, by
from lnsym.kernel.terms import Index
from lnsym.lang import Eq, positive, sqrt

from ..definitions import d, eps, q, u, z

z1, z2, z3, z4 = (z[Index(str(k))] for k in (1, 2, 3, 4))
first_mean, second_mean = (z1 + z2) / 2, (z3 + z4) / 2
first_variance, second_variance = ((z1 - z2) / 2) ** 2, ((z3 - z4) / 2) ** 2
group_core = (z1 - first_mean) / sqrt(first_variance + eps)  # the first coordinate, normalized in the first group

THEOREM = Derivation(
    title="For d = 4 and two groups, q is the mean of the group variances plus the variance of the group means.",
    catalogue="N10",
    given=(Eq(d, 4),),
    claims=(
        Claim(
            Eq(q, (first_variance + second_variance) / 2 + ((first_mean - second_mean) / 2) ** 2),
            by(algebra, why="Each square about the mean is split at its group's mean."),
        ),
        Example(
            (Eq(u[Index("1")], -1), Eq(group_core, -1 / sqrt(3))),
            at(z=(0, 2, 2, 4), eps=2),
            why="One group's variance is 1, the whole variance 2.",
        ),
    ),
    points=(at(z=(0, 2, 4, 6), value=5),),
    near_misses=(
        NearMiss(Eq(u[Index("1")], group_core), why="Group normalization is not layer normalization.", given=(Eq(d, 4), positive(eps))),
        NearMiss(Eq(q, (first_variance + second_variance) / 2), why="The variance of the group means is missing."),
    ),
)
