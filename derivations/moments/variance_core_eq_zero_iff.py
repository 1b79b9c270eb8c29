"""The core's variance is 0 exactly at constant inputs."""

from lnsym.derivation import Claim, Derivation, Iff, NearMiss, OnlyIf, at, centred, chain, given, unfold, variance
from lnsym.lang import Eq, positive, var

from ..definitions import d, eps, q, s, u, v

NO_SPREAD, NO_VARIANCE = Eq(var(u), 0), Eq(q, 0)

THEOREM = Derivation(
    title="var(u) = 0 if and only if q = 0, that is, at constant inputs.",
    catalogue="S06",
    cites=("000 ¶1", "000 ¶2", "004 ¶9", "004 ¶10"),
    given=(positive(eps),),
    claims=(
        Iff(
            left=(NO_SPREAD,),
            right=(NO_VARIANCE,),
            forward=(Claim(NO_VARIANCE, OnlyIf(NO_SPREAD, 1 / s**2, why="var(u) is q over s^2 > 0.")),),
            backward=(
                Claim(
                    NO_SPREAD,
                    chain(var(u))
                    .to(q / s**2, by=(unfold(u), centred, variance), why="The deviations have mean 0, and their squares have the mean q.")
                    .to(0, by=given, why="q is 0, and s is positive."),
                ),
            ),
        ),
        Claim(Eq(v, 0), OnlyIf(NO_VARIANCE, 1 / d, why="A mean of squares vanishes only if every square does."), given=(NO_VARIANCE,)),
    ),
    points=(at(z=(5, 5, 5), eps=1, value="0"),),
    near_misses=(NearMiss(NO_SPREAD, why="The core varies with every input that is not constant."),),
)
