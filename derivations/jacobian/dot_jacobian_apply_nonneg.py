"""The Jacobian is positive semidefinite."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at, by, centred, squares, variance
from lnsym.lang import Eq, Le, Lt, P, dot, i, j, norm, positive, sum_over

from ..definitions import J, d, eps, h, q, s, v

LAGRANGE = sum_over(i, sum_over(j, (P(h)[i] * v[j] - P(h)[j] * v[i]) ** 2)) / 2
GAP = (LAGRANGE + d * eps * norm(P(h)) ** 2) / (d * (q + eps) * s)

THEOREM = Derivation(
    title="h^T J h >= 0 for every direction h: the core is a monotone map.",
    catalogue="S33",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(d * q * norm(P(h)) ** 2 - dot(v, h) ** 2, LAGRANGE),
            by(
                squares,
                centred,
                variance,
                why="Lagrange's identity for v and Ph: the defect of the Cauchy-Schwarz inequality is a sum of squares.",
            ),
        ),
        Claim(
            Le(0, dot(h, J(h))),
            Gap(GAP, why="With Lagrange's identity the quadratic form is a sum of squares over positive numbers."),
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/4", h=(1, 0, 0)), at(z=(0, 2), eps=3, h=(1, 4))),
    near_misses=(
        NearMiss(Lt(0, dot(h, J(h))), given=(positive(eps), positive(norm(h) ** 2)), why="Not strict: J sends the nonzero h = 1 to 0."),
    ),
)
