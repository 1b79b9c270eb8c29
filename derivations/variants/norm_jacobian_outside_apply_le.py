"""With eps outside the root the Jacobian sends 1 to 0 and stretches no direction by more than 1/eps."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at, by, centred, chain, count, derivative, split, squares, variance
from lnsym.lang import COORDINATES, Components, Eq, Le, P, dot, jacobian, mean, norm, one, outer, positive, sqrt

from ..definitions import d, eps, h, q, s, sigma, v, z
from . import core_outside

J = jacobian(v / (sigma + eps), z)
FORM = (P - outer(v, v) / (d * sigma * (sigma + eps))) / (sigma + eps)
ACROSS = (q + 2 * sigma * eps) / (eps * (sigma + eps)) ** 2 * norm(P(h)) ** 2
ALONG = (q + 2 * sigma * eps) / (sigma + eps) ** 4 * dot(v, h) ** 2 / (d * q)

THEOREM = Derivation(
    title="With eps outside the root the Jacobian sends 1 to 0, and |J h| <= |h|/eps.",
    catalogue="T74",
    given=(positive(eps), positive(q)),
    claims=(
        Claim(
            Eq(jacobian(core_outside(z), z), FORM),
            chain(jacobian(core_outside(z), z))
            .to(J, by=(split, centred, variance, derivative), why="The deviations over sigma + eps.")
            .to(FORM, by=(derivative, squares), why="The quotient rule with d(sigma) = v/(d sigma)."),
            label="from the raw definition",
        ),
        Claim(
            Eq(J(one), 0),
            by(derivative, squares, count, centred, why="A common shift changes nothing."),
            label="along 1",
        ),
        Claim(
            Eq(J(h), (P(h) - v * dot(v, h) / (d * sigma * (sigma + eps))) / (sigma + eps)),
            by(derivative, squares, why="v v^T h is v times the inner product of v and h."),
            label="applied to a direction",
        ),
        Claim(
            Le(norm(J(h)), norm(h) / eps),
            Gap(
                d * mean(h) ** 2 / eps**2 + ACROSS + ALONG,
                why="The part along 1 is lost; across v the factor is 1/(sigma + eps), along v it is smaller still.",
                squared=True,
            ),
            label="the bound",
        ),
    ),
    points=(at(z=(1, 3), eps=1, h=(1, -1)), at(z=(1, -1, 1, -1), eps=2, h=(1, 0, 0, 2))),
    near_misses=(
        NearMiss(
            Le(norm(J(h)), norm(h) / sqrt(eps)),
            why="This is the bound of the core; across this input, with sigma = eps, J stretches by 1/(2 eps).",
            given=(positive(eps), Components("z", COORDINATES, (eps, -eps, eps, -eps))),
        ),
        NearMiss(Eq(J(h), (P(h) - v * dot(v, h) / (d * s**2)) / s), why="This is the Jacobian of the core."),
        NearMiss(Eq(J(h), P(h) / (sigma + eps)), why="sigma moves with z."),
    ),
)
