"""Euler's identity with eps: what the gradient by the input has along the input itself, and its tie to the gradient by eps."""

from lnsym.derivation import (
    Claim,
    Derivation,
    NearMiss,
    at,
    by,
    centred,
    chain,
    derivative,
    split,
    square_of_root,
    squares,
    unfold,
    variance,
)
from lnsym.lang import D, Eq, core, dot, gradient, positive

from ..definitions import J, eps, g, gamma, mu, q, r, rho, s, u, v, y, z

loss = dot(g, u)
backward = gradient(loss, z)
along = eps * r**2 * dot(u, g)

THEOREM = Derivation(
    title="The gradient by z, along z or along v, is eps r^2 (u.g) = -2 eps times the derivative by eps; without eps it is 0.",
    catalogue="T25",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(dot(z, backward), along),
            chain(dot(z, backward))
            .to(dot(z, J(g)), by=(derivative, square_of_root(s)), why="J is symmetric, so the gradient is J g.")
            .to(dot(v, J(g)), by=(centred, split), why="The gradient has sum 0: the mean of z does not count.")
            .to(
                dot(v, g) / s - dot(v, g) * q / (s * (q + eps)),
                by=(centred, variance),
                why="v is an eigenvector: P keeps it, and v v^T/d makes q of it.",
            )
            .to(eps / s**3 * dot(v, g), by=square_of_root(s), why="s^2 - q = eps.")
            .to(along, by=unfold(u, r), why="One 1/s goes with v."),
            label="along the input",
        ),
        Claim(
            Eq(dot(v, backward), along),
            by(derivative, centred, variance, unfold(u, r), square_of_root(s), why="z and v differ by a common shift."),
            label="along the deviations",
        ),
        Claim(
            Eq(-2 * eps * D(loss, eps), along),
            chain(-2 * eps * D(loss, eps))
            .to(-2 * eps * (-dot(g, v) / (2 * s**3)), by=(derivative, square_of_root(s)), why="1/s falls with eps at the rate 1/(2 s^3).")
            .to(along, by=unfold(u, r), why="One 1/s goes with v."),
            label="by eps",
        ),
        Claim(
            Eq(dot(z, backward), (1 - rho) * dot(u, g)),
            by(derivative, centred, split, variance, unfold(u, rho), square_of_root(s), why="1 - rho is eps r^2."),
            label="with the variance of the core",
        ),
        Claim(
            Eq(dot(z, gradient(dot(g, y), z)), eps * r**2 * dot(u, gamma * g)),
            by(derivative, centred, split, variance, unfold(u, r), square_of_root(s), why="With a gain the core has the gradient gamma g."),
            label="with a gain",
        ),
        Claim(
            Eq(dot(z, gradient(dot(g, core(z, 0)), z)), 0),
            by(derivative, centred, split, variance, squares, why="At eps = 0 the core does not change along z."),
            given=(positive(q),),
            label="without eps",
        ),
    ),
    points=(
        at(z=(1, 3), eps=3, g=(0, 1), gamma=(1, 2), beta=(0, 0), value="3/8"),
        at(z=(1, 2, 3), eps="1/3", g=(1, 2, 4), gamma=(1, 1, 1), beta=(0, 0, 0)),
    ),
    near_misses=(
        NearMiss(Eq(dot(z, backward), 0), why="Only without eps is the gradient orthogonal to the input."),
        NearMiss(Eq(dot(z, backward), dot(u, g)), why="The factor is eps r^2 = 1 - rho, not 1."),
        NearMiss(Eq(dot(z, backward), eps * r * dot(u, g)), why="Two factors r are left: one of v and one of the eigenvalue."),
        NearMiss(Eq(dot(z, backward), -eps * D(loss, eps)), why="eps has the unit of z^2: the factor is 2."),
        NearMiss(Eq(dot(mu + v, g / s), along), why="The gradient was taken with mean and root kept constant."),
    ),
    note="g is the gradient of any loss by the core, at the point.",
)
