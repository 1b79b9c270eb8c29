"""If every expected gradient is c, the weighted sum of the expected gradients is c times the sum of the weights."""

from lnsym.derivation import Claim, Derivation, Induction, NearMiss
from lnsym.lang import STEPS, Eq, geometric, ones

from ..definitions import c, t
from . import beta1, beta2, expected, g

STEP = "At t = 0 both sums are empty; a step multiplies each by beta and adds the same number c."

THEOREM = Derivation(
    title="If every expected gradient is c, the sum of beta^(t - i) E g_i is c times the sum of beta^(t - i).",
    catalogue="S50",
    cites=("004 ¶5",),
    claims=(
        Claim(
            Eq(geometric(beta1, t, expected(g)), c * geometric(beta1, t, ones(STEPS))),
            Induction(t, why=STEP),
            given=(Eq(expected(g), c),),
            label="first moment",
        ),
        Claim(
            Eq(geometric(beta2, t, expected(g**2)), c * geometric(beta2, t, ones(STEPS))),
            Induction(t, why=STEP),
            given=(Eq(expected(g**2), c),),
            label="second moment: every expected square is c",
        ),
    ),
    near_misses=(
        NearMiss(Eq(geometric(beta1, t, expected(g)), c * geometric(beta1, t, ones(STEPS))), why="Only if every expected gradient is c."),
    ),
)
