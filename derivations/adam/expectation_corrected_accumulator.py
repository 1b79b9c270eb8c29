"""The expected corrected moment is the weighted mean of the expected gradients: unbiased when these are all equal."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, by, chain, given, theorem
from lnsym.lang import STEPS, Eq, Lt, Power, expectation, nonnegative, ones, sqrt

from ..definitions import c, t
from . import accumulated, beta1, beta2, corrected, expected, g, later

STATIONARY, STATIONARY_SQUARES = Eq(expected(g), c), Eq(expected(g**2), c)
WEIGHTS = (theorem("accumulator_weights_eq"), theorem("accumulator_weights_pos"))


THEOREM = Derivation(
    title="The expected corrected moment is the weighted mean of the expected gradients: unbiased when these are all equal.",
    catalogue="S50",
    cites=("004 ¶5",),
    given=(nonnegative(beta1), Lt(beta1, 1), nonnegative(beta2), Lt(beta2, 1)),
    claims=(
        Claim(
            Eq(expectation(accumulated(g), g), accumulated(expected(g))),
            by(algebra, why="Expectation is linear; no independence is needed."),
            label="the accumulator",
        ),
        Claim(
            Eq(expectation(corrected(g), g), c),
            chain(expectation(corrected(g), g))
            .to(
                c * accumulated(ones(STEPS), shift=1) / (1 - Power(beta1, t, 1)),
                by=(theorem("geometric_expectation_of_stationary"), theorem("accumulator_weights_pos"), given),
                why="Expectation is linear, and every expected gradient is c.",
            )
            .to(c, by=WEIGHTS, why="The weights sum to just what one divides by."),
            given=(STATIONARY,),
            label="every expected gradient is c: the first moment is unbiased after every step",
        ),
        Claim(
            Eq(expectation(corrected(g**2, beta2), g), c),
            chain(expectation(corrected(g**2, beta2), g))
            .to(
                c * accumulated(ones(STEPS), beta2, 1) / (1 - Power(beta2, t, 1)),
                by=(theorem("geometric_expectation_of_stationary"), theorem("accumulator_weights_pos"), given),
                why="The same for the squares.",
            )
            .to(c, by=WEIGHTS, why="The weights sum to just what one divides by."),
            given=(STATIONARY_SQUARES,),
            label="every expected square is c: so is the second moment",
        ),
        Claim(
            Eq(expectation(corrected(g), g) - c, corrected(expected(g) - c)),
            by(*WEIGHTS, why="The corrected weights sum to 1, so c may be taken off each expected gradient."),
            label="in general: the distance from c is the weighted mean of the distances",
        ),
        Claim(
            Eq(expectation(corrected(g**2, beta2), g) - c, corrected(expected(g**2) - c, beta2)),
            by(*WEIGHTS, why="The same for the squares."),
            label="and for the second moment",
        ),
    ),
    # g has its first value with probability 1/3 and its second, g#2, with probability 2/3, so that each expected gradient is 1
    points=(at(None, g=(1, 0, 2), t=2, beta1="1/2", beta2="3/4", c=1, **{"g#2": (1, "3/2", "1/2")}),),
    near_misses=(
        NearMiss(
            Eq(expectation(accumulated(g, shift=1), g), c),
            given=(nonnegative(beta1), Lt(beta1, 1), nonnegative(beta2), Lt(beta2, 1), STATIONARY),
            why="Uncorrected, the weights sum to less than 1, and the zero at the start pulls the mean down.",
        ),
        NearMiss(
            Eq(expectation(corrected(g), g), expectation(g[later(1)], g)),
            why="If the expected gradients differ, the older ones still count.",
        ),
        NearMiss(
            Eq(expectation(g[later(1)] ** 2, g), expectation(g[later(1)], g) ** 2), why="The second moment is not the square of the first."
        ),
        NearMiss(
            Eq(expectation(sqrt(g[later(1)] ** 2), g), sqrt(expectation(g[later(1)] ** 2, g))),
            why="Unbiased moments do not make the step unbiased: a root does not pass through an expectation.",
        ),
    ),
)
