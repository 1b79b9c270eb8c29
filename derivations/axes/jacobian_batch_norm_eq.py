"""Batch normalization is the same map on the columns: it keeps the features apart and couples the cases."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, count, derivative, squares
from lnsym.kernel.terms import Index
from lnsym.lang import D, Eq, core, delta, j, k, m, n, positive

from ..definitions import eps
from . import X, column, core_jacobian, row

FIRST, SECOND = Index("1"), Index("2")

THEOREM = Derivation(
    title="Batch normalization, the core of each column, keeps the features apart and couples the cases.",
    catalogue="S42",
    cites=("004 ¶1", "004 ¶6"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(D(core(column(j))[n], X[m, k]), delta(j, k) * core_jacobian(column(j))[n, m]),
            by(derivative, squares, count, why="The statistics run over the cases, so the Jacobian has one block for each feature."),
            label="one block for each feature",
        ),
        Claim(
            Eq(D(core(column(FIRST))[n], X[m, SECOND]), 0),
            by(derivative, why="No entry of feature 2 occurs in the statistics of feature 1."),
            label="another feature",
        ),
    ),
    points=(at(X=((2, 6), (-100, 100)), eps=1),),
    near_misses=(
        NearMiss(
            Eq(D(core(column(j))[n], X[m, k]), delta(j, k) * delta(n, m) * core_jacobian(column(j))[n, m]),
            why="Batch normalization does couple the cases: its statistics run over them.",
        ),
        NearMiss(Eq(core(column(j))[n], core(row(n))[j]), why="The axis of the statistics matters: columns are not rows."),
    ),
)
