"""Adding 1 g^T to the weights adds the number g^T x to every coordinate, and the normalization removes it for each x."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, by, chain, count, given
from lnsym.lang import INPUTS, Eq, P, core, dot, matrix, one, outer, positive, var, vector

from ..definitions import beta, c, eps, gamma, h

x, g = vector("x", INPUTS), vector("g", INPUTS)
W = matrix("W", columns=INPUTS)
recentred = W + outer(one, g)

THEOREM = Derivation(
    title="Weight re-centering: with W + 1 g^T in place of W, core and output are the same for every x.",
    catalogue="S21",
    cites=("004 ¶16",),
    claims=(
        Claim(Eq(recentred @ x, W @ x + dot(g, x) * one), by(algebra, why="(1 g^T) x is g^T x times 1.")),
        Claim(
            Eq(gamma * core(recentred @ x) + beta, gamma * core(W @ x) + beta),
            chain(gamma * core(recentred @ x) + beta)
            .to(gamma * core(W @ x + dot(g, x) * one) + beta, by=algebra, why="The extra contribution is g^T x times 1.")
            .to(gamma * core(W @ x) + beta, by=count, why="At each x this is a common shift, so the core does not change."),
            given=(positive(eps),),
        ),
        Claim(Eq(P @ (recentred @ x), P @ (W @ x)), by(count, why="P 1 = 0."), label="for every eps, 0 included: the deviations"),
        Claim(Eq(var(recentred @ x), var(W @ x)), by(count, why="A common shift leaves the variance."), label="and the variance"),
        Claim(
            Eq(gamma * core(recentred @ x, 0) + beta, gamma * core(W @ x, 0) + beta),
            by(given, count, why="Deviations and variance are the same."),
            given=(positive(var(W @ x)),),
            label="so also the output without eps, where it is defined",
        ),
    ),
    points=(at(W=((1, 0), (0, 1), (1, 1)), x=(1, 2), g=(1, -2), gamma=(1, 2, 3), beta=(4, 5, 6), eps="1/3"),),
    near_misses=(
        NearMiss(Eq(core((W + outer(h, g)) @ x), core(W @ x)), given=(positive(eps),), why="Only the direction 1 is removed."),
        NearMiss(Eq(recentred @ x, W @ x + c), given=(positive(eps),), why="The number added varies with x: it is not one bias."),
        NearMiss(Eq(core(2 * recentred @ x), core(W @ x)), given=(positive(eps),), why="Re-centering is exact, re-scaling is not."),
    ),
)
