"""With eps added to sigma outside the root the slope is 1/(sigma + eps): the constant is 1/eps, not 1/sqrt(eps)."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at, by, centred, derivative, given, squares, variance
from lnsym.lang import COORDINATES, Components, Eq, Le, Lt, P, dot, jacobian, outer, positive, sqrt, total

from ..definitions import d, eps, q, sigma, v, w, z

outside = v / (sigma + eps)

THEOREM = Derivation(
    title="With eps added to sigma, outside the root, the Lipschitz constant is 1/eps and not 1/sqrt(eps).",
    catalogue="N11",
    given=(positive(eps), positive(q)),
    claims=(
        Claim(
            Eq(jacobian(outside, z), (P - outer(v, v) / (d * sigma * (sigma + eps))) / (sigma + eps)),
            by(derivative, squares, why="The quotient rule with d(sigma) = v/(d sigma)."),
            label="the Jacobian",
        ),
        Claim(
            Eq(jacobian(outside, z)(w), w / (sigma + eps)),
            by(derivative, squares, given, why="A direction across 1 and v sees the first term alone."),
            given=(Eq(total(w), 0), Eq(dot(v, w), 0)),
            label="across v",
        ),
        Claim(
            Lt(1 / (sigma + eps), 1 / eps),
            Gap(sigma / (eps * (sigma + eps)), why="1/eps is the limit at sigma = 0."),
            label="the bound across v",
        ),
        Claim(
            Eq(jacobian(outside, z)(v), eps / (sigma + eps) ** 2 * v),
            by(derivative, squares, centred, variance, why="Along v the factor 1/(sigma + eps) is lowered by sigma/(sigma + eps)^2."),
            label="along v",
        ),
        Claim(
            Lt(eps / (sigma + eps) ** 2, 1 / eps),
            Gap((q + 2 * sigma * eps) / (eps * (sigma + eps) ** 2), why="(sigma + eps)^2 exceeds eps^2 by q + 2 sigma eps."),
            label="the bound along v",
        ),
    ),
    points=(at(z=(1, -1, 1, -1), eps=1),),
    near_misses=(
        NearMiss(
            Le(1 / (sigma + eps), 1 / sqrt(eps)),
            why="Across v this input, with sigma = eps/4, is stretched by 4/(5 eps), which is more than 1/sqrt(eps) if eps < 16/25.",
            given=(positive(eps), Components("z", COORDINATES, (eps / 4, -eps / 4, eps / 4, -eps / 4))),
        ),
        NearMiss(Eq(jacobian(outside, z), (P - outer(v, v) / (d * (q + eps))) / (sigma + eps)), why="The root is that of q alone."),
    ),
)
