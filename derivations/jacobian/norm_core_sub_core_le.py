"""The core is Lipschitz with constant 1/sqrt(s s') between two inputs, and strictly within 1/sqrt(eps)."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at
from lnsym.lang import Eq, Le, Lt, P, dot, norm, positive, sqrt

from ..definitions import d, eps, mu, mu_, q, q_, s, s_, u, u_, v, v_, z, z_

ROOTS = d * (s - s_) ** 2 * (1 + eps / (s * s_)) / (s * s_)
VARIANCES = (q * q_ + eps * (q + q_)) / (eps * s * s_ * (s * s_ + eps))
DISTANCE = d * q + d * q_ - 2 * dot(v, v_)  # |v - v'|^2, multiplied out
SPREAD = (q * q_ + eps * (norm(v + v_) ** 2 + DISTANCE) / (2 * d)) / (eps * s * s_ * (s * s_ + eps))
MEANS = d * (mu - mu_) ** 2 / eps

# For the strict bound: with x = |v - v'|^2 and y = d (mu - mu')^2, so that x + y = |z - z'|^2, the gap holds K x^2 + y/eps. Times eps + y
# this is A x^2 + B y^2 + (K x^2 + 1) y with A = K eps, B = 1/eps, and A x^2 + B y^2 = (A B (x + y)^2 + (A x - B y)^2)/(A + B).
X, Y = norm(v - v_) ** 2, d * (mu - mu_) ** 2
REST = (q * q_ / eps + norm(v + v_) ** 2 / (2 * d)) / (s * s_ * (s * s_ + eps))
K = 1 / (2 * d * s * s_ * (s * s_ + eps))
ONE_OF_TWO = ((K * norm(z - z_) ** 4 + (K * eps * X - Y / eps) ** 2) / (K * eps + 1 / eps) + (K * X**2 + 1) * Y) / sqrt(eps + Y) ** 2

THEOREM = Derivation(
    title="|u - u'|^2 <= |P(z - z')|^2/(s s') <= |z - z'|^2/eps, the outer bound strict wherever z and z' differ.",
    catalogue=("T39", "S34"),
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    claims=(
        Claim(
            Le(norm(u - u_) ** 2, norm(P(z - z_)) ** 2 / (s * s_)),
            Gap(ROOTS, why="By the first secant identity the gap is a positive multiple of (s - s')^2."),
        ),
        Claim(
            Le(norm(P(z - z_)) ** 2 / (s * s_), norm(z - z_) ** 2 / eps),
            Gap(
                norm(v - v_) ** 2 * VARIANCES + MEANS,
                why="Centering takes the means away, and s s' - eps = (q q' + eps (q + q'))/(s s' + eps).",
            ),
        ),
        Claim(
            Le(norm(u - u_), norm(z - z_) / sqrt(eps)),
            Gap(
                ROOTS + norm(v - v_) ** 2 * VARIANCES + MEANS,
                why="The two gaps together: Lipschitz continuity without calculus.",
                squared=True,
            ),
        ),
        Claim(
            Lt(norm(u - u_), norm(z - z_) / sqrt(eps)),
            Gap(
                ROOTS + DISTANCE * SPREAD + MEANS,
                why="2d (q + q') = |v - v'|^2 + |v + v'|^2, so the gap is positive as soon as v and v' differ.",
                squared=True,
            ),
            given=(positive(dot(v - v_, v - v_)),),
            label="strict where z - z' is not constant",
        ),
        Claim(
            Lt(norm(u - u_), norm(z - z_) / sqrt(eps)),
            Gap(ROOTS + norm(v - v_) ** 2 * VARIANCES + MEANS, why="Different means already leave a gap.", squared=True),
            given=(positive((mu - mu_) ** 2),),
            label="strict where the means differ",
        ),
        Claim(
            Lt(norm(u - u_), norm(z - z_) / sqrt(eps)),
            Gap(
                ROOTS + norm(v - v_) ** 2 * REST + ONE_OF_TWO,
                why="|z - z'|^2 is |v - v'|^2 + d (mu - mu')^2, and a positive multiple of its square is left over.",
                squared=True,
            ),
            given=(positive(norm(z - z_) ** 2),),
            label="so strict wherever z and z' differ",
        ),
    ),
    points=(at(z=(0, 2), eps="24/25", value="16200/5929", **{"z'": (0, -1)}),),
    near_misses=(
        NearMiss(
            Le(norm(u - u_) ** 2, norm(P(z - z_)) ** 2 / (q + eps)),
            why="The bound needs both roots: one of the inputs may be nearly constant.",
        ),
        NearMiss(Eq(norm(u - u_) ** 2, norm(P(z - z_)) ** 2 / (s * s_)), why="Equal only where the two roots are."),
        NearMiss(Lt(norm(u - u_), norm(z - z_) / sqrt(eps)), why="At z = z' both sides are 0."),
        NearMiss(
            Le(norm(u - u_), norm(z - z_) / sqrt(2 * eps)), why="Near constant inputs the ratio comes as near to 1/sqrt(eps) as one likes."
        ),
    ),
)
