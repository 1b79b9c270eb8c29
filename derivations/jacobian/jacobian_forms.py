"""The Jacobian in its other forms: by the core itself, as a product with a direction, symmetric, zero at d = 1."""

from lnsym.derivation import (
    Claim,
    Derivation,
    NearMiss,
    Offer,
    algebra,
    at,
    by,
    centred,
    chain,
    derivative,
    fold,
    given,
    split,
    square_of_root,
    squares,
    unfold,
    variance,
)
from lnsym.lang import D, Eq, P, core, delta, dot, i, j, jacobian, mean, outer, positive

from ..definitions import J, d, eps, h, q, r, s, u, v, z

THEOREM = Derivation(
    title="The Jacobian is r (P - u u^T/d); it is symmetric, and it sends h to r (Ph - mean(u h) u).",
    catalogue="S28",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(jacobian(core(z), z), J),
            chain(jacobian(core(z), z))
            .to(jacobian(v / s, z), by=(fold(q), centred, split, derivative), why="The core is v over s.")
            .to(J, by=(derivative, squares), why="The quotient rule, as for u."),
            label="from the raw definition",
        ),
        Claim(
            Eq(J, r * (P - outer(u, u) / d)),
            chain(J)
            .to((P - outer(v, v) / (d * s**2)) / s, by=square_of_root(s), why="q + eps is the square of s.")
            .to(r * (P - outer(u, u) / d), by=unfold(r, u), why="One s goes with each v: they are the entries of u."),
        ),
        Claim(
            Eq(J(h), r * (P(h) - mean(u * h) * u)),
            chain(J(h))
            .to((P(h) - v * dot(v, h) / (d * (q + eps))) / s, by=algebra, why="v v^T h is v times the inner product of v and h.")
            .to(r * (P(h) - mean(u * h) * u), by=(unfold(r, u), square_of_root(s)), why="One s goes with each v."),
            label="applied to a direction",
        ),
        Claim(Eq(J.T, J), by(algebra, why="P and v v^T are symmetric.")),
        Claim(Eq(J, 0), by(given, variance, why="With one coordinate nothing deviates from the mean."), given=(Eq(d, 1),)),
        Claim(
            Eq(D(u[i], z[j]), r * (delta(i, j) - (1 + u[i] * u[j]) / d)),
            by(derivative, unfold(r, u), square_of_root(s), why="The entries of P are delta_ij - 1/d."),
            label="entry by entry",
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", h=(1, 0, 0)), at(z=(0, 1), eps=2, h=(1, 3)), at(z=(5,), eps=1, h=(2,))),
    near_misses=(
        NearMiss(Eq(J, r * (P - outer(u, u))), why="The rank-one term carries 1/d."),
        NearMiss(Eq(J(h), r * (P(h) - dot(u, h) * u)), why="The mean of u h stands here, not the sum."),
        NearMiss(Eq(J(h), r * P(h)), why="This treats s as a constant; s moves with z."),
        NearMiss(Eq(J(h), r * h), why="This treats the mean and s as constants."),
        NearMiss(Eq(D(u[i], z[j]), r * (delta(i, j) - u[i] * u[j] / d)), why="The mean moves too: 1/d is missing."),
    ),
    offers=(Offer("jacobian", "jacobian", claim=6),),
)
