"""The backward pass where mean or root are kept constant (detached): what it gives, and its mean and variance."""

from lnsym.derivation import (
    Claim,
    Derivation,
    Gap,
    NearMiss,
    at,
    by,
    centred,
    count,
    derivative,
    given,
    split,
    square_of_root,
    unfold,
    variance,
)
from lnsym.lang import Eq, Le, P, cov, dot, gradient, mean, positive, sqrt, var

from ..definitions import c, eps, g, mu, q, r, rho, s, t, u, v, z

full = r * (g - mean(g) - u * mean(g * u))
of_root = r * (g - u * mean(g * u))  # the mean is kept constant
of_mean = r * (g - mean(g))  # the root is kept constant
MEAN, ROOT = Eq(c, mu), (positive(t), Eq(t, s))
SPREAD = r**2 * (var(g) - (2 - rho) * cov(u, g) ** 2)
KEPT = "The symbol stands for a number that does not move with z; its value is put in after the derivative."

THEOREM = Derivation(
    title="Gradients with mean, root or both kept constant: r (g - mean(g u) u), r (g - mean(g)) and r g; their means and variances.",
    catalogue="T27",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(gradient(dot(g, u), z), full),
            by(derivative, unfold(r, u), square_of_root(s), why="Mean and root both move."),
            label="nothing is kept constant",
        ),
        Claim(Eq(mean(full), 0), by(count, centred, unfold(u), why="g - mean(g) and u have mean 0."), label="its mean"),
        Claim(
            Eq(var(full), SPREAD),
            by(count, centred, variance, unfold(r, rho, u), square_of_root(s), why="mean(u^2) = rho and mean(g u) = cov(u, g)."),
            label="its variance",
        ),
        Claim(
            Le(var(full), r**2 * var(g)),
            Gap(r**2 * (1 + eps / (q + eps)) * cov(u, g) ** 2, why="2 - rho = 1 + eps/(q + eps) is positive."),
            label="the bound on its variance",
        ),
        Claim(
            Eq(gradient(dot(g, (z - c) / s), z), of_root),
            by(derivative, given, split, unfold(r, u, s), why=KEPT),
            given=(MEAN,),
            label="the mean is kept constant",
        ),
        Claim(
            Eq(gradient(dot(g, (z - c) / sqrt(mean((z - c) ** 2) + eps)), z), of_root),
            by(derivative, given, split, centred, variance, unfold(r, u, s), why="In the variance too: it is least at the mean."),
            given=(MEAN,),
            label="the mean is kept constant in the variance too",
        ),
        Claim(Eq(mean(of_root), r * mean(g)), by(centred, unfold(u), why="u has mean 0."), label="its mean"),
        Claim(
            Eq(var(of_root), SPREAD),
            by(count, centred, variance, unfold(r, rho, u), square_of_root(s), why="A constant less does not change the variance."),
            label="its variance",
        ),
        Claim(
            Eq(gradient(dot(g, v / t), z), of_mean),
            by(derivative, given, unfold(r), why=KEPT),
            given=ROOT,
            label="the root is kept constant",
        ),
        Claim(Eq(of_mean, r * P(g)), by(count, why="P takes the mean away."), label="as a projection"),
        Claim(Eq(mean(of_mean), 0), by(count, why="P takes the mean away."), label="its mean"),
        Claim(Eq(var(of_mean), r**2 * var(g)), by(count, why="P leaves the variance."), label="its variance"),
        Claim(
            Eq(gradient(dot(g, (z - c) / t), z), r * g),
            by(derivative, given, unfold(r), why=KEPT),
            given=(MEAN, *ROOT),
            label="both are kept constant",
        ),
        Claim(Eq(var(r * g), r**2 * var(g)), by(count, why="r is one number for the row."), label="its variance"),
        Claim(
            Eq(r * P(g) - full, r * u * mean(g * u)),
            by(count, why="What the projection across u takes away."),
            label="the missing projection",
        ),
    ),
    points=(at(z=(1, 3), eps=3, g=(0, 1), c=2, t=2), at(z=(1, 2, 3), eps="1/3", g=(1, 2, 4), c=2, t=1)),
    near_misses=(
        NearMiss(Eq(full, of_root), why="The mean was kept constant: mean(g) is missing."),
        NearMiss(Eq(full, of_mean), why="The root was kept constant: the projection across u is missing."),
        NearMiss(Eq(full, r * g), why="Both were kept constant."),
        NearMiss(Eq(mean(of_root), 0), why="Only the moving mean takes the mean of g away."),
        NearMiss(Eq(var(full), r**2 * var(g)), why="The moving root lowers the variance."),
        NearMiss(Eq(var(full), r**2 * (var(g) - cov(u, g) ** 2)), why="The factor is 2 - rho, not 1, as u has the variance rho."),
        NearMiss(Eq(gradient(dot(g, (z - c) / s), z), of_root), given=(positive(eps),), why="The number kept must be the mean."),
    ),
    note="c and t stand for the mean and the root that were kept; g is the gradient of the loss by the core.",
)
