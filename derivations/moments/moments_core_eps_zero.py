"""Without eps the core has mean 0 and variance exactly 1, wherever the input is not constant."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, centred, count, given, split, squares, variance
from lnsym.lang import Eq, core, dot, mean, positive, var

from ..definitions import d, eps, q, sigma, v, z

bare = core(z, 0)

THEOREM = Derivation(
    title="With eps = 0 and q > 0 the core has mean 0 and variance 1.",
    catalogue=("S05", "S06"),
    cites=("000 ¶2", "004 ¶10"),
    given=(positive(q),),
    claims=(
        Claim(
            Eq(bare, v / sigma), by(split, centred, variance, why="The core with eps = 0 is v over the standard deviation sigma = sqrt(q).")
        ),
        Claim(Eq(mean(bare), 0), by(split, centred, count, why="The deviations sum to 0, whatever number they are divided by.")),
        Claim(Eq(var(bare), 1), by(given, split, centred, count, variance, squares, why="The variance is q over the square of sqrt(q).")),
        Claim(
            Eq(dot(bare, bare), d),
            by(given, split, centred, count, variance, squares, why="The squares sum to d: the core lies on the sphere of radius sqrt(d)."),
        ),
    ),
    points=(at(z=(1, 2, 3)), at(z=(0, 2))),
    near_misses=(
        NearMiss(Eq(var(core(z)), 1), given=(positive(q), positive(eps)), why="With eps > 0 the variance is below 1."),
        NearMiss(Eq(var(bare), q), why="The core forgets the size of the variance."),
    ),
)
