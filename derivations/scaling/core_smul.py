"""Scaling the input by any real a turns the core into a v/sqrt(a^2 q + eps)."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, centred, chain, fold, split
from lnsym.lang import Eq, core, mean, positive, sqrt, var

from ..definitions import a, eps, mu, q, s, u, v, z

R = sqrt(a**2 * q + eps)

THEOREM = Derivation(
    title="For every real a the core of az is a v/sqrt(a^2 q + eps).",
    catalogue="S22",
    cites=("000 ¶3", "004 ¶11"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(core(a * z), a * v / R),
            chain(core(a * z))
            .to((a * z - mean(a * z)) / sqrt(var(a * z) + eps), by=algebra, why="The definition of the core, read at az.")
            .to((a * z - a * mu) / sqrt(var(a * z) + eps), by=(centred, split), why="The mean is linear: it is multiplied by a.")
            .to(a * v / sqrt(var(a * z) + eps), by=split, why="Each deviation is multiplied by a.")
            .to(a * v / R, by=(fold(q), centred, split), why="The variance is a mean of squares: it is multiplied by a^2."),
        ),
        Claim(
            Eq(core(-z), -u),
            chain(core(-z))
            .to(-v / sqrt(q + eps), by=(fold(q), centred, split), why="The scaling formula at a = -1.")
            .to(-u, by=fold(u, s), why="A negative a turns the core around; -1 does just that."),
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", a=2), at(z=(1, 2, 3), eps="4/3", a="-1/2"), at(z=(0, 0, 3), eps=1, a=0)),
    near_misses=(
        NearMiss(
            Eq(core(a * z), u),
            given=(positive(eps), positive(a)),
            why="Exact invariance needs eps = 0 and a > 0; eps does not scale with the input.",
        ),
        NearMiss(Eq(core(a * z), a * v / s), why="The root scales too: the denominator holds a^2 q."),
        NearMiss(Eq(core(a * z), a * v / sqrt(a * q + eps)), why="The variance is a mean of squares: it scales with a^2, not with a."),
        NearMiss(Eq(core(a * z), v / sqrt(q + eps / a**2)), why="Taking a out of the root leaves |a|: wrong for a < 0."),
    ),
)
