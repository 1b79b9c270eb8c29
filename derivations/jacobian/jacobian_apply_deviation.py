"""The radial direction v has eigenvalue eps/(q + eps)^(3/2)."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, algebra, at, centred, chain, square_of_root, variance
from lnsym.lang import Eq, Lt, P, dot, positive

from ..definitions import J, d, eps, q, s, v

THEOREM = Derivation(
    title="J v = eps/(q + eps)^(3/2) v: where v is not 0, it is an eigenvector of the Jacobian with this eigenvalue.",
    catalogue="S30",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(J(v), eps / s**3 * v),
            chain(J(v))
            .to((P(v) - v * dot(v, v) / (d * (q + eps))) / s, by=algebra, why="v v^T v is v times its squared norm.")
            .to((v - v * dot(v, v) / (d * (q + eps))) / s, by=centred, why="v is centred: Pv = v.")
            .to((v - v * q / (q + eps)) / s, by=variance, why="The squared norm of v is d q.")
            .to(eps * v / ((q + eps) * s), by=algebra, why="1 - q/(q + eps) = eps/(q + eps).")
            .to(eps / s**3 * v, by=square_of_root(s), why="q + eps is the square of s."),
        ),
        Claim(
            Lt(eps / s**3, 1 / s),
            Gap(q / s**3, why="The tangential eigenvalue 1/s is larger by q/s^3, and q > 0."),
            given=(positive(q),),
            label="smaller than the tangential eigenvalue",
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3"), at(z=(0, 1), eps=2)),
    near_misses=(
        NearMiss(Eq(J(v), v / s), why="Moving along v also moves s."),
        NearMiss(Eq(J(v), 0), why="Radial gradients vanish only at eps = 0."),
        NearMiss(Eq(J(v), eps / (q + eps) * v), why="The third power of s is needed, not the second."),
        NearMiss(Lt(eps / s**3, 1 / s), why="At q = 0 the two values agree."),
    ),
)
