"""The three eigenvalues with their multiplicities 1, 1 and d - 2, as an identity of matrices."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, by, centred, count, square_of_root, variance
from lnsym.lang import Eq, P, outer, positive, trace

from ..definitions import J, d, eps, q, s, v

RADIAL = outer(v, v) / (d * q)
TANGENT = P - outer(v, v) / (d * q)

THEOREM = Derivation(
    title="J = (eps/s^3) R + (1/s) T with the projections R on v and T on what is orthogonal to 1 and v, of traces 1 and d - 2.",
    catalogue=("S29", "S30", "S31"),
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps), positive(q)),
    claims=(
        Claim(
            Eq(J, eps / s**3 * RADIAL + TANGENT / s),
            by(square_of_root(s), why="On v the factor 1/s is lowered by q/(s (q + eps)), which leaves eps/s^3."),
        ),
        Claim(Eq(P, RADIAL + TANGENT), by(algebra, why="Centred vectors split into multiples of v and what is orthogonal to v.")),
        Claim(Eq(RADIAL @ RADIAL, RADIAL), by(variance, why="The squared norm of v is d q.")),
        Claim(Eq(TANGENT @ TANGENT, TANGENT), by(centred, variance, why="P P = P, P v = v, and the squared norm of v is d q.")),
        Claim(Eq(RADIAL @ TANGENT, 0), by(centred, variance, why="T sends v to 0.")),
        Claim(Eq(P @ TANGENT, TANGENT), by(centred, count, why="Nothing of 1 is left in T.")),
        Claim(Eq(trace(RADIAL), 1), by(variance, why="The rank of a projection is its trace: v spans one dimension.")),
        Claim(Eq(trace(TANGENT), d - 2), by(count, variance, why="What is left of d dimensions after 1 and v; nothing at d = 2.")),
    ),
    points=(at(z=(1, 2, 3), eps="1/3"), at(z=(0, 1), eps=2)),
    near_misses=(
        NearMiss(Eq(trace(TANGENT), d - 1), why="Both 1 and v are taken away."),
        NearMiss(Eq(J, TANGENT / s), why="The radial part vanishes only at eps = 0."),
    ),
)
