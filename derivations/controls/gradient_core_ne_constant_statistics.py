"""Mean and root depend on z: a backward pass that keeps them constant is off by -(mean(g) + u mean(g u))/s."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, centred, count, derivative, squares
from lnsym.lang import Eq, dot, gradient, mean, positive, total

from ..definitions import eps, g, s, u, z

backward = gradient(dot(g, u), z)

THEOREM = Derivation(
    title="A backward pass with mean and root kept constant is off by -(mean(g) + u mean(g u))/s.",
    catalogue="N06",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(backward - g / s, -(mean(g) + u * mean(g * u)) / s),
            by(derivative, squares, count, why="The moving mean brings the first term, the moving root the second."),
        ),
        Claim(
            Eq(total(backward), 0),
            by(derivative, count, centred, squares, why="A common shift of z changes nothing."),
        ),
    ),
    points=(at(z=(1, 2, 3), g=(1, 2, 3), eps="1/3"),),
    near_misses=(
        NearMiss(Eq(backward, g / s), why="Mean and root were kept constant; both move with z."),
        NearMiss(Eq(backward, (g - mean(g)) / s), why="The root was kept constant: the term u mean(g u) is missing."),
        NearMiss(Eq(backward, (g - u * mean(g * u)) / s), why="The mean was kept constant: the term mean(g) is missing."),
    ),
)
