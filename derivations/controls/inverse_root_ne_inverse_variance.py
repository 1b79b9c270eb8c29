"""r is one over the square root of var(z) + eps: not one over var(z) + eps, and s is not its square."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, centred, split, squares, unfold, variance
from lnsym.lang import Eq, positive, sqrt, var

from ..definitions import eps, r, s, u, v, z

THEOREM = Derivation(
    title="r = 1/sqrt(var(z) + eps): a square root, once.",
    catalogue="N03",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(r, 1 / sqrt(var(z) + eps)),
            by(split, centred, variance, unfold(r, s), why="r is 1/s; q is var(z)."),
        ),
        Claim(Eq(r**2, 1 / (var(z) + eps)), by(split, centred, variance, unfold(r, s), squares, why="Only its square has no root.")),
    ),
    points=(at(z=(1, 3), eps=3, value="1/2"),),
    near_misses=(
        NearMiss(Eq(r, 1 / (var(z) + eps)), why="The root was forgotten (the description of an operator said so)."),
        NearMiss(Eq(s, (var(z) + eps) ** 2), why="The square in place of the root."),
        NearMiss(Eq(u, v / (var(z) + eps)), why="The core divides by the root."),
    ),
)
