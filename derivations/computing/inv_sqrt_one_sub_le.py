"""Simple bounds for 1/sqrt(1 - t) and 1/sqrt(1 + t), the first with a remainder of second order."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at
from lnsym.kernel.terms import Hypothesis, Sym, Term
from lnsym.lang import Le, fraction, nonnegative, positive, sqrt, symbols

e, t = symbols("e t")


def small(x: Sym) -> tuple[Hypothesis, ...]:
    """That x is between 0 and 1/2; 1 - x > 0 is what lets us divide."""
    return nonnegative(x), nonnegative(fraction(1, 2) - x), positive(1 - x)


def spare(x: Sym) -> Term:
    """(1 + x/2 + x^2)^2 (1 - x) - 1."""
    rest = fraction(1, 2) - x
    more: Term = x**2 * (fraction(1, 2) + fraction(3, 2) * rest + x * rest / 2 + x**2 * rest)
    return more


def above(x: Sym) -> Claim:
    """1/sqrt(1 - x) from above."""
    why = "Squared: (1 + x/2 + x^2)^2 (1 - x) is 1 + 5x^2/4 - 5x^3/4 - x^5, at least 1 up to x = 1/2."
    return Claim(Le(1 / sqrt(1 - x), 1 + x / 2 + x**2), Gap(spare(x) / (1 - x), why, squared=True), given=small(x))


def below(x: Sym) -> Claim:
    """1/sqrt(1 + x) from below."""
    why = "Squared: (1 - x/2)^2 (1 + x) is 1 - 3x^2/4 + x^3/4, at most 1."
    gap = Gap(x**2 * (fraction(1, 2) + (1 - x) / 4) / (1 + x), why, squared=True)
    return Claim(Le(1 - x / 2, 1 / sqrt(1 + x)), gap, given=small(x))


THEOREM = Derivation(
    title="For 0 <= t <= 1/2: 1/sqrt(1 - t) <= 1 + t/2 + t^2 and 1/sqrt(1 + t) >= 1 - t/2.",
    catalogue="T100",
    claims=(above(t), below(t), above(e), below(e)),
    points=(at(t="3/8", e="3/8"), at(t=0, e="7/16")),
    near_misses=(
        NearMiss(Le(1 / sqrt(1 - t), 1 + t / 2), given=small(t), why="The root bends upwards: the term of second order is needed."),
        NearMiss(Le(1 - t / 2 + t**2 / 2, 1 / sqrt(1 + t)), given=small(t), why="The term of second order is 3 t^2/8."),
    ),
)
