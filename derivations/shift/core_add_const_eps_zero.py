"""Without eps a common shift leaves the core as it is as well, wherever it is defined; and unequal shifts can vanish too."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, centred, chain, count, given, split, variance
from lnsym.lang import Eq, core, one, positive

from ..definitions import a, beta, c, eps, gamma, q, sigma, v, w, z

THEOREM = Derivation(
    title="With eps = 0 and q > 0: core(z + c 1) = core(z), and core(z + (a - 1) v) = core(z) for a > 0.",
    catalogue=("S14", "S18"),
    cites=("000 ¶3", "004 ¶14", "004 ¶15"),
    given=(positive(q),),
    claims=(
        Claim(
            Eq(core(z + c * one, 0), core(z, 0)),
            chain(core(z + c * one, 0))
            .to(v / sigma, by=(split, centred, count, variance), why="Deviations and variance do not change.")
            .to(core(z, 0), by=(split, centred, count, variance), why="This is the core of z."),
        ),
        Claim(
            Eq(gamma * core(z + c * one, 0) + beta, gamma * core(z, 0) + beta),
            by(split, centred, count, variance, why="Gain and bias see the core alone."),
        ),
        Claim(
            Eq(core(z + (a - 1) * v, 0), core(z, 0)),
            by(given, split, centred, count, variance, why="v becomes a v and sigma becomes a sigma."),
            given=(positive(a),),
            label="an unequal shift along v is removed",
        ),
    ),
    points=(at(z=(1, 2, 3), c=10),),
    near_misses=(
        NearMiss(Eq(core(z + w, 0), core(z, 0)), why="Only shifts along 1, and along v with a > 0, are removed."),
        NearMiss(
            Eq(core(z + (a - 1) * v), core(z)),
            given=(positive(q), positive(eps), positive(a)),
            why="With eps > 0 no unequal shift is removed.",
        ),
        NearMiss(Eq(core(z + (a - 1) * v, 0), core(z, 0)), why="For a < 0 the core changes its sign."),
    ),
)
