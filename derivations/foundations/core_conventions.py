"""Each choice of the convention is visible in numbers: eps under the root, divisor d, gain and bias for each coordinate."""

from fractions import Fraction

from lnsym.derivation import Derivation, Example, NearMiss, at, entries
from lnsym.lang import Eq, Ne, at_least, fraction, positive, sqrt, total

from ..definitions import d, eps, q, s, sigma, u, v, y

POINT = at(z=(1, 2, 3), eps="1/3")
sample_variance = total(v**2) / (d - 1)

THEOREM = Derivation(
    title="The convention at (1, 2, 3): eps under the root, divisor d, gain and bias coordinate by coordinate.",
    catalogue="S03",
    cites=("000 ¶1", "004 ¶9", "004 ¶14"),
    claims=(
        Example((Eq(q, fraction(2, 3)), Eq(s, 1), *entries(u, (-1, 0, 1))), POINT, why="The book's convention."),
        Example(
            (
                *entries(v / (sigma + eps), tuple(x / (sqrt(fraction(2, 3)) + Fraction(1, 3)) for x in (-1, 0, 1))),
                Ne((sigma + eps) ** 2, s**2),
            ),
            POINT,
            why="eps added after the root gives other numbers.",
        ),
        Example(
            (Eq(sample_variance, 1), *entries(v / sqrt(sample_variance + eps), (-sqrt(3) / 2, 0, sqrt(3) / 2))),
            POINT,
            why="The divisor d - 1 gives other numbers.",
        ),
        Example(
            entries(y, (-1, 1, 4)),
            at(z=(1, 2, 3), eps="1/3", gamma=(2, 3, 4), beta=(1, 1, 0)),
            why="Gain and bias act on each coordinate by itself: y_i = gamma_i u_i + beta_i.",
        ),
    ),
    near_misses=(
        NearMiss(Eq(v / (sigma + eps), u), given=(positive(eps),), why="eps after the root is another function."),
        NearMiss(Eq(sample_variance, q), given=(at_least(d, 2),), why="The divisor d - 1 gives a larger variance, unless both are 0."),
    ),
    note="A convention is chosen, not proved; what can be checked is that each choice makes a difference.",
)
