"""For the gain (1, 2, 3) the bound max|gamma| = 3 is not sharp: centred vectors are stretched by at most sqrt(7)."""

from lnsym.derivation import Claim, Derivation, Example, Gap, NearMiss, at
from lnsym.kernel.terms import COORDINATES, Components, Index, lift
from lnsym.lang import Eq, Le, Lt, P, dot, mean, nonnegative, norm, positive, total

from ..definitions import c, eps, gamma, h, w

ONE, TWO = Index("1"), Index("2")

THEOREM = Derivation(
    title="For the gain (1, 2, 3) and any direction h: |gamma (Ph)|^2 <= 7 |h|^2, less than max|gamma|^2 |h|^2 = 9 |h|^2.",
    catalogue=("S35", "N09"),
    cites=("000 ¶4", "004 ¶12"),
    given=(Components("gamma", COORDINATES, (lift(1), lift(2), lift(3))),),
    claims=(
        Claim(
            Le(norm(gamma * P(h)) ** 2, 7 * norm(h) ** 2),
            Gap(
                21 * mean(h) ** 2 + (2 * P(h)[ONE] - P(h)[TWO]) ** 2,
                why="On centred x = Ph, where x_3 = -x_1 - x_2, the defect 6 x_1^2 + 3 x_2^2 - 2 x_3^2 is (2 x_1 - x_2)^2.",
            ),
        ),
        Claim(
            Lt(norm(gamma * P(h)) ** 2, 9 * norm(h) ** 2),
            Gap(
                2 * c + 21 * mean(h) ** 2 + (2 * P(h)[ONE] - P(h)[TWO]) ** 2,
                why="9 = 7 + 2: the factor max|gamma| is not reached.",
            ),
            given=(Eq(dot(h, h), c), positive(c)),
            label="max|gamma| is not sharp: for |h|^2 = c > 0",
        ),
        Claim(
            Le(dot(gamma * w, gamma * w), 7 * dot(h, h) / eps),
            Gap(
                (2 * w[ONE] - w[TWO]) ** 2 + 7 * (dot(h, h) / eps - dot(w, w)),
                why="The gain stretches the centred w by at most sqrt(7), and |w| is at most |h|/sqrt(eps).",
            ),
            given=(positive(eps), Eq(total(w), 0), nonnegative(dot(h, h) / eps - dot(w, w))),
            label="the full output: J h, and also u - u' for h = z - z', is such a w",
        ),
        Example(
            (Eq(norm(gamma * P(h)) ** 2, 98), Eq(7 * norm(h) ** 2, 98)),
            at(gamma=(1, 2, 3), h=(1, 2, -3)),
            why="sqrt(7) is attained at the centred direction (1, 2, -3).",
        ),
    ),
    points=(at(gamma=(1, 2, 3), h=(1, 0, 0), w=(1, -1, 0), eps="1/3", c=1, value="17/9"),),
    near_misses=(
        NearMiss(Le(9 * norm(h) ** 2, norm(gamma * P(h)) ** 2), why="The direction e_3 that the gain stretches by 3 is not centred."),
        NearMiss(Le(norm(gamma * P(h)) ** 2, 6 * norm(h) ** 2), why="7 is attained at (1, 2, -3)."),
    ),
)
