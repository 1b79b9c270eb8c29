"""The length of the core is sqrt(d rho), below sqrt(d)."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, algebra, at, by, chain, fold, squares, unfold, variance
from lnsym.lang import Eq, Lt, dot, mean, norm, positive, sqrt

from ..definitions import d, eps, q, rho, s, u, v

THEOREM = Derivation(
    title="The length of the core is sqrt(d rho), less than sqrt(d).",
    catalogue="S06",
    cites=("000 ¶2", "004 ¶10"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(mean(u**2), rho),
            by(unfold(u, s, rho), variance, squares, why="The mean square is q/s^2, and s^2 = q + eps."),
            label="the mean square, which is the variance",
        ),
        Claim(
            Eq(dot(u, u), d * rho),
            chain(dot(u, u))
            .to(dot(v, v) / s**2, by=unfold(u), why="The core is v/s.")
            .to(d * q / s**2, by=variance, why="The squared deviations sum to d q.")
            .to(d * rho, by=(fold(rho), fold(s), squares), why="s^2 = q + eps, and rho names q/(q + eps)."),
        ),
        Claim(
            Eq(norm(u), sqrt(d * rho)),
            chain(norm(u))
            .to(sqrt(dot(u, u)), by=algebra, why="The length is the root of the sum of squares.")
            .to(sqrt(d * rho), by=(unfold(u), variance, fold(rho), fold(s), squares), why="That sum is d rho."),
        ),
        Claim(Lt(norm(u), sqrt(d)), Gap(d * eps / (q + eps), why="The squares differ by d eps/(q + eps) > 0.", squared=True)),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", value="2/3"),),
    near_misses=(
        NearMiss(Eq(norm(u), sqrt(d)), why="The core lies inside the sphere of radius sqrt(d), not on it."),
        NearMiss(Eq(norm(u), 1), why="For large q/eps the mean of the squares is near 1, not their sum."),
    ),
)
