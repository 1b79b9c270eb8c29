"""The Jacobian of the two pieces of the clamped core: they do not meet at sigma = eps."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at, by, centred, count, derivative, given, squares, variance
from lnsym.lang import Eq, Le, P, dot, jacobian, mean, nonnegative, norm, outer, positive

from ..definitions import d, eps, h, q, sigma, v, z

WIDE, NARROW = jacobian(v / sigma, z), jacobian(v / eps, z)

THEOREM = Derivation(
    title="The clamped core has the Jacobian (P - v v^T/(d q))/sigma for sigma > eps and P/eps for sigma < eps; both stretch by <= 1/eps.",
    catalogue="T75",
    given=(positive(eps), positive(q)),
    claims=(
        Claim(
            Eq(WIDE, (P - outer(v, v) / (d * q)) / sigma),
            by(derivative, squares, why="The quotient rule with d(sigma) = v/(d sigma)."),
            label="for sigma > eps",
        ),
        Claim(
            Eq(WIDE(v), 0), by(derivative, squares, centred, variance, why="Scaling is invisible there."), label="along v, for sigma > eps"
        ),
        Claim(Eq(NARROW, P / eps), by(derivative, why="There the clamped core is linear."), label="for sigma < eps"),
        Claim(Eq(NARROW(v), v / eps), by(derivative, centred, count, why="v has mean 0, so P keeps it."), label="along v, for sigma < eps"),
        Claim(
            Eq(NARROW - WIDE, outer(v, v) / (d * q * eps)),
            by(derivative, given, squares, why="What is left of v v^T: no derivative there, where v is not 0."),
            given=(Eq(q, eps**2),),
            label="the jump at sigma = eps",
        ),
        Claim(
            Le(norm(NARROW(h)), norm(h) / eps),
            Gap(d * mean(h) ** 2 / eps**2, why="P takes the mean away.", squared=True),
            label="the bound for sigma < eps",
        ),
        Claim(
            Le(norm(WIDE(h)), norm(h) / eps),
            Gap(
                d * mean(h) ** 2 / eps**2 + (q - eps**2) / (q * eps**2) * norm(P(h)) ** 2 + dot(v, h) ** 2 / (d * q**2),
                why="What lies along 1 and along v is lost, and 1/sigma is at most 1/eps.",
                squared=True,
            ),
            given=(nonnegative(q - eps**2),),
            label="the bound for sigma > eps",
        ),
    ),
    points=(at(z=(1, 3), eps=1, h=(1, -1)), at(z=(1, -1, 1, -1), eps="1/2", h=(1, 0, 0, 2))),
    near_misses=(
        NearMiss(Eq(WIDE, P / sigma), why="sigma moves with z."),
        NearMiss(Eq(NARROW, WIDE), given=(positive(eps), positive(q), Eq(q, eps**2)), why="At sigma = eps the two pieces have a kink."),
        NearMiss(Le(norm(WIDE(h)), norm(h) / eps), why="The piece v/sigma is used for sigma >= eps only."),
    ),
)
