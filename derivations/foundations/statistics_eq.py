"""Mean, deviations and variance written out: mu is the mean of the z_i, v_i = z_i - mu, and q is the mean of the v_i^2."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, centred, count, split, squares, variance
from lnsym.lang import Eq, at_least, norm, total

from ..definitions import d, mu, q, v, z

THEOREM = Derivation(
    title="mu = (1/d) sum z_i, v = z - mu 1 and q = |v|^2/d.",
    catalogue="S01",
    cites=("000 ¶1", "004 ¶9", "004 ¶14"),
    claims=(
        Claim(Eq(mu, total(z) / d), by(split, centred, count, why="The deviations sum to 0, so the z_i sum to d mu.")),
        Claim(Eq(v, z - mu), by(split, why="v names what is left of z when the mean is taken off.")),
        Claim(Eq(q, norm(v) ** 2 / d), by(variance, squares, why="The squared length of v is d q.")),
        Claim(Eq(q, total((z - mu) ** 2) / d), by(variance, split, why="The same, coordinate by coordinate.")),
    ),
    points=(at(2, z=(1, 2, 3)), at("7/3", z=(1, 2, 4)), at(5, z=(5,))),
    near_misses=(
        NearMiss(Eq(q, total(v**2) / (d - 1)), given=(at_least(d, 2),), why="The divisor is d, not d - 1."),
        NearMiss(Eq(q, total(z**2) / d), why="The mean is taken off before the squares are."),
        NearMiss(Eq(v, z - total(z)), why="The mean is taken off, not the sum."),
    ),
)
