"""The gradient through the core is (g - mean(g) - u mean(g u))/s; the formula (g/s - u g u/s^2)/d of the web is wrong."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, count, derivative, squares
from lnsym.lang import Eq, dot, gradient, mean, positive, total

from ..definitions import d, eps, g, s, u, z

THEOREM = Derivation(
    title="The gradient through the core is (g - mean(g) - u mean(g u))/s.",
    catalogue="N02",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(gradient(dot(g, u), z), (g - mean(g) - u * mean(g * u)) / s),
            by(derivative, squares, count, why="The Jacobian is symmetric, so the gradient is J applied to g."),
        ),
    ),
    points=(at(z=(1, 2, 3), g=(1, 2, 3), eps="1/3"),),
    near_misses=(
        NearMiss(Eq(gradient(dot(g, u), z), (g / s - u * g * u / s**2) / d), why="No mean of g and none of g u is taken."),
        NearMiss(Eq(gradient(dot(g, u), z), (g - u * mean(g * u)) / s), why="The mean of g is missing, as in RMSNorm."),
        NearMiss(Eq(gradient(dot(g, u), z), (g - mean(g) - u * total(g * u)) / s), why="A sum in place of a mean: 1/d is missing."),
        NearMiss(
            Eq(gradient(dot(g, u), z), (g - mean(g) + u * mean(g * u)) / s),
            why="The last term is subtracted: moving along u also moves the root.",
        ),
    ),
)
