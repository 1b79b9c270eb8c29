"""The output's coordinate mean is the covariance of gain and core, plus the mean bias."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, chain, count, theorem, unfold
from lnsym.lang import Eq, cov, mean, positive

from ..definitions import beta, eps, gamma, u, y

THEOREM = Derivation(
    title="mean(y) = cov(gamma, u) + mean(beta).",
    catalogue="S08",
    cites=("000 ¶2", "004 ¶10"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(mean(y), cov(gamma, u) + mean(beta)),
            chain(mean(y))
            .to(mean(gamma * u + beta), by=unfold(y), why="The definition of the output.")
            .to(mean(gamma * u) + mean(beta), by=algebra, why="The mean of a sum is the sum of the means.")
            .to(
                cov(gamma, u) + mean(gamma) * mean(u) + mean(beta),
                by=count,
                why="The covariance is the mean of the product less the product of the means.",
            )
            .to(cov(gamma, u) + mean(beta), by=theorem("mean_core_eq_zero"), why="The core has mean 0."),
        ),
    ),
    points=(at(z=(1, 3), eps=3, gamma=(1, 2), beta=(0, 0), value="1/4"),),
    near_misses=(
        NearMiss(Eq(mean(y), mean(beta)), why="A gain that varies with the core moves the mean."),
        NearMiss(Eq(mean(y), mean(gamma) * mean(u) + mean(beta)), why="The mean of a product is not the product of the means."),
    ),
)
