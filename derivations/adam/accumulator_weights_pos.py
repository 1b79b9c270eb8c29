"""After the first step the weights of the accumulator have a positive sum, so that one may divide by 1 - beta^t."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at, chain, theorem
from lnsym.kernel.terms import STEPS, Power, Sym, lift
from lnsym.lang import Eq, Lt, geometric, nonnegative, ones

from ..definitions import t
from . import accumulated, beta1, beta2

one = ones(STEPS)


def claims(base: Sym) -> tuple[Claim, ...]:
    """What is said of each of the two accumulators."""
    last_and_earlier = (1 - base) * (base * geometric(base, t, one) + 1)
    within, divisor = (nonnegative(base), Lt(base, 1)), 1 - Power(base, t, 1)
    return (
        Claim(
            Lt(0, accumulated(one, base, 1)),
            Gap(last_and_earlier, why="The last weight is 1 - beta > 0, and the earlier ones are not negative."),
            given=within,
            label=f"the weights, {base.name}",
        ),
        Claim(
            Lt(0, divisor),
            chain(lift(0)).at_most(
                divisor,
                gap=last_and_earlier,
                by=theorem("accumulator_weights_eq"),
                strict=True,
                why="The divisor is the sum of the weights.",
            ),
            given=within,
            label=f"the divisor, {base.name}",
        ),
    )


THEOREM = Derivation(
    title="After the first step the weights have a positive sum, so that one may divide by 1 - beta^t.",
    catalogue="S50",
    cites=("004 ¶5",),
    claims=(*claims(beta1), *claims(beta2)),
    points=(at(t=1, beta1="1/2", T=2, value=0),),
    near_misses=(
        NearMiss(Lt(0, accumulated(one)), why="Before the first step there is no weight.", given=(nonnegative(beta1), Lt(beta1, 1))),
        NearMiss(Lt(0, 1 - Power(beta1, t, 1)), why="With beta = 1 nothing new is ever added.", given=(nonnegative(beta1),)),
        NearMiss(Eq(1 - Power(beta1, t, 1), 1), why="Only beta = 0 forgets at once.", given=(nonnegative(beta1), Lt(beta1, 1))),
    ),
)
