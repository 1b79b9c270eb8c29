"""With a constant gradient the corrected moments are that gradient and its square, after every step."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, chain, theorem
from lnsym.kernel.terms import STEPS, Power
from lnsym.lang import Eq, Lt, nonnegative, ones

from ..definitions import c, t
from . import accumulated, beta1, beta2, corrected

one = ones(STEPS)

THEOREM = Derivation(
    title="With a constant gradient the corrected moments are that gradient and its square, after every step.",
    catalogue="S50",
    cites=("004 ¶5",),
    given=(nonnegative(beta1), Lt(beta1, 1), nonnegative(beta2), Lt(beta2, 1)),
    claims=(
        Claim(
            Eq(corrected(c * one), c),
            chain(corrected(c * one))
            .to(c * accumulated(one, shift=1) / (1 - Power(beta1, t, 1)), by=algebra, why="The constant leaves the sum.")
            .to(
                c,
                by=(theorem("accumulator_weights_eq"), theorem("accumulator_weights_pos")),
                why="The weights sum to just what one divides by.",
            ),
            label="first moment",
        ),
        Claim(
            Eq(corrected(c**2 * one, beta2), c**2),
            chain(corrected(c**2 * one, beta2))
            .to(c**2 * accumulated(one, beta2, 1) / (1 - Power(beta2, t, 1)), by=algebra, why="The constant leaves the sum.")
            .to(
                c**2,
                by=(theorem("accumulator_weights_eq"), theorem("accumulator_weights_pos")),
                why="The weights sum to just what one divides by.",
            ),
            label="second moment",
        ),
    ),
    points=(at(c=5, t=1, beta1="1/2", beta2="3/4", T=2, value=5),),
    near_misses=(
        NearMiss(Eq(accumulated(c * one, shift=1), c), why="Uncorrected, the moment is too small by the factor 1 - beta^(t+1)."),
        NearMiss(Eq(accumulated(c * one, shift=1) / (1 - Power(beta1, t)), c), why="The exponent is the number of steps made."),
        NearMiss(Eq(accumulated(c * one, shift=1) / (1 - beta1), c), why="Dividing by 1 - beta is right after the first step only."),
    ),
)
