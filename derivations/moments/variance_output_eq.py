"""The output's coordinate variance: that of gain times core, that of the bias, and twice their covariance."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, chain, count, unfold
from lnsym.lang import Eq, cov, mean, positive, var

from ..definitions import beta, eps, gamma, q, rho, u, y

THEOREM = Derivation(
    title="var(y) = var(gamma u) + 2 cov(gamma u, beta) + var(beta).",
    catalogue="S08",
    cites=("000 ¶2", "004 ¶10"),
    claims=(
        Claim(
            Eq(var(y), var(gamma * u) + 2 * cov(gamma * u, beta) + var(beta)),
            chain(var(y))
            .to(var(gamma * u + beta), by=unfold(y), why="The definition of the output.")
            .to(var(gamma * u) + 2 * cov(gamma * u, beta) + var(beta), by=count, why="The variance of a sum of two vectors."),
        ),
    ),
    given=(positive(eps),),
    points=(at(z=(1, 3), eps=3, gamma=(1, 2), beta=(0, 0), value="9/16"),),
    near_misses=(
        NearMiss(Eq(var(y), rho), why="That is the variance of the core, not of the output."),
        NearMiss(Eq(var(y), var(gamma * u) + var(beta)), why="Gain times core and bias may vary together."),
        NearMiss(Eq(var(y), mean(gamma**2) * rho), why="A gain weighs each coordinate of the core by itself."),
        NearMiss(Eq(var(y), var(gamma * u)), given=(positive(eps), Eq(q, 0)), why="At a constant input the bias alone gives the variance."),
    ),
)
