"""Scaling the input by a and eps by a^2 changes nothing: the exact law that takes the place of scale invariance."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, by, centred, chain, fold, split, square_of_root, unfold, variance
from lnsym.lang import Eq, P, core, mean, nonzero, outer, positive, sqrt, var

from ..definitions import J, a, beta, c, d, eps, g, gamma, q, r, rho, s, u, v, y, z

scaled = core(a * z, a**2 * eps)
root = sqrt(var(a * z) + a**2 * eps)
deviations = a * z - mean(a * z)
OF_ROOT = "The deviations take the factor a, the variance a^2; eps takes a^2 too."

THEOREM = Derivation(
    title="For a > 0 the core of az for a^2 eps is the core of z for eps; for -a it is the negative. Root, Jacobian and gradient scale.",
    catalogue="T03",
    given=(positive(eps), positive(a)),
    claims=(
        Claim(
            Eq(scaled, u),
            chain(scaled)
            .to(a * v / sqrt(a**2 * q + a**2 * eps), by=(fold(q), centred, split), why=OF_ROOT)
            .to(v / sqrt(q + eps), by=algebra, why="a > 0 comes out of the root and cancels.")
            .to(u, by=fold(u, s), why="This is the core."),
            label="the core",
        ),
        Claim(
            Eq(core(-a * z, a**2 * eps), -u),
            chain(core(-a * z, a**2 * eps))
            .to(-a * v / sqrt(a**2 * q + a**2 * eps), by=(fold(q), centred, split), why="The square under the root loses the sign.")
            .to(-v / sqrt(q + eps), by=algebra, why="a > 0 comes out of the root and cancels.")
            .to(-u, by=fold(u, s), why="This is the negative of the core."),
            label="the core for a negative factor",
        ),
        Claim(
            Eq(core(a * z + c, a**2 * eps), u),
            by(fold(q, u, s), centred, split, why="A common shift is removed besides."),
            label="with a common shift",
        ),
        Claim(
            Eq(gamma * scaled + beta, y),
            by(fold(q, u, s, y), centred, split, why="Gain and bias come after the core."),
            label="the full output",
        ),
        Claim(
            Eq(root, a * s),
            chain(root)
            .to(sqrt(a**2 * q + a**2 * eps), by=(fold(q), centred, split), why=OF_ROOT)
            .to(a * s, by=fold(s), why="a^2 comes out of the root as a."),
            label="the root",
        ),
        Claim(
            Eq(var(a * z) / (var(a * z) + a**2 * eps), rho),
            by(split, centred, variance, unfold(rho), why="a^2 cancels."),
            label="the variance of the core",
        ),
        Claim(
            Eq((P - outer(deviations, deviations) / (d * root**2)) / root, J / a),
            by(split, centred, variance, square_of_root(s), why="v v^T and the square of the root scale alike; one 1/(a s) is left."),
            label="the Jacobian",
        ),
        Claim(
            Eq((g - mean(g) - scaled * mean(g * scaled)) / root, r * (g - mean(g) - u * mean(g * u)) / a),
            by(split, centred, variance, unfold(u, r, s), why="The core is the same, and the root is a s."),
            label="the gradient by the input",
        ),
    ),
    points=(
        at(z=(1, 3), eps=3, a=2, c=5, g=(1, 2), gamma=(2, -1), beta=(0, 1)),
        at(z=(1, 2, 3), eps="1/3", a="1/2", c=-1, g=(1, 0, 2), gamma=(1, 1, 2), beta=(0, 0, 1)),
        at(z=(5,), eps=1, a=3, c=0, g=(1,), gamma=(1,), beta=(0,)),
    ),
    near_misses=(
        NearMiss(Eq(core(a * z), u), why="eps was kept: it must scale as well."),
        NearMiss(Eq(core(a * z, a * eps), u), why="The variance is a mean of squares, so eps scales with a^2, not with a."),
        NearMiss(Eq(core(a * z, eps / a**2), u), why="A larger input asks for a larger eps."),
        NearMiss(Eq(scaled, u), given=(positive(eps), nonzero(a)), why="A negative a turns the core around."),
        NearMiss(Eq(root, s), why="The root scales with the input."),
        NearMiss(
            Eq((g - mean(g) - scaled * mean(g * scaled)) / root, r * (g - mean(g) - u * mean(g * u))),
            why="The input is a times as long, so the gradient by it is a times as small.",
        ),
    ),
)
