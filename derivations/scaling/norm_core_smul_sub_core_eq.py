"""The distance between the cores of az and z, for every real a."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at, centred, chain, derivative, fold, split, squares, unfold, variance
from lnsym.lang import D, Eq, Lt, core, norm, positive, sqrt

from ..definitions import a, d, eps, q, s, u, v, z

R = sqrt(a**2 * q + eps)

THEOREM = Derivation(
    title="The cores of az and z are at the squared distance d q (a/sqrt(a^2 q + eps) - 1/s)^2; the first factor increases with a.",
    catalogue="S23",
    cites=("000 ¶3", "004 ¶11"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(norm(core(a * z) - u) ** 2, d * q * (a / R - 1 / s) ** 2),
            chain(norm(core(a * z) - u) ** 2)
            .to(
                norm(a * v / R - v / s) ** 2,
                by=(unfold(u), fold(q), centred, split),
                why="The scaling formula: both cores are multiples of v.",
            )
            .to(norm(v) ** 2 * (a / R - 1 / s) ** 2, by=squares, why="A common factor leaves the norm.")
            .to(d * q * (a / R - 1 / s) ** 2, by=(variance, squares), why="The squared norm of v is d q."),
        ),
        Claim(
            Eq(D(a / R, a), eps / R**3),
            chain(D(a / R, a))
            .to(1 / R - a * (a * q / R) / R**2, by=derivative, why="The quotient rule; the root has derivative a q over itself.")
            .to(eps / R**3, by=squares, why="The terms in a^2 q cancel and eps is left."),
        ),
        Claim(Lt(0, D(a / R, a)), Gap(eps / R**3, why="eps and the root are positive, so the factor takes no value twice.")),
    ),
    points=(at(z=(0, 1), eps="24/25", a=2, value="800/5929"),),
    near_misses=(
        NearMiss(Eq(norm(core(a * z) - u) ** 2, q * (a / R - 1 / s) ** 2), why="The squared norm of v is d q, not q."),
        NearMiss(Lt(0, D(a / sqrt(a**2 * q), a)), given=(positive(q), positive(a)), why="At eps = 0 the factor does not move for a > 0."),
    ),
)
