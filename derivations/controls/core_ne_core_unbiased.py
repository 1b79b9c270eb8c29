"""With the divisor d - 1 in the variance the result is sqrt(1 - 1/d) times the core for another eps."""

from lnsym.derivation import Claim, Derivation, Example, Gap, NearMiss, at, by, centred, entries, split, squares, variance
from lnsym.lang import Eq, Le, at_least, core, dot, i, mean, positive, sqrt

from ..definitions import d, eps, q, v, z

sample_variance = dot(v, v) / (d - 1)
unbiased = v / sqrt(sample_variance + eps)

THEOREM = Derivation(
    title="With the divisor d - 1 the result is sqrt(1 - 1/d) times the core for eps (1 - 1/d).",
    catalogue="N05",
    given=(at_least(d, 2), positive(eps)),
    claims=(
        Claim(
            Eq(unbiased**2, (1 - 1 / d) * core(z, eps * (1 - 1 / d)) ** 2),
            by(
                split,
                centred,
                variance,
                squares,
                why="The sample variance is d q/(d - 1).",
            ),
            label="the squares",
        ),
        Claim(
            Le(0, unbiased[i] * core(z, eps * (1 - 1 / d))[i]),
            Gap(v[i] ** 2 / (sqrt(sample_variance + eps) * sqrt(q + eps * (1 - 1 / d))), why="Both have the sign of v_i."),
            label="and the signs are equal",
        ),
        Example(
            entries(unbiased, (-sqrt(3) / 2, 0, sqrt(3) / 2)),
            at(z=(1, 2, 3), eps="1/3"),
            why="The sample variance is 1; the core is (-1, 0, 1).",
        ),
    ),
    points=(at(z=(1, 3), eps=3),),
    near_misses=(
        NearMiss(Eq(unbiased, core(z)), why="Layer normalization divides by d."),
        NearMiss(Eq(sample_variance, mean(v**2)), why="The sample variance is larger by the factor d/(d - 1)."),
    ),
)
