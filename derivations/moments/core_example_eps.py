"""The core of (1, 2, 3) at eps = 1/3 and at eps = 4/3."""

from lnsym.derivation import Derivation, Example, NearMiss, at, entries
from lnsym.lang import Eq, fraction, positive, sqrt, var

from ..definitions import eps, mu, q, u, v

THEOREM = Derivation(
    title="From eps = 1/3 to eps = 4/3 the core of (1, 2, 3) shrinks from (-1, 0, 1) to (-1, 0, 1)/sqrt(2).",
    catalogue="S09",
    cites=("000 ¶2", "004 ¶10"),
    claims=(
        Example(
            (Eq(mu, 2), Eq(q, fraction(2, 3)), Eq(q + eps, 1), *entries(u, (-1, 0, 1)), Eq(var(u), fraction(2, 3))),
            at(z=(1, 2, 3), eps="1/3"),
            why="q + eps = 1.",
        ),
        Example(
            (Eq(q + eps, 2), *entries(u, (-1 / sqrt(2), 0, 1 / sqrt(2))), Eq(var(u), fraction(1, 3))),
            at(z=(1, 2, 3), eps="4/3"),
            why="q + eps = 2.",
        ),
    ),
    near_misses=(
        NearMiss(Eq(u, v), given=(positive(eps),), why="u = v only where q + eps = 1, as at eps = 1/3 here, or at constant inputs."),
    ),
)
