"""(1, 2, 4), an unequal shift of (1, 2, 3), has another core."""

from lnsym.derivation import Derivation, Example, NearMiss, at, entries
from lnsym.lang import Eq, core, fraction, mean, positive, sqrt

from ..definitions import eps, mu, q, u, v, w, z

THEOREM = Derivation(
    title="The core of (1, 2, 4) at eps = 1/3 is (-4, -1, 5)/sqrt(17).",
    catalogue="S18",
    cites=("004 ¶15",),
    claims=(
        Example(
            (
                Eq(mu, fraction(7, 3)),
                *entries(v, ("-4/3", "-1/3", "5/3")),
                Eq(q, fraction(14, 9)),
                Eq(q + eps, fraction(17, 9)),
                *entries(u, (-4 / sqrt(17), -1 / sqrt(17), 5 / sqrt(17))),
            ),
            at(z=(1, 2, 4), eps="1/3"),
            why="The shift (0, 0, 1) from (1, 2, 3) moves the deviations and the variance.",
        ),
    ),
    near_misses=(
        NearMiss(Eq(core(z + w), u), given=(positive(eps), Eq(mean(w), fraction(1, 3))), why="Only the common part of a shift is removed."),
    ),
)
