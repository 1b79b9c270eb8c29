"""The vector of ones has eigenvalue 0, and every image is centred."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, centred, chain, count
from lnsym.lang import Eq, P, dot, mean, one, positive

from ..definitions import J, d, eps, h, q, s, v

THEOREM = Derivation(
    title="The vector of ones is an eigenvector of the Jacobian with eigenvalue 0, for every d.",
    catalogue="S29",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(J(one), 0),
            chain(J(one))
            .to((P(one) - v * dot(v, one) / (d * (q + eps))) / s, by=count, why="v v^T 1 is v times the sum of v.")
            .to(P(one) / s, by=centred, why="The deviations sum to 0.")
            .to(0, by=count, why="Centering removes what is common."),
        ),
        Claim(Eq(mean(J(h)), 0), by(centred, why="Ph and v have mean 0, so J h has too.")),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", h=(1, 0, 0)), at(z=(5,), eps=1, h=(2,))),
    near_misses=(NearMiss(Eq(J(h), 0), why="Only common shifts are removed."),),
)
