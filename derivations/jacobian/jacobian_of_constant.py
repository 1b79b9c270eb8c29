"""At a constant input the Jacobian is P/sqrt(eps): eigenvalue 1/sqrt(eps) with multiplicity d - 1."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, chain, count, given, unfold
from lnsym.lang import Eq, P, identity, positive, sqrt, trace

from ..definitions import J, d, eps, q, s, v

THEOREM = Derivation(
    title="At a constant input the Jacobian is P/sqrt(eps); its nonzero eigenvalue 1/sqrt(eps) has multiplicity d - 1.",
    catalogue="S32",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps), Eq(v, 0), Eq(q, 0)),
    claims=(
        Claim(
            Eq(J, P / sqrt(eps)),
            chain(J)
            .to(P / s, by=given, why="v = 0, so the rank-one term is 0.")
            .to(P / sqrt(eps), by=(unfold(s), given), why="q = 0, so s is sqrt(eps)."),
        ),
        Claim(Eq(J @ J, J / sqrt(eps)), by(given, count, unfold(s), why="P P = P: the eigenvalues are 0 and 1/sqrt(eps).")),
        Claim(Eq(trace(J), (d - 1) / sqrt(eps)), by(given, count, unfold(s), why="The trace counts 1/sqrt(eps) d - 1 times.")),
    ),
    points=(at(z=(1, 1, 1), eps="1/9"), at(z=(5, 5), eps=4)),
    near_misses=(
        NearMiss(Eq(J, P / sqrt(eps)), given=(positive(eps),), why="Away from constant inputs s is larger and v enters."),
        NearMiss(Eq(J, identity() / sqrt(eps)), why="A common shift still has no effect."),
        NearMiss(Eq(trace(J), d / sqrt(eps)), why="The eigenvalue 0 on 1 counts out one dimension."),
    ),
)
