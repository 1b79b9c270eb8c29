"""A direction orthogonal to 1 and v has eigenvalue 1/s."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, chain, given
from lnsym.lang import Eq, P, dot, positive, total

from ..definitions import J, d, eps, q, s, v, w

THEOREM = Derivation(
    title="A nonzero direction orthogonal to 1 and v is an eigenvector of the Jacobian with eigenvalue (q + eps)^(-1/2).",
    catalogue="S31",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps), Eq(total(w), 0), Eq(dot(v, w), 0)),
    claims=(
        Claim(
            Eq(J(w), w / s),
            chain(J(w))
            .to((P(w) - v * dot(v, w) / (d * (q + eps))) / s, by=algebra, why="v v^T w is v times the inner product of v and w.")
            .to(P(w) / s, by=given, why="w is orthogonal to v.")
            .to(w / s, by=given, why="w has sum 0, so centering leaves it as it is."),
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", w=(1, -2, 1)),),
    near_misses=(
        NearMiss(Eq(J(w), w / s), given=(positive(eps), Eq(total(w), 0)), why="Orthogonality to v is needed."),
        NearMiss(Eq(J(w), w / s), given=(positive(eps), Eq(dot(v, w), 0)), why="Orthogonality to 1 is needed."),
        NearMiss(Eq(J(w), w / (q + eps)), why="The root of q + eps stands here."),
    ),
    note="At d = 2 only w = 0 is orthogonal to 1 and a nonzero v; such directions need d >= 3.",
)
