"""(1, 2, 3), (11, 12, 13) and (101, 102, 103) have the same output."""

from lnsym.derivation import Derivation, Example, NearMiss, at, entries
from lnsym.lang import Eq, core, fraction, positive

from ..definitions import eps, mu, q, u, y, z

SAME = (Eq(q, fraction(2, 3)), *entries(u, (-1, 0, 1)), *entries(y, (-1, 0, 1)))

THEOREM = Derivation(
    title="(1, 2, 3), (11, 12, 13) and (101, 102, 103) have the same output (-1, 0, 1) at eps = 1/3.",
    catalogue=("S15", "S16", "S17"),
    cites=("004 ¶7", "004 ¶15"),
    claims=(
        Example((Eq(mu, 2), *SAME), at(z=(1, 2, 3), eps="1/3", gamma=(1, 1, 1), beta=(0, 0, 0)), why="Mean 2, variance 2/3, s = 1."),
        Example(
            (Eq(mu, 12), *SAME),
            at(z=(11, 12, 13), eps="1/3", gamma=(1, 1, 1), beta=(0, 0, 0)),
            why="10 is added to every coordinate: only the mean moves.",
        ),
        Example(
            (Eq(mu, 102), *SAME), at(z=(101, 102, 103), eps="1/3", gamma=(1, 1, 1), beta=(0, 0, 0)), why="100 is added to every coordinate."
        ),
    ),
    near_misses=(NearMiss(Eq(core(2 * z), u), given=(positive(eps),), why="A common factor is not removed, a common shift is."),),
)
