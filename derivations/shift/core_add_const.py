"""A common shift leaves the core as it is, for every eps."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, centred, chain, count, fold, split, theorem
from lnsym.lang import Eq, P, core, one, positive, rms, sqrt, var

from ..definitions import c, eps, q, s, u, v, w, z

shifted = z + c * one

THEOREM = Derivation(
    title="core(z + c 1) = core(z).",
    catalogue="S14",
    cites=("000 ¶3", "004 ¶7", "004 ¶11", "004 ¶14"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(core(shifted), u),
            chain(core(shifted))
            .to((P @ shifted) / sqrt(var(shifted) + eps), by=count, why="The core is the deviations over the root of variance plus eps.")
            .to(v / sqrt(var(shifted) + eps), by=(split, centred, count), why="The deviations do not change.")
            .to(v / sqrt(q + eps), by=theorem("variance_add_const"), why="The variance does not change.")
            .to(u, by=(fold(s), fold(u)), why="This is the core of z."),
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", c=10), at(z=(4,), eps=1, c=-3)),
    near_misses=(
        NearMiss(Eq(core(z + w), u), why="Only a shift by the same number in every coordinate."),
        NearMiss(Eq(core(shifted) + c, u), why="A number added after the normalization stays."),
        NearMiss(Eq(rms(shifted), rms(z)), why="Without centering a shift is seen."),
    ),
)
