"""With another divisor c of the variance, such as d - 1, the result is sqrt(c/d) times the core for eps c/d."""

from lnsym.derivation import (
    Claim,
    Derivation,
    Example,
    NearMiss,
    at,
    by,
    centred,
    chain,
    count,
    entries,
    fold,
    given,
    split,
    squares,
    variance,
)
from lnsym.lang import Eq, at_least, core, positive, sqrt, var

from ..definitions import c, d, eps, q, rho, u, v, z
from . import core_divided

divided = core_divided(z, c)
unbiased = core_divided(z, d - 1)
SAMPLE = (at_least(d, 2), Eq(c, d - 1))
ONE_HOT = at(z=(1, 0, 0, 0))

THEOREM = Derivation(
    title="With the divisor c in place of d the result is sqrt(c/d) times the core for eps c/d, for instance with c = d - 1.",
    catalogue="T76",
    given=(positive(eps), positive(c)),
    claims=(
        Claim(
            Eq(divided, sqrt(c / d) * core(z, eps * c / d)),
            chain(divided)
            .to(v / sqrt(d * q / c + eps), by=(split, centred, variance), why="The sum of the squared deviations is d q.")
            .to(sqrt(c / d) * v / sqrt(q + eps * c / d), by=squares, why="d/c comes out of the root.")
            .to(sqrt(c / d) * core(z, eps * c / d), by=(fold(q), split, centred), why="This is the core for eps c/d."),
            label="any divisor",
        ),
        Claim(
            Eq(var(divided), c / d * q / (q + eps * c / d)),
            by(split, centred, count, variance, squares, why="The factor is squared, and the core has q/(q + eps c/d)."),
            label="the variance",
        ),
        Claim(
            Eq(unbiased, sqrt((d - 1) / d) * core(z, eps * (d - 1) / d)),
            chain(unbiased)
            .to(divided, by=given, why="c is d - 1.")
            .to(sqrt(c / d) * core(z, eps * c / d), by=(split, centred, variance, squares), why="As for any divisor.")
            .to(sqrt((d - 1) / d) * core(z, eps * (d - 1) / d), by=(given, squares), why="c is d - 1."),
            given=SAMPLE,
            label="the divisor d - 1",
        ),
        Claim(
            Eq(var(core_divided(z, c, 0)), c / d),
            by(split, centred, count, variance, squares, why="Without eps the factor alone is left: 1 - 1/d for the divisor d - 1."),
            given=(positive(q),),
            label="the variance without eps",
        ),
        Example(
            (*entries(core_divided(z, d - 1, 0), ("3/2", "-1/2", "-1/2", "-1/2")),),
            ONE_HOT,
            why="With the divisor 3.",
        ),
        Example((*entries(core(z, 0), (sqrt(3), *(-1 / sqrt(3),) * 3)),), ONE_HOT, why="With the divisor 4."),
    ),
    points=(at(z=(1, 3), eps=2, c=1), at(z=(1, 2, 3), eps="1/3", c=2), at(z=(1, 2, 3), eps=1, c=4)),
    near_misses=(
        NearMiss(Eq(divided, u), why="The divisor is visible unless it is d."),
        NearMiss(Eq(divided, sqrt(c / d) * u), why="eps is rescaled too."),
        NearMiss(Eq(divided, core(z, eps * c / d)), why="The factor sqrt(c/d) is missing."),
        NearMiss(Eq(divided, c / d * core(z, eps * c / d)), why="The factor is a root."),
        NearMiss(Eq(var(divided), c / d * rho), why="eps is rescaled too."),
        NearMiss(
            Eq(unbiased, sqrt(d / (d - 1)) * core(z, eps * d / (d - 1))),
            given=(positive(eps), positive(c), *SAMPLE),
            why="A larger variance gives a smaller result: the factor is below 1.",
        ),
    ),
)
