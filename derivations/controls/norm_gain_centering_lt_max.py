"""For the gain (1, 2, 3) the bound max|gamma| is not sharp: |gamma P h|^2 <= 7 |h|^2, and 7 < 9."""

from lnsym.derivation import Claim, Derivation, Example, Gap, NearMiss, at
from lnsym.kernel.terms import COORDINATES, Components, Index, lift
from lnsym.lang import Eq, Le, Lt, P, fraction, norm, total

from ..definitions import gamma, h

h1, h2, h3 = (h[Index(str(k))] for k in (1, 2, 3))
stretched = norm(gamma * P(h)) ** 2

THEOREM = Derivation(
    title="For the gain (1, 2, 3) the bound max|gamma| is not sharp: the norm of gamma P is sqrt(7) < 3.",
    catalogue="N09",
    given=(Components("gamma", COORDINATES, (lift(1), lift(2), lift(3))),),
    claims=(
        Claim(
            Le(stretched, 7 * norm(h) ** 2),
            Gap(
                fraction(7, 3) * total(h) ** 2 + fraction(1, 9) * (-5 * h1 + 4 * h2 + h3) ** 2,
                why="7|h|^2 - |gamma P h|^2 is a sum of two squares.",
            ),
        ),
        Example((Eq(stretched, 7 * norm(h) ** 2),), at(h=(-1, -2, 3), gamma=(1, 2, 3)), why="Both squares vanish: 7 is sharp."),
    ),
    points=(at(h=(-1, -2, 3), gamma=(1, 2, 3), value=98),),
    near_misses=(
        NearMiss(Eq(stretched, 9 * norm(h) ** 2), why="9 = max(gamma)^2 is reached by the third unit vector alone, and P moves it."),
        NearMiss(Le(stretched, 6 * norm(h) ** 2), why="7 is the least bound: (-1, -2, 3) attains it."),
        NearMiss(Lt(stretched, 7 * norm(h) ** 2), why="Not strict: h = 0 and (-1, -2, 3) give equality."),
    ),
)
