"""How roundings gather: k factors between 1 - e and 1 + e make one between 1 - ke/(1 - ke) and 1 + ke/(1 - ke)."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at
from lnsym.kernel.terms import Term
from lnsym.lang import Le, nonnegative, positive, symbols

k, e = symbols("k e")  # the number of roundings so far, and the unit roundoff


def gathered(number: Term) -> Term:
    """The bound for the relative error after so many roundings."""
    bound: Term = number * e / (1 - number * e)
    return bound


SPARE = (k + 1) * e**2 / (1 - k * e) / (1 - (k + 1) * e)

THEOREM = Derivation(
    title="With g(k) = k e/(1 - k e), one more rounding leads from within 1 - g(k) and 1 + g(k) to within 1 - g(k + 1) and 1 + g(k + 1).",
    catalogue="T100",
    given=(nonnegative(k), positive(1 - k * e), positive(1 - (k + 1) * e)),
    claims=(
        Claim(
            Le((1 + gathered(k)) * (1 + e), 1 + gathered(k + 1)),
            Gap(SPARE, why="1 + g(k) is 1/(1 - k e), and (1 + e) (1 - (k + 1) e) is less than 1 - k e by (k + 1) e^2."),
            label="from above",
        ),
        Claim(
            Le(1 - gathered(k + 1), (1 - gathered(k)) * (1 - e)),
            Gap(SPARE + 2 * k * e**2 / (1 - k * e), why="The same, with twice g(k) e to spare."),
            label="from below",
        ),
    ),
    points=(at(k=3, e="1/8"), at(k=0, e="1/2")),
    near_misses=(
        NearMiss(Le((1 + k * e) * (1 + e), 1 + (k + 1) * e), why="Without the denominator the product of two errors is forgotten."),
        NearMiss(Le((1 + gathered(k)) * (1 + e), 1 + gathered(k)), why="Another rounding needs another bound."),
    ),
    leans_on=("standard model of floating-point arithmetic",),
    note="By induction over the operations, a value that went through k of them is the exact one times 1 + x with |x| <= g(k).",
)
