"""The core is the deviations over the root of variance plus eps; the output is gain times core plus bias."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, centred, chain, fold, split, unfold, variance
from lnsym.lang import Eq, P, core, dot, positive, sqrt

from ..definitions import beta, d, eps, gamma, q, s, sigma, u, v, y, z

THEOREM = Derivation(
    title="The core is u = v/sqrt(q + eps), and the output is y = gamma u + beta.",
    catalogue="S01",
    cites=("000 ¶1", "004 ¶9", "004 ¶15"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(core(z), u),
            chain(core(z))
            .to(v / sqrt(q + eps), by=(split, centred, fold(q)), why="v names the deviations from the mean, q the mean of their squares.")
            .to(v / s, by=fold(s), why="s names the root.")
            .to(u, by=fold(u), why="u names the quotient."),
        ),
        Claim(
            Eq(y, gamma * v / s + beta),
            chain(y)
            .to(gamma * u + beta, by=unfold(y), why="Each coordinate has its own gain and its own bias.")
            .to(gamma * v / s + beta, by=unfold(u), why="The definition of the core."),
        ),
        Claim(
            Eq(core(z), (P @ z) / sqrt(dot(z, P @ z) / d + eps)),
            by(split, centred, variance, why="P z = v, and z^T P z = v^T v = d q."),
            label="matrix form",
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3"), at(z=(5,), eps=1)),
    near_misses=(
        NearMiss(Eq(core(z), z / s), why="The mean is taken off before the division."),
        NearMiss(Eq(core(z), v / (sigma + eps)), why="eps stands under the root, not beside it."),
        NearMiss(Eq(core(z), v / sigma), why="eps is left out: sigma is the root of q alone."),
        NearMiss(Eq(y, gamma * (u + beta)), why="The gain multiplies the core, not the bias."),
    ),
)
