"""A gain stretches no vector by more than its largest absolute entry, and some vector by just that."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, algebra, at, by, squares
from lnsym.kernel.terms import Array, hole
from lnsym.lang import Eq, Le, delta, diag, i, k, nonnegative, norm, sum_over

from ..definitions import c, gamma, h

E_K = Array((hole(1),), delta(hole(1), k))
DEFECT = sum_over(i, (c**2 - gamma[i] ** 2) * h[i] ** 2)

THEOREM = Derivation(
    title="If |gamma_i| <= c for every i, then |gamma h| <= c |h|; so diag(gamma) has the operator norm max|gamma_i|.",
    catalogue="S35",
    cites=("000 ¶4", "004 ¶12"),
    claims=(
        Claim(
            Le(norm(gamma * h), c * norm(h)),
            Gap(DEFECT, why="c^2 |h|^2 - |gamma h|^2 is the sum of (c^2 - gamma_i^2) h_i^2.", squared=True),
            given=(nonnegative(c), nonnegative(c**2 - gamma[i] ** 2)),
        ),
        Claim(Eq(diag(gamma)(h), gamma * h), by(algebra, why="The diagonal matrix multiplies coordinate by coordinate.")),
        Claim(Eq(norm(E_K), 1), by(algebra, why="A coordinate direction has norm 1.")),
        Claim(
            Eq(norm(gamma * E_K) ** 2, gamma[k] ** 2),
            by(squares, why="Along coordinate k the stretch is |gamma_k|, so the maximum is attained."),
        ),
    ),
    points=(at(gamma=(1, -3, 2), h=(1, 1, 1), c=3),),
    near_misses=(
        NearMiss(Le(norm(gamma * h), c * norm(h)), given=(nonnegative(c),), why="c must bound the size of every gain."),
        NearMiss(
            Le(norm(gamma * h), c * norm(h)), given=(nonnegative(c), nonnegative(c - gamma[i])), why="Negative gains count by their size."
        ),
    ),
)
