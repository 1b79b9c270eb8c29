"""With another divisor c of the variance, such as d - 1: the variance stays below c/d, the length below sqrt(c)."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at
from lnsym.lang import Eq, Le, Lt, delta, i, j, norm, positive, sqrt, sum_over, var

from ..definitions import c, d, eps, q, v, z
from . import core_divided

divided = core_divided(z, c)
SAMPLE = (Eq(c, d - 1),)
OTHERS = c / d * sum_over(j, ((1 - delta(i, j)) * (v[j] + v[i] / c)) ** 2)  # the delta leaves out j = i

THEOREM = Derivation(
    title="With the divisor c the variance is below c/d and the length below sqrt(c); with d - 1 each entry is below (d - 1)/sqrt(d).",
    catalogue="T76",
    given=(positive(eps), positive(c)),
    claims=(
        Claim(
            Lt(var(divided), c / d),
            Gap(c**2 * eps / (d * (d * q + c * eps)), why="eps > 0 in the denominator is what is missing."),
            label="the variance",
        ),
        Claim(
            Lt(norm(divided), sqrt(c)),
            Gap(c**2 * eps / (d * q + c * eps), why="The squares sum to d times the variance.", squared=True),
            label="the length",
        ),
        Claim(
            Le(v[i] ** 2, c * q),
            Gap(OTHERS, why="The deviations sum to 0, so the others balance v_i; the mean of their squares is least where they are equal."),
            given=SAMPLE,
            label="a deviation, for the divisor d - 1",
        ),
        Claim(
            Lt(divided[i] ** 2, c**2 / d),
            Gap(c * (OTHERS + c**2 / d * eps) / (d * q + c * eps), why="The bound on v_i, and eps > 0."),
            given=SAMPLE,
            label="an entry, for the divisor d - 1",
        ),
    ),
    points=(at(z=(1, 0, 0, 0), eps="1/4", c=3), at(z=(1, 3), eps=2, c=1)),
    near_misses=(
        NearMiss(Lt(norm(divided), sqrt(c - 1)), given=(positive(eps), positive(c - 1)), why="The factor is c."),
        NearMiss(Le(v[i] ** 2, q), why="One entry may be far from the others."),
        NearMiss(Le(v[i] ** 2, (c - 1) * q), given=(positive(c), *SAMPLE), why="For (1, 0, ..., 0) the bound with d - 1 is reached."),
        NearMiss(
            Lt(divided[i] ** 2, c / d),
            given=(positive(eps), positive(c), *SAMPLE),
            why="For (1, 0, ..., 0) and small eps the square is near (d - 1)^2/d.",
        ),
        NearMiss(Lt(c / d, var(divided)), why="It stays below."),
    ),
)
