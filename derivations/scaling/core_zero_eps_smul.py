"""Without eps the core is unchanged by every positive scaling, and turned around by every negative one."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, centred, chain, fold, split
from lnsym.lang import Eq, core, nonzero, positive, sqrt

from ..definitions import a, eps, q, sigma, u, v, z

THEOREM = Derivation(
    title="At eps = 0 and q > 0 the core of az is the core of z for a > 0, and its negative for -a.",
    catalogue="S24",
    cites=("000 ¶3", "004 ¶11"),
    given=(positive(q), positive(a)),
    claims=(
        Claim(
            Eq(core(a * z, 0), core(z, 0)),
            chain(core(a * z, 0))
            .to(a * v / sqrt(a**2 * q), by=(fold(q), centred, split), why="The scaling formula at eps = 0.")
            .to(v / sigma, by=algebra, why="a > 0 comes out of the root as a and cancels.")
            .to(core(z, 0), by=(fold(q), centred, split), why="This is the core of z at eps = 0."),
        ),
        Claim(
            Eq(core(-a * z, 0), -core(z, 0)),
            chain(core(-a * z, 0))
            .to(-a * v / sqrt(a**2 * q), by=(fold(q), centred, split), why="The scaling formula; the square under the root loses the sign.")
            .to(-v / sigma, by=algebra, why="a > 0 comes out of the root as a and cancels.")
            .to(-core(z, 0), by=(fold(q), centred, split), why="This is the negative of the core of z."),
        ),
    ),
    points=(at(z=(1, 2, 3), a=2), at(z=(0, 2), a="1/3")),
    near_misses=(
        NearMiss(Eq(core(a * z, 0), core(z, 0)), given=(positive(q), nonzero(a)), why="A negative a turns the core around."),
        NearMiss(
            Eq(core(a * z), u), given=(positive(eps), positive(q), positive(a)), why="With eps > 0 every a other than 1 shows where q > 0."
        ),
    ),
)
