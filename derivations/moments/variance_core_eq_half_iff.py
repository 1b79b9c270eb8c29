"""The core's variance is 1/2 exactly if q = eps."""

from lnsym.derivation import Claim, Derivation, Iff, NearMiss, OnlyIf, at, by, given, unfold
from lnsym.lang import Eq, Le, Lt, fraction, positive

from ..definitions import eps, q, rho

HALF, BALANCE = Eq(rho, fraction(1, 2)), Eq(q, eps)

THEOREM = Derivation(
    title="rho = 1/2 if and only if q = eps.",
    catalogue="S07",
    cites=("000 ¶2", "004 ¶10"),
    given=(positive(eps),),
    claims=(
        Iff(
            left=(HALF,),
            right=(BALANCE,),
            forward=(Claim(BALANCE, OnlyIf(HALF, 1 / (2 * (q + eps)), why="rho - 1/2 is (q - eps)/(2 (q + eps)).")),),
            backward=(Claim(HALF, by(given, unfold(rho), why="eps/(eps + eps) is 1/2.")),),
        ),
    ),
    points=(at(z=(0, 2), eps=1),),
    near_misses=(
        NearMiss(Eq(rho, fraction(1, 2)), why="It is 1/2 only where q = eps: less for smaller q, more for larger."),
        NearMiss(Lt(rho, fraction(1, 2)), given=(positive(eps), Le(eps, q)), why="From q = eps on the variance is at least 1/2."),
    ),
)
