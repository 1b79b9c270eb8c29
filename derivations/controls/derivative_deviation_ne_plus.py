"""The derivative of z_i - mu by z_j is delta_ij - 1/d, with a minus."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, derivative
from lnsym.lang import D, Eq, P, delta, i, j, jacobian

from ..definitions import d, mu, v, z

THEOREM = Derivation(
    title="The derivative of z_i - mu by z_j is delta_ij - 1/d: the matrix P.",
    catalogue="N12",
    claims=(
        Claim(Eq(D(z[i] - mu, z[j]), delta(i, j) - 1 / d), by(derivative, why="z_i moves by delta_ij; the mean, by 1/d, is subtracted.")),
        Claim(Eq(jacobian(v, z), P), by(derivative, why="The same for all entries at once.")),
    ),
    points=(at(z=(1, 2, 3)),),
    near_misses=(
        NearMiss(
            Eq(D(z[i] - mu, z[j]), delta(i, j) + 1 / d), why="The sign is wrong: the mean is taken off, so its derivative 1/d is too."
        ),
        NearMiss(Eq(D(z[i] - mu, z[j]), delta(i, j)), why="The mean moves too, by 1/d."),
    ),
)
