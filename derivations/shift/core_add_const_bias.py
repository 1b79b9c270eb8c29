"""Before the normalization a bias is redundant along 1: adding c 1 to it changes no output, at any input x."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, count
from lnsym.lang import INPUTS, Eq, core, dot, matrix, one, positive, vector

from ..definitions import beta, c, eps, gamma

x, g = vector("x", INPUTS), vector("g", INPUTS)
b = vector("b")
W = matrix("W", columns=INPUTS)
affine = W @ x + b

THEOREM = Derivation(
    title="With b + c 1 in place of b, core and output at W x + b are the same for every x.",
    catalogue="S19",
    cites=("004 ¶16",),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(gamma * core(affine + c * one) + beta, gamma * core(affine) + beta),
            by(count, why="W x + b + c 1 is a common shift of W x + b, so the core does not change."),
        ),
        Claim(
            Eq(gamma * core(affine + dot(g, x) * one) + beta, gamma * core(affine) + beta),
            by(count, why="For each x the number g^T x is one number, added to every coordinate."),
            label="c may depend on x",
        ),
    ),
    points=(
        at(W=((1, 0, 2), (0, 1, 0), (1, 1, 1)), x=(1, 1, 0), b=(0, 1, 0), g=(1, 2, 3), gamma=(1, 2, 3), beta=(4, 5, 6), c=10, eps="1/3"),
    ),
    near_misses=(
        NearMiss(Eq(gamma * core(affine) + beta + c, gamma * core(affine) + beta), why="Only before the normalization: after it c stays."),
        NearMiss(Eq(core(affine), core(W @ x)), why="Only the part of the bias along 1 is redundant."),
    ),
)
