"""Scaling an input by a and shifting it commonly is the same as dividing eps by a^2."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, centred, chain, fold, split
from lnsym.lang import Eq, core, nonzero, positive, sqrt

from ..definitions import a, c, eps, q, v, z

THEOREM = Derivation(
    title="For a > 0 the core of az + c1 is the core of z with eps/a^2 in place of eps; for -a it is the negative of that.",
    catalogue="S25",
    cites=("000 ¶3", "004 ¶11"),
    given=(positive(eps), positive(a)),
    claims=(
        Claim(
            Eq(core(a * z + c), core(z, eps / a**2)),
            chain(core(a * z + c))
            .to(a * v / sqrt(a**2 * q + eps), by=(fold(q), centred, split), why="The shift is removed; v scales with a and q with a^2.")
            .to(v / sqrt(q + eps / a**2), by=algebra, why="Divide numerator and denominator by a > 0.")
            .to(core(z, eps / a**2), by=(fold(q), centred, split), why="This is the core with eps/a^2 in place of eps."),
        ),
        Claim(
            Eq(core(-a * z + c), -core(z, eps / a**2)),
            chain(core(-a * z + c))
            .to(
                -a * v / sqrt(a**2 * q + eps),
                by=(fold(q), centred, split),
                why="The square under the root loses the sign, the numerator keeps it.",
            )
            .to(-v / sqrt(q + eps / a**2), by=algebra, why="Divide numerator and denominator by a > 0.")
            .to(-core(z, eps / a**2), by=(fold(q), centred, split), why="This is the negative of the core with eps/a^2."),
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", a=2, c=5), at(z=(1, 2, 3), eps="4/3", a="1/2", c=-1)),
    near_misses=(
        NearMiss(Eq(core(a * z + c), core(z)), why="The 2016 rule ignores eps: the shift goes, the factor a stays visible."),
        NearMiss(Eq(core(a * z + c), core(z, a**2 * eps)), why="Larger inputs feel a smaller eps: divide by a^2."),
        NearMiss(Eq(core(a * z + c), core(z, eps / a**2)), given=(positive(eps), nonzero(a)), why="A negative a turns the core around."),
    ),
)
