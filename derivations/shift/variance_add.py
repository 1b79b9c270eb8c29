"""The variance under any shift w: a common shift adds nothing, another one does."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, centred, count, split, variance
from lnsym.lang import Eq, cov, positive, var

from ..definitions import q, w, z

THEOREM = Derivation(
    title="var(z + w) = q + 2 cov(z, w) + var(w).",
    catalogue=("S13", "S18"),
    cites=("004 ¶14", "004 ¶15"),
    claims=(
        Claim(
            Eq(var(z + w), q + 2 * cov(z, w) + var(w)),
            by(split, centred, count, variance, why="The squared deviations of a sum; for w = c 1 both new terms are 0."),
        ),
    ),
    points=(at(z=(1, 2, 3), w=(0, 0, 1), value="14/9"),),
    near_misses=(
        NearMiss(Eq(var(z + w), q + var(w)), why="Input and shift may vary together."),
        NearMiss(Eq(var(z + w), q), given=(positive(var(w)),), why="An unequal shift can change the variance."),
    ),
)
