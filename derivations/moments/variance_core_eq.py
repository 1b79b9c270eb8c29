"""The core's coordinate variance is q/(q + eps), not 1."""

from lnsym.derivation import (
    Claim,
    Derivation,
    Gap,
    NearMiss,
    at,
    chain,
    fold,
    square_of_root,
    theorem,
    unfold,
)
from lnsym.lang import Eq, Lt, mean, positive, var

from ..definitions import eps, q, s, u, v

THEOREM = Derivation(
    title="The core's coordinate variance is q/(q + eps), not 1.",
    catalogue="S06",
    cites=("000 ¶2", "004 ¶10"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(var(u), q / (q + eps)),
            chain(var(u))
            .to(mean(u**2), by=theorem("mean_core_eq_zero"), why="The core has mean 0, so its variance is the mean of its squares.")
            .to(mean(v**2) / s**2, by=unfold(u), why="s does not depend on the index, so it leaves the mean.")
            .to(q / s**2, by=fold(q), why="q names the mean of the squared deviations.")
            .to(q / (q + eps), by=square_of_root(s), why="q + eps > 0, so the square of s is q + eps."),
        ),
        Claim(Lt(var(u), 1), Gap(eps / (q + eps), why="What is missing to 1 is eps/(q + eps), which is positive.")),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", value="2/3"),),
    near_misses=(
        NearMiss(Eq(var(u), 1), why="Variance 1 is approached as q/eps grows and is never reached."),
        NearMiss(Eq(var(u), q / (q + 2 * eps)), why="eps stands once under the root."),
        NearMiss(Eq(var(u), q**2 / (q + eps) ** 2), why="The deviations are divided by s, so their variance by s^2, once."),
        NearMiss(Lt(0, var(u)), why="At a constant input the core is 0 and has no variance."),
    ),
)
