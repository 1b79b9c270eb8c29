"""The Jacobian stretches no direction by more than 1/sqrt(eps)."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at
from lnsym.lang import Le, P, dot, mean, norm, positive, sqrt

from ..definitions import J, d, eps, h, q, s, u

GAP = d * mean(h) ** 2 / eps + q / (eps * (q + eps)) * norm(P(h)) ** 2 + (1 + eps / (q + eps)) / (q + eps) * dot(u, h) ** 2 / d

THEOREM = Derivation(
    title="|J h| <= |h|/sqrt(eps) for every direction h, so the operator norm of J is at most eps^(-1/2).",
    catalogue="S33",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    claims=(
        Claim(
            Le(norm(J(h)), norm(h) / sqrt(eps)),
            Gap(
                GAP,
                why="|h|^2/eps - |J h|^2 is a sum of three squares: of the mean of h, of its centred part, and of its part along u.",
                squared=True,
            ),
        ),
        Claim(
            Le(eps / s**3, 1 / s),
            Gap(q / s**3, why="The radial eigenvalue is at most the tangential one."),
            label="the same by the eigenvalues 0, eps/s^3 and 1/s",
        ),
        Claim(
            Le(1 / s, 1 / sqrt(eps)),
            Gap(q / (eps * (q + eps)), why="s^2 = q + eps is at least eps.", squared=True),
            label="and the tangential one is at most 1/sqrt(eps)",
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/4", h=(1, 0, 0)), at(z=(2, 2), eps=1, h=(1, -1))),
    near_misses=(
        NearMiss(Le(norm(J(h)), norm(h) / sqrt(2 * eps)), why="A constant input attains 1/sqrt(eps)."),
        NearMiss(Le(norm(J(h)), norm(h)), why="Normalizing is no contraction when eps < 1."),
    ),
)
