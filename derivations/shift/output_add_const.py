"""With gain and bias held fixed, a common shift leaves the output as it is."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, chain, count, derivative, fold, theorem
from lnsym.lang import D, Eq, core, i, one, positive

from ..definitions import beta, c, eps, gamma, h, u, w, y, z

shifted = z + c * one

THEOREM = Derivation(
    title="With gain and bias held fixed, the output at z + c 1 is the output at z.",
    catalogue="S14",
    cites=("000 ¶3", "004 ¶7", "004 ¶11", "004 ¶14"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(gamma * core(shifted) + beta, y),
            chain(gamma * core(shifted) + beta)
            .to(gamma * u + beta, by=theorem("core_add_const"), why="The core does not change.")
            .to(y, by=fold(y), why="With the same gain and bias this is the output at z."),
        ),
        Claim(
            Eq(D(core(shifted)[i], c), 0),
            by(derivative, count, why="Along the direction 1 the core does not move."),
            label="as a derivative",
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", c=10, gamma=(1, 2, 3), beta=(4, 5, 6)),),
    near_misses=(
        NearMiss(Eq(gamma * core(z + w) + beta, y), why="An unequal shift moves the core, and the output wherever the gain is not 0."),
        NearMiss(Eq(gamma * core(shifted) + h, y), why="The bias has to stay the same."),
        NearMiss(Eq(gamma * core(shifted) + beta + c, y), why="A number added after the normalization stays."),
    ),
)
