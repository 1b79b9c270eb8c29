"""The derivative of the output in a direction (JVP)."""

from lnsym.derivation import Claim, Derivation, NearMiss, Offer, at, by, chain, derivative, square_of_root, unfold
from lnsym.lang import Eq, dot, jacobian, mean, positive

from ..definitions import J, beta, eps, gamma, h, r, s, u, y, z

THEOREM = Derivation(
    title="In direction h the output moves by gamma r (h - mean(h) - mean(u h) u).",
    catalogue="T24",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(jacobian(y, z)(h), gamma * r * (h - mean(h) - u * mean(u * h))),
            chain(jacobian(y, z)(h))
            .to(
                gamma * J(h),
                by=(derivative, square_of_root(s)),
                why="Each coordinate of the core has its own gain; the bias does not move.",
            )
            .to(gamma * r * (h - mean(h) - u * mean(u * h)), by=(unfold(r, u), square_of_root(s)), why="P h is h - mean(h)."),
        ),
        Claim(
            Eq(jacobian(u, z)(h), r * (h - mean(h) - u * mean(u * h))),
            by(derivative, unfold(r), square_of_root(s), why="The same without the gain."),
            label="without gain",
        ),
    ),
    points=(
        at(z=(1, 2, 3), eps="1/3", h=(1, 0, 0), gamma=(1, 2, 3), beta=(0, 0, 0)),
        at(z=(1, 3), eps=3, h=(1, 2), gamma=(2, -1), beta=(1, 0)),
    ),
    near_misses=(
        NearMiss(Eq(jacobian(y, z)(h), gamma * r * (h - mean(h) - u * dot(u, h))), why="The mean of u h stands here, not the sum."),
        NearMiss(Eq(jacobian(y, z)(h), gamma * r * (h - mean(h))), why="s moves with z too."),
        NearMiss(Eq(jacobian(y, z)(h), gamma * r * (h - u * mean(u * h))), why="The mean moves with z too."),
        NearMiss(Eq(jacobian(y, z)(h), gamma * r * (h - mean(h) - u * mean(u * h)) + beta), why="The bias does not depend on z."),
        NearMiss(Eq(jacobian(y, z)(h), J(gamma * h)), why="The gain is applied after J, not before."),
    ),
    offers=(Offer("layer_norm_jvp", "dy", claim=1),),
)
