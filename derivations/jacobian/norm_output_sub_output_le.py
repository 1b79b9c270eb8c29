"""The full output is Lipschitz with constant max|gamma_i|/sqrt(eps)."""

from lnsym.derivation import Claim, Derivation, Example, Gap, NearMiss, at, by, chain, count, derivative, given, squares, unfold
from lnsym.kernel.terms import Array, Index, hole
from lnsym.lang import D, Eq, Le, P, at_least, delta, dot, i, j, mean, nonnegative, norm, positive, sqrt, sum_over

from ..definitions import J, beta, c, d, eps, gamma, h, mu, mu_, q, q_, s, s_, u, u_, v, v_, y, z, z_

JACOBIAN = d * mean(h) ** 2 / eps + q / (eps * (q + eps)) * norm(P(h)) ** 2 + (1 + eps / (q + eps)) / (q + eps) * dot(u, h) ** 2 / d
FIRST, SECOND = Index("1"), Index("2")
PAIR = Array((hole(1),), delta(hole(1), FIRST) - delta(hole(1), SECOND))  # the direction (1, -1, 0, ..., 0)
SECANT = (
    d * (s - s_) ** 2 * (1 + eps / (s * s_)) / (s * s_)
    + norm(v - v_) ** 2 * (q * q_ + eps * (q + q_)) / (eps * s * s_ * (s * s_ + eps))
    + d * (mu - mu_) ** 2 / eps
)

THEOREM = Derivation(
    title="If |gamma_i| <= c for every i, the full output is Lipschitz with constant c/sqrt(eps).",
    catalogue="S35",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps), nonnegative(c), nonnegative(c**2 - gamma[i] ** 2)),
    claims=(
        Claim(
            Eq(D(y[i], z[j]), gamma[i] * J[i, j]),
            chain(D(y[i], z[j]))
            .to(gamma[i] * D(u[i], z[j]), by=derivative, why="Gain and bias are held fixed.")
            .to(gamma[i] * J[i, j], by=(derivative, squares), why="The Jacobian of the core."),
        ),
        Claim(
            Le(norm(gamma * J(h)), c * norm(h) / sqrt(eps)),
            Gap(
                sum_over(i, (c**2 - gamma[i] ** 2) * J(h)[i] ** 2) + c**2 * JACOBIAN,
                why="First the gain stretches J h by at most c, then J stretches h by at most 1/sqrt(eps).",
                squared=True,
            ),
        ),
        Claim(
            Le(norm((gamma * u + beta) - (gamma * u_ + beta)), c * norm(z - z_) / sqrt(eps)),
            Gap(
                sum_over(i, (c**2 - gamma[i] ** 2) * (u[i] - u_[i]) ** 2) + c**2 * SECANT,
                why="The bias cancels, the gain stretches by at most c, and the core by at most 1/sqrt(eps).",
                squared=True,
            ),
        ),
        Claim(
            Eq(norm(gamma * J(PAIR)) ** 2, c**2 * norm(PAIR) ** 2 / eps),
            by(given, squares, count, unfold(s), why="At a constant input J is P/sqrt(eps), and (1, -1, 0, ..., 0) is centred."),
            given=(at_least(d, 2), Eq(v, 0), Eq(q, 0), Eq(gamma[FIRST], c), Eq(gamma[SECOND], c)),
            label="attained where two gains have the largest size, along (1, -1, 0, ..., 0) at a constant input",
        ),
        Example(
            (Eq(norm(gamma * J(h)) ** 2, 32), Eq(4 * norm(h) ** 2 / eps, 32)),
            at(z=(5, 5, 5), eps="1/4", gamma=(2, -2, 1), h=(1, -1, 0), c=2),
            why="Size is what counts: gains 2 and -2.",
        ),
    ),
    points=(at(z=(0, 2), eps="24/25", gamma=(1, -2), beta=(3, 4), c=2, h=(1, 0), value=None, **{"z'": (0, -1)}),),
    near_misses=(
        NearMiss(Le(norm(gamma * J(h)), norm(h) / sqrt(eps)), why="The gain multiplies the bound of the core."),
        NearMiss(
            Le(norm(gamma * J(h)), c * norm(h) / sqrt(eps)),
            given=(positive(eps), nonnegative(c), nonnegative(c - mean(gamma))),
            why="The average gain is no bound; the largest |gamma_i| is.",
        ),
        NearMiss(
            Eq(norm(gamma * J(PAIR)) ** 2, c**2 * norm(PAIR) ** 2 / eps),
            given=(at_least(d, 2), positive(eps), Eq(v, 0), Eq(q, 0), Eq(gamma[FIRST], c), nonnegative(c**2 - gamma[SECOND] ** 2)),
            why="One largest gain is not enough: centred directions are not along one coordinate, see norm_gain_one_two_three_le.",
        ),
    ),
)
