"""The derivative of a backward pass (double backward), for one case."""

from lnsym.derivation import Claim, Derivation, Example, NearMiss, Offer, at, chain, derivative, entries, square_of_root, unfold
from lnsym.lang import D, Eq, dot, gradient, k, positive, sum_over, vector

from ..definitions import J, beta, eps, g, gamma, r, s, u, y, z
from . import jacobian_apply, second_derivative_apply

A, K, C = map(vector, "AKC")  # the gradients of a new loss by what a backward pass gives: by the gradients by input, gain and bias
loss = dot(g, y)
new_loss = sum_over(k, A[k] * D(loss, z[k]) + K[k] * D(loss, gamma[k]) + C[k] * D(loss, beta[k]))
written_out = dot(A, J(gamma * g)) + dot(K, g * u) + dot(C, g)
BACKWARD = "A backward pass gives J(gamma g), g u and g."
NAMES = {"A": "ddx", "K": "ddweight", "C": "ddbias", "g": "dy"}

THEOREM = Derivation(
    title="Double backward: with cotangents A, K, C the gradients are gamma J A + K u + C, T[A, gamma g] + J(K g) and g J A.",
    catalogue=("T32", "N07"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(gradient(new_loss, g), gamma * jacobian_apply(A) + K * u + C),
            chain(gradient(new_loss, g))
            .to(gradient(written_out, g), by=(derivative, square_of_root(s)), why=BACKWARD)
            .to(gamma * J(A) + K * u + C, by=derivative, why="J is symmetric, and g_i stands beside gamma_i, K_i u_i and C_i.")
            .to(gamma * jacobian_apply(A) + K * u + C, by=(unfold(r, u), square_of_root(s)), why="J A with two means."),
            label="by the cotangent of the output",
        ),
        Claim(
            Eq(gradient(new_loss, z), second_derivative_apply(A, gamma * g) + jacobian_apply(K * g)),
            chain(gradient(new_loss, z))
            .to(gradient(written_out, z), by=(derivative, square_of_root(s)), why=BACKWARD)
            .to(
                gradient(dot(A, J(gamma * g)), z) + J(K * g),
                by=(derivative, square_of_root(s)),
                why="The second part is a backward pass with K in place of the gain; the third does not move with z.",
            )
            .to(
                second_derivative_apply(A, gamma * g) + jacobian_apply(K * g),
                by=(derivative, unfold(r, u), square_of_root(s)),
                why="A.Jk is symmetric in all three, so its derivative by z is the second derivative in directions A and k = gamma g.",
            ),
            label="by the input",
        ),
        Claim(
            Eq(gradient(new_loss, gamma), g * jacobian_apply(A)),
            chain(gradient(new_loss, gamma))
            .to(gradient(written_out, gamma), by=(derivative, square_of_root(s)), why=BACKWARD)
            .to(g * J(A), by=derivative, why="J is symmetric, and gamma_i stands beside g_i.")
            .to(g * jacobian_apply(A), by=(unfold(r, u), square_of_root(s)), why="J A with two means."),
            label="by the gain",
        ),
        Example(
            entries(second_derivative_apply(A, gamma * g) + jacobian_apply(K * g), ("2304/3125", "-2304/3125")),
            at(z=("3/4", 0), eps="1/4", gamma=(1, 2), g=(1, 1), A=(1, 0), K=(0, 0)),
            why="At z = (t, 0) the sum of y is -t/sqrt(1 + t^2), with second derivative 3t/sqrt(1 + t^2)^5.",
        ),
    ),
    points=(
        at(z=(1, 2, 3), eps="1/3", gamma=(1, 2, 3), beta=(0, 1, 0), g=(1, 1, 0), A=(1, 0, 2), K=(0, 1, 1), C=(1, 1, 2)),
        at(z=(1, 3), eps=3, gamma=(2, -1), beta=(0, 0), g=(1, 2), A=(1, 1), K=(0, 3), C=(1, 0)),
        at(z=(0, 11, -11), eps="1/3", gamma=(1, 1, 2), beta=(0, 0, 0), g=(1, 0, 2), A=(1, 0, 0), K=(1, 1, 1), C=(0, 0, 0)),
    ),
    near_misses=(
        NearMiss(Eq(gradient(new_loss, g), jacobian_apply(A) + K * u + C), why="The gain was forgotten: g_i enters only as gamma_i g_i."),
        NearMiss(Eq(gradient(new_loss, g), jacobian_apply(gamma * A) + K * u + C), why="The gain is applied after J, not before."),
        NearMiss(Eq(gradient(new_loss, g), gamma * jacobian_apply(A) + C), why="The gradient of the gain holds g too."),
        NearMiss(Eq(gradient(new_loss, z), jacobian_apply(K * g)), why="J moves with z."),
        NearMiss(Eq(gradient(new_loss, z), second_derivative_apply(A, gamma * g)), why="The core in the gradient of the gain moves too."),
        NearMiss(
            Eq(gradient(new_loss, z), second_derivative_apply(A, g) + jacobian_apply(K * g)),
            why="The gain was forgotten: k is gamma g, not g.",
        ),
        NearMiss(Eq(gradient(new_loss, gamma), jacobian_apply(A)), why="The factor g was forgotten."),
    ),
    offers=(
        Offer("layer_norm_vjp_vjp", "ddy", claim=1, names=NAMES),
        Offer("layer_norm_vjp_vjp", "dx", claim=2, names=NAMES),
    ),
)
