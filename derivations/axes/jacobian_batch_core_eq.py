"""In a batch the core of a case depends on that case alone: the Jacobian is block diagonal."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, count, derivative, squares
from lnsym.kernel.terms import ROWS, Index
from lnsym.lang import D, Eq, core, delta, i, j, m, n, positive

from ..definitions import eps
from . import X, core_jacobian, row

FIRST, SECOND = Index("1", ROWS), Index("2", ROWS)

THEOREM = Derivation(
    title="In a batch the core of a case depends on that case alone: the Jacobian is block diagonal.",
    catalogue="S42",
    cites=("004 ¶1", "004 ¶2", "004 ¶6"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(D(core(row(n))[i], X[m, j]), delta(n, m) * core_jacobian(row(n))[i, j]),
            by(derivative, squares, count, why="Moving X_mj moves the entries of row n only if m = n, by the Jacobian of one case."),
            label="one block for each case",
        ),
        Claim(
            Eq(D(core(row(FIRST))[i], X[SECOND, j]), 0),
            by(derivative, why="No entry of case 2 occurs in the mean, the variance or the deviations of case 1."),
            label="another case",
        ),
    ),
    points=(at(X=((2, 6), (-100, 100)), eps=1),),
    near_misses=(
        NearMiss(Eq(D(core(row(n))[i], X[m, j]), core_jacobian(row(n))[i, j]), why="The factor delta_nm is what keeps the cases apart."),
        NearMiss(Eq(D(core(row(FIRST))[i], X[FIRST, j]), delta(i, j)), why="Within a case the coordinates are coupled."),
    ),
)
