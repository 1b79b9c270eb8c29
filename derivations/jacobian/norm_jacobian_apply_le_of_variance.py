"""At fixed q the Jacobian stretches by at most 1/sqrt(q + eps); amplification grows only as q tends to 0."""

from lnsym.derivation import Calculus, Claim, Derivation, Gap, NearMiss, at
from lnsym.lang import Le, dot, mean, norm, positive, sqrt

from ..definitions import J, d, eps, h, q, s, u

RADIAL = (1 + eps / (q + eps)) / (q + eps) * dot(u, h) ** 2 / d
GAP = d * mean(h) ** 2 / (q + eps) + RADIAL

THEOREM = Derivation(
    title="|J h| <= |h|/sqrt(q + eps): smaller eps allows larger amplification, but only near q = 0.",
    catalogue="S37",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    claims=(
        Claim(
            Le(norm(J(h)), norm(h) / s),
            Gap(GAP, why="(q + eps) times the defect is d mean(h)^2 plus a positive multiple of the part of h along u.", squared=True),
        ),
        Claim(
            Le(norm(J(h)), norm(h) / sqrt(q)),
            Gap(GAP + eps / (q * (q + eps)) * norm(h) ** 2, why="1/(q + eps) is less than 1/q, whatever eps is.", squared=True),
            given=(positive(q),),
            label="a bound without eps, away from constant inputs",
        ),
        Claim(None, Calculus("jacobian_norm_sup_decreasing", why="For d >= 2 the largest amplification, eps^(-1/2), falls as eps grows.")),
        Claim(None, Calculus("jacobian_norm_sup_unbounded", why="It has no bound as eps tends to 0.")),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", h=(1, 0, 0)), at(z=(0, 2), eps=3, h=(1, -1))),
    near_misses=(
        NearMiss(Le(norm(J(h)), norm(h) * eps / s**3), why="This is the radial stretch; tangential directions are stretched by 1/s."),
        NearMiss(Le(norm(h) / sqrt(eps), norm(J(h))), why="The bound 1/sqrt(eps) is reached only at q = 0."),
    ),
)
