"""At a constant input centred directions attain the bound 1/sqrt(eps), and nowhere else is it attained."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, algebra, at, by, chain, given, squares, unfold
from lnsym.kernel.terms import Array, Index, hole
from lnsym.lang import COORDINATES, Eq, Lt, P, at_least, core, delta, dot, mean, norm, positive, sqrt, total

from ..definitions import J, c, d, eps, h, q, s, u, v, z

CONSTANT = (Eq(v, 0), Eq(q, 0))
FIRST, SECOND = Index("1", COORDINATES), Index("2", COORDINATES)
PAIR = Array((hole(1),), delta(hole(1), FIRST) - delta(hole(1), SECOND))  # the direction (1, -1, 0, ..., 0)

THEOREM = Derivation(
    title="|J h| = |h|/sqrt(eps) at a constant input for h with mean 0; where q > 0, |J h| < |h|/sqrt(eps) for every nonzero h.",
    catalogue="S36",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(dot(J(h), J(h)), dot(h, h) / eps),
            chain(dot(J(h), J(h)))
            .to(dot(P(h), P(h)) / eps, by=(given, squares, unfold(s)), why="At a constant input J is P/sqrt(eps).")
            .to(dot(h, h) / eps, by=given, why="h has sum 0, so centering leaves it as it is."),
            given=(*CONSTANT, Eq(total(h), 0)),
            label="attained at constant inputs: |J h|^2 = |h|^2/eps",
        ),
        Claim(
            Lt(dot(J(h), J(h)), dot(h, h) / eps),
            Gap(
                q / (eps * (q + eps)) * c + d * mean(h) ** 2 / (q + eps) + (1 + eps / (q + eps)) / (q + eps) * dot(u, h) ** 2 / d,
                why="With q > 0 a positive multiple of |h|^2 is missing.",
            ),
            given=(positive(q), Eq(dot(h, h), c), positive(c)),
            label="and only there: for |h|^2 = c > 0",
        ),
        Claim(Eq(J(h), 0), by(given, why="With one coordinate there are no centred directions and J is 0."), given=(Eq(d, 1),)),
        Claim(
            Eq(total(PAIR), 0),
            by(algebra, why="From d = 2 on there are centred directions other than 0: (1, -1, 0, ..., 0) is one."),
            given=(at_least(d, 2),),
            label="for d >= 2: a centred direction",
        ),
        Claim(
            Eq(dot(PAIR, PAIR), 2),
            by(algebra, why="The squares of 1 and -1."),
            given=(at_least(d, 2),),
            label="which is not 0",
        ),
    ),
    points=(at(z=(1, 1, 1), eps="1/4", h=(1, -2, 1), c=6), at(z=(0, 2), eps=3, h=(1, -1), c=2), at(z=(5,), eps=1, h=(2,), c=4)),
    near_misses=(
        NearMiss(
            Eq(dot(J(h), J(h)), dot(h, h) / eps),
            given=(positive(eps), *CONSTANT),
            why="Only centred directions: the common part of h is lost.",
        ),
        NearMiss(
            Eq(dot(J(h), J(h)), dot(h, h) / eps),
            given=(positive(eps), Eq(total(h), 0)),
            why="Only at constant inputs: else the norm is smaller.",
        ),
        NearMiss(
            Eq(norm(core(z + h) - core(z)), norm(h) / sqrt(eps)),
            given=(positive(eps), *CONSTANT, Eq(total(h), 0)),
            why="Attained only infinitesimally: two different inputs stay strictly within the bound.",
        ),
    ),
)
