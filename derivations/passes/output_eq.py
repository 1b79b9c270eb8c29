"""What a forward pass computes: mean, inverse root, core and output."""

from lnsym.derivation import Claim, Derivation, NearMiss, Offer, algebra, at, by, centred, chain, fold, split, unfold
from lnsym.lang import Eq, core, mean, positive, sqrt, total

from ..definitions import beta, d, eps, gamma, mu, q, r, s, u, v, z

THEOREM = Derivation(
    title="A forward pass takes off the mean, divides by s, multiplies by the gain and adds the bias.",
    catalogue="S01",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(core(z), v / s),
            chain(core(z))
            .to(v / sqrt(q + eps), by=(split, centred, fold(q)), why="v names the deviations from the mean, q the mean of their squares.")
            .to(v / s, by=fold(s), why="s names the root."),
            label="the core",
        ),
        Claim(
            Eq(gamma * core(z) + beta, gamma * u + beta),
            chain(gamma * core(z) + beta)
            .to(gamma * v / s + beta, by=(split, centred, fold(q, s)), why="The core is v over s.")
            .to(gamma * u + beta, by=fold(u), why="u names this quotient."),
            label="the output",
        ),
        Claim(Eq(mean(z), total(z) / d), by(algebra, why="The mean is the sum over the number."), label="the mean"),
        Claim(Eq(r, 1 / s), by(unfold(r), why="r names the inverse of the root."), label="the inverse root"),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", gamma=(1, 2, 3), beta=(1, 1, 1)), at(z=(1, 3), eps=3, gamma=(2, 1), beta=(0, 1))),
    near_misses=(
        NearMiss(Eq(core(z), z / s), why="The mean is taken off before the division."),
        NearMiss(Eq(gamma * core(z) + beta, gamma * (u + beta)), why="The gain multiplies the core, not the bias."),
        NearMiss(Eq(r, 1 / s**2), why="rstd is the inverse of the root, not of what stands under it."),
        NearMiss(Eq(mu, total(z) / (d + 1)), why="The mean divides by the number of coordinates."),
    ),
    offers=(
        Offer("normalize", "u", claim=1),
        Offer("layer_norm", "y", claim=2),
        Offer("layer_norm", "mean", claim=3),
        Offer("layer_norm", "rstd", claim=4),
    ),
)
