"""The backward pass of one case (VJP): the gradients by input, gain and bias."""

from lnsym.derivation import Claim, Derivation, NearMiss, Offer, at, by, centred, chain, derivative, square_of_root, unfold
from lnsym.lang import Eq, dot, gradient, jacobian, mean, positive, total

from ..definitions import J, beta, eps, g, gamma, r, s, u, v, y, z

k = gamma * g  # the gradient by the core, where g is the gradient by the output
loss = dot(g, y)

THEOREM = Derivation(
    title="For k = gamma g the gradient by z is r (k - mean(k) - mean(k u) u); by the gain it is g u, by the bias g.",
    catalogue="T24",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(gradient(loss, z), r * (k - mean(k) - u * mean(k * u))),
            chain(gradient(loss, z))
            .to(J(k), by=(derivative, square_of_root(s)), why="J is symmetric, and the core j has gradient gamma_j g_j.")
            .to(r * (k - mean(k) - u * mean(k * u)), by=(unfold(r, u), square_of_root(s)), why="P k is k - mean(k)."),
            label="by the input",
        ),
        Claim(Eq(gradient(loss, gamma), g * u), by(derivative, why="gamma_i stands beside u_i alone."), label="by the gain"),
        Claim(Eq(gradient(loss, beta), g), by(derivative, why="beta_i stands alone."), label="by the bias"),
        Claim(
            Eq(jacobian(y, z).T(g), J(k)),
            by(derivative, square_of_root(s), why="J is symmetric: transposing moves the gain to the other side."),
            label="as J^T(gamma g)",
        ),
        Claim(
            Eq(total(r * (k - mean(k) - u * mean(k * u))), 0),
            by(centred, unfold(u), why="A common shift of z does not move the output."),
            label="the gradient by the input has sum 0",
        ),
        Claim(
            Eq(gradient(total(u), z), 0),
            by(derivative, centred, unfold(u), why="The core has sum 0 whatever z is."),
            label="the gradient of the sum of the core",
        ),
    ),
    points=(
        at(z=(1, 2, 3), eps="1/3", g=(1, 2, 3), gamma=(1, 1, 1), beta=(0, 0, 0)),
        at(z=(1, 3), eps=3, g=(1, 2), gamma=(2, -1), beta=(1, 0)),
    ),
    near_misses=(
        NearMiss(Eq(gradient(loss, z), r * (k - u * mean(k * u))), why="The mean moves with z too."),
        NearMiss(Eq(gradient(loss, z), r * (k - mean(k))), why="s moves with z too."),
        NearMiss(Eq(gradient(loss, z), r * (k - mean(k) - u * dot(k, u))), why="The mean of k u stands here, not the sum."),
        NearMiss(Eq(gradient(loss, z), gamma * r * (g - mean(g) - u * mean(g * u))), why="The gain is applied before J, not after."),
        NearMiss(Eq(gradient(loss, gamma), g * v), why="The gain multiplies the core, not the deviations."),
        NearMiss(Eq(gradient(loss, beta), g * gamma), why="The gain does not multiply the bias."),
    ),
    offers=(Offer("layer_norm_vjp", "dx", claim=1),),
)
