"""The derivative of a backward pass over many cases: by the gain it is a sum over the cases, by their cotangents it is not."""

from lnsym.derivation import Claim, Derivation, NearMiss, Offer, at, chain, count, derivative, squares
from lnsym.lang import ROWS, D, Eq, core, i, j, k, length, m, matrix, mean, n, positive, sqrt, sum_over, var, vector

from ..axes import X, core_jacobian, row
from ..definitions import beta, eps, gamma
from . import case

A, G = matrix("A", ROWS), matrix("G", ROWS)  # the cotangents of the gradients by the inputs, and of the outputs
K, C = vector("K"), vector("C")  # the cotangents of the gradients by gain and bias

loss = sum_over(n, sum_over(i, G[n, i] * (gamma[i] * core(row(n))[i] + beta[i])))
new_loss = sum_over(m, sum_over(k, A[m, k] * D(loss, X[m, k]))) + sum_over(k, K[k] * D(loss, gamma[k]) + C[k] * D(loss, beta[k]))
u_n, A_n = core(row(n)), case("A", n)
applied = ((A_n - mean(A_n) - u_n * mean(u_n * A_n)) / sqrt(var(row(n)) + eps))[j]  # J_n A_n as code computes it
NAMES = {"X": "x", "G": "dy", "A": "ddx", "K": "ddweight", "C": "ddbias"}

THEOREM = Derivation(
    title="In the double backward pass the cases meet in the gradient by the gain alone.",
    catalogue="T32",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(D(new_loss, gamma[j]), sum_over(n, G[n, j] * applied)),
            chain(D(new_loss, gamma[j]))
            .to(
                sum_over(n, G[n, j] * core_jacobian(row(n))(A_n)[j]),
                by=(derivative, count, squares),
                why="In every case gamma_j stands beside G_nj, before the Jacobian of that case, which is symmetric.",
            )
            .to(sum_over(n, G[n, j] * applied), by=squares, why="J_n A_n with two means."),
            label="by the gain",
        ),
        Claim(
            Eq(D(new_loss, G[n, j]), gamma[j] * applied + K[j] * u_n[j] + C[j]),
            chain(D(new_loss, G[n, j]))
            .to(
                gamma[j] * core_jacobian(row(n))(A_n)[j] + K[j] * u_n[j] + C[j],
                by=(derivative, count, squares),
                why="G_nj stands in the case n alone.",
            )
            .to(gamma[j] * applied + K[j] * u_n[j] + C[j], by=squares, why="J_n A_n with two means."),
            label="by the cotangent of an output",
        ),
    ),
    points=(at(X=((2, 6), (-100, 100)), G=((1, 2), (3, 4)), A=((1, 0), (0, 1)), K=(1, 2), C=(0, 1), gamma=(1, 2), beta=(0, 1), eps=1),),
    near_misses=(
        NearMiss(Eq(D(new_loss, gamma[j]), sum_over(n, G[n, j] * applied) / length(ROWS)), why="A sum over the cases, not a mean."),
        NearMiss(Eq(D(new_loss, gamma[j]), sum_over(n, applied)), why="The factor G was forgotten: gamma_i enters only as gamma_i G_ni."),
        NearMiss(Eq(D(new_loss, G[n, j]), applied + K[j] * u_n[j] + C[j]), why="The gain was forgotten."),
    ),
    offers=(Offer("layer_norm_vjp_vjp", "dweight", claim=1, names=NAMES),),
)
