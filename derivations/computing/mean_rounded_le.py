"""Rounded means: a mean of numbers against the mean of their sizes, a mean of squares against itself."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at
from lnsym.lang import Le, i, mean, nonnegative, positive, sum_over, symbols, vector

from ..definitions import c, d, eps, mu, q, v, w, z

(b,) = symbols("b")
theta = vector("theta")  # the relative errors of the summands, all of size at most b
rounded_mean = mean(z * (1 + theta))
rounded_variance = mean((v - c) ** 2 * (1 + theta))
ratio = (q + c**2) / (q + c**2 + eps)
SIZES = (nonnegative(w[i] - z[i]), nonnegative(w[i] + z[i]))  # |z_i| <= w_i

THEOREM = Derivation(
    title="If every summand is off by b at most, relatively, so is a mean of squares; a mean of numbers is off by b times that of sizes.",
    catalogue="T100",
    given=(nonnegative(b - theta[i]), nonnegative(b + theta[i]), positive(b)),
    keep={2: "A bound is positive; where nothing is rounded any positive one holds."},
    claims=(
        Claim(
            Le(rounded_mean - mu, b * mean(w)),
            Gap(
                sum_over(i, (w[i] + z[i]) * (b - theta[i]) + (w[i] - z[i]) * (b + theta[i])) / (2 * d),
                why="Each b w_i - z_i theta_i is half of (w_i + z_i)(b - theta_i) + (w_i - z_i)(b + theta_i).",
            ),
            given=SIZES,
            label="the mean, from above",
        ),
        Claim(
            Le(mu - rounded_mean, b * mean(w)),
            Gap(sum_over(i, (w[i] + z[i]) * (b + theta[i]) + (w[i] - z[i]) * (b - theta[i])) / (2 * d), why="The same with -theta."),
            given=SIZES,
            label="the mean, from below",
        ),
        Claim(
            Le(rounded_variance, (q + c**2) * (1 + b)),
            Gap(sum_over(i, (v[i] - c) ** 2 * (b - theta[i])) / d, why="The exact value is q + c^2, and no summand is negative."),
            label="the variance about a mean that is off by c, from above",
        ),
        Claim(
            Le((q + c**2) * (1 - b), rounded_variance),
            Gap(sum_over(i, (v[i] - c) ** 2 * (b + theta[i])) / d, why="The same with -theta."),
            label="the variance, from below",
        ),
        Claim(
            Le(rounded_variance + eps, (q + c**2 + eps) * (1 + ratio * b)),
            Gap(
                sum_over(i, (v[i] - c) ** 2 * (b - theta[i])) / d,
                why="eps is exact: it damps the relative error by (q + c^2)/(q + c^2 + eps).",
            ),
            given=(positive(eps),),
            label="what stands under the root, from above",
        ),
        Claim(
            Le((q + c**2 + eps) * (1 - ratio * b), rounded_variance + eps),
            Gap(sum_over(i, (v[i] - c) ** 2 * (b + theta[i])) / d, why="The same with -theta."),
            given=(positive(eps),),
            label="what stands under the root, from below",
        ),
    ),
    points=(
        at(z=(1, 3), theta=("1/8", "-1/4"), b="1/4", w=(1, 4), c=1, eps=2),
        at(z=(1, -2, 4), theta=(0, "1/8", 0), b="1/8", w=(1, 2, 4), c=0, eps=1),
    ),
    near_misses=(
        NearMiss(
            Le(rounded_mean - mu, b * mu),
            why="The errors of numbers of both signs do not cancel: their sizes count.",
            given=(nonnegative(b - theta[i]), nonnegative(b + theta[i]), positive(mu)),
        ),
        NearMiss(Le(rounded_variance, q * (1 + b)), why="The mean is off by c: the squares about it are larger by c^2."),
        NearMiss(Le(rounded_variance, (q + c**2) * (1 + b)), given=(nonnegative(b + theta[i]),), why="theta is bounded from below alone."),
    ),
    leans_on=("standard model of floating-point arithmetic",),
    note="Summed one after the other, b is g(d) for the mean, and g(d + 3) for the variance: a difference counts twice in its square.",
)
