"""The centering matrix is a symmetric projection that yields the deviations."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, by, centred, chain, count, split
from lnsym.lang import Eq, P, identity, mean, ones, outer

from ..definitions import d, v, z

THEOREM = Derivation(
    title="P is symmetric, P P = P, P z = v and P v = v.",
    catalogue="S10",
    cites=("000 ¶4", "004 ¶12", "004 ¶15"),
    claims=(
        Claim(
            Eq(P @ z, v),
            chain(P @ z)
            .to(z - mean(z), by=algebra, why="Row i of I - 1 1^T/d takes the mean from z_i.")
            .to(v, by=(split, centred, count), why="v names the deviations from the mean."),
        ),
        Claim(Eq(P.T, P), by(algebra, why="delta_ij - 1/d does not change when i and j are exchanged.")),
        Claim(Eq(P @ P, P), by(count, why="The vector P z has mean 0, so a second centering takes nothing away.")),
        Claim(Eq(P @ v, v), by(centred, why="The deviations have mean 0 already.")),
        Claim(Eq(P, identity() - outer(ones(), ones()) / d), by(algebra, why="Each entry of 1 1^T is 1."), label="the entries of P"),
    ),
    points=(at(z=(1, 2, 4)), at(z=(5,))),
    near_misses=(
        NearMiss(Eq(P @ z, z), why="P z = z only for inputs of mean 0."),
        NearMiss(Eq(P @ P, 2 * P), why="A projection, not a scaling."),
    ),
)
