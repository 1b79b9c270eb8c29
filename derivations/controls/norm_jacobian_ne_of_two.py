"""For d = 2 the Jacobian is eps r^3 P, so its norm is eps r^3 and not r."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at, by, squares, unfold
from lnsym.kernel.terms import COORDINATES, Components
from lnsym.lang import Eq, Lt, P, norm, positive

from ..definitions import J, a, d, eps, q, r, s, t, v

EVERY_PAIR = Components("z", COORDINATES, (a - t, a + t))  # a is the mean, t^2 the variance

THEOREM = Derivation(
    title="For d = 2 the Jacobian is eps r^3 P: its norm is eps r^3, not r.",
    catalogue="N08",
    given=(EVERY_PAIR, positive(eps)),
    claims=(
        Claim(
            Eq(J, eps * r**3 * P),
            by(squares, unfold(r, s), why="All centred vectors are multiples of v."),
        ),
        Claim(
            Lt(eps * r**3, r),
            Gap(q * r**3, why="r - eps r^3 = q r^3, which is positive away from constant inputs."),
            given=(positive(t),),
            label="smaller than r",
        ),
    ),
    points=(at(z=(1, 3), a=2, t=1, eps=3),),
    near_misses=(
        NearMiss(Eq(norm(J(v)), r * norm(v)), why="r is the eigenvalue across v, and for d = 2 there is nothing across v."),
        NearMiss(Eq(J, r * P), why="Right at constant inputs only."),
        NearMiss(Eq(J, eps * r**3 * P), why="For d = 3 there are vectors across v, with eigenvalue r.", given=(Eq(d, 3), positive(eps))),
    ),
)
