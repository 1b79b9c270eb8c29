"""Learned gain and bias keep the cases apart: the output of a case depends on that case alone."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, chain, count, derivative, squares
from lnsym.kernel.terms import ROWS, Index
from lnsym.lang import D, Eq, core, delta, i, j, m, n, positive

from ..definitions import beta, eps, gamma
from . import X, core_jacobian, row

FIRST, SECOND = Index("1", ROWS), Index("2", ROWS)
output = gamma[i] * core(row(n))[i] + beta[i]

THEOREM = Derivation(
    title="With learned gain and bias the output of a case still depends on that case alone.",
    catalogue=("S42", "S47"),
    cites=("004 ¶6",),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(D(output, X[m, j]), delta(n, m) * gamma[i] * core_jacobian(row(n))[i, j]),
            chain(D(output, X[m, j]))
            .to(gamma[i] * D(core(row(n))[i], X[m, j]), by=derivative, why="gamma and beta do not depend on the batch.")
            .to(
                delta(n, m) * gamma[i] * core_jacobian(row(n))[i, j],
                by=(derivative, squares, count),
                why="The core of case n moves with case n alone.",
            ),
        ),
        Claim(
            Eq(D(gamma[i] * core(row(FIRST))[i] + beta[i], X[SECOND, j]), 0),
            by(derivative, why="No entry of case 2 occurs in the output of case 1."),
            label="another case",
        ),
    ),
    points=(at(X=((2, 6), (-100, 100)), gamma=(1, 2), beta=(0, 1), eps=1),),
    near_misses=(
        NearMiss(Eq(D(output, X[m, j]), delta(n, m) * core_jacobian(row(n))[i, j]), why="The gain multiplies each row of the block."),
    ),
)
