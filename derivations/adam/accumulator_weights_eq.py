"""The weights of the accumulator sum to 1 - beta^t."""

from lnsym.derivation import Claim, Derivation, Induction, NearMiss, at
from lnsym.kernel.terms import STEPS, Power
from lnsym.lang import Eq, ones

from ..definitions import t
from . import accumulated, beta1, beta2

one = ones(STEPS)
STEP = "No weight at t = 0; a step multiplies the sum by beta and adds 1 - beta: beta(1 - beta^t) + 1 - beta = 1 - beta^(t+1)."

THEOREM = Derivation(
    title="The weights of the accumulator sum to 1 - beta^t.",
    catalogue="S50",
    cites=("004 ¶5",),
    claims=(
        Claim(Eq(accumulated(one), 1 - Power(beta1, t)), Induction(t, why=STEP), label="first moment"),
        Claim(Eq(accumulated(one, beta2), 1 - Power(beta2, t)), Induction(t, why=STEP), label="second moment"),
    ),
    points=(at(t=2, beta1="1/2", T=2, value="3/4"),),
    near_misses=(
        NearMiss(Eq(accumulated(one), 1), why="The weights fall short of 1 by beta^t, the share of the zero at the start."),
        NearMiss(Eq(accumulated(one), 1 - Power(beta1, t, 1)), why="After t steps the exponent is t."),
    ),
)
