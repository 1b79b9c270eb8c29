"""The gradients of gain and bias are sums over all cases, so there the cases do meet."""

from lnsym.derivation import Claim, Derivation, NearMiss, Offer, at, by, derivative
from lnsym.kernel.terms import ROWS
from lnsym.lang import D, Eq, core, i, j, length, matrix, n, positive, sum_over

from ..definitions import beta, eps, gamma
from . import row

G = matrix("G", ROWS)  # the gradient of the loss by each output
loss = sum_over(n, sum_over(i, G[n, i] * (gamma[i] * core(row(n))[i] + beta[i])))

THEOREM = Derivation(
    title="The gradients of gain and bias are sums over all cases.",
    catalogue=("S47", "T24"),
    cites=("004 ¶6",),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(D(loss, gamma[j]), sum_over(n, G[n, j] * core(row(n))[j])),
            by(derivative, why="gamma_j occurs once in every case, beside the coordinate j of its core."),
            label="gain",
        ),
        Claim(
            Eq(D(loss, beta[j]), sum_over(n, G[n, j])),
            by(derivative, why="beta_j occurs once in every case, with factor 1."),
            label="bias",
        ),
    ),
    points=(at(X=((2, 6), (-100, 100)), G=((1, 2), (3, 4)), gamma=(1, 2), beta=(0, 1), eps=1),),
    near_misses=(
        NearMiss(
            Eq(D(loss, gamma[j]), sum_over(n, G[n, j] * core(row(n))[j]) / length(ROWS)),
            why="A sum, not a mean: a factor 1/N belongs to the loss, if anywhere.",
        ),
        NearMiss(Eq(D(loss, beta[j]), sum_over(n, G[n, j] * core(row(n))[j])), why="The bias is not multiplied by the core."),
    ),
    offers=(
        Offer("layer_norm_vjp", "dweight", claim=1, names={"X": "x", "G": "dy"}),
        Offer("layer_norm_vjp", "dbias", claim=2, names={"X": "x", "G": "dy"}),
    ),
)
