"""Doubling (1, 2, 3) changes the core at eps = 1/3 and leaves it as it is at eps = 0."""

from lnsym.derivation import Derivation, Example, NearMiss, at, entries
from lnsym.lang import Eq, Ne, core, fraction, norm, positive, sqrt, var

from ..definitions import eps, u, z

LIMIT = sqrt(fraction(3, 2))
CORE = (-1, 0, 1)

THEOREM = Derivation(
    title="At (1, 2, 3) doubling the input shows with eps = 1/3 and does not show with eps = 0; a common shift never shows.",
    catalogue=("S26", "S27"),
    cites=("004 ¶8",),
    claims=(
        Example(
            (
                *entries(2 * z, (2, 4, 6)),
                Eq(var(2 * z), fraction(8, 3)),
                *entries(core(2 * z), (-2 / sqrt(3), 0, 2 / sqrt(3))),
                *entries(u, CORE),
                Ne(norm(core(2 * z) - u) ** 2, 0),
            ),
            at(z=(1, 2, 3), eps="1/3"),
            why="The variance of (2, 4, 6) is 8/3, and 8/3 + 1/3 = 3 is not four times 2/3 + 1/3.",
        ),
        Example(
            entries(core(2 * z, 0), (-LIMIT, 0, LIMIT)) + entries(core(z, 0), (-LIMIT, 0, LIMIT)),
            at(z=(1, 2, 3)),
            why="Without eps the factor 2 cancels.",
        ),
        Example(
            entries(core(z + 10), CORE),
            at(z=(1, 2, 3), eps="1/3"),
            why="The shift symmetry is exact for every eps, the scale symmetry is not.",
        ),
    ),
    near_misses=(NearMiss(Eq(core(2 * z), u), given=(positive(eps),), why="With eps > 0 doubling shows wherever q > 0."),),
)
