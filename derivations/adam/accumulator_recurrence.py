"""Adam's accumulator is (1 - beta) times the sum of beta^(t - i) g_i: it remembers every gradient and their order."""

from lnsym.derivation import Claim, Derivation, Example, NearMiss, algebra, at, by
from lnsym.kernel.terms import Power, Sym
from lnsym.lang import Eq, fraction, geometric, mean

from . import accumulated, beta1, beta2, corrected, g, later

earlier_first = beta1**2 * accumulated(g) + (1 - beta1) * (beta1 * g[later(1)] + g[later(2)])
later_first = beta1**2 * accumulated(g) + (1 - beta1) * (beta1 * g[later(2)] + g[later(1)])
steps = Sym("T")

THEOREM = Derivation(
    title="Adam's accumulator is (1 - beta) times the sum of beta^(t - i) g_i: every gradient counts, and their order.",
    catalogue="S49",
    cites=("004 ¶5",),
    claims=(
        Claim(
            Eq(accumulated(g, shift=1), beta1 * accumulated(g) + (1 - beta1) * g[later(1)]),
            by(algebra, why="The old sum, each weight times beta1 once more, and the new gradient with weight 1."),
            label="first moment",
        ),
        Claim(
            Eq(accumulated(g**2, beta2, 1), beta2 * accumulated(g**2, beta2) + (1 - beta2) * g[later(1)] ** 2),
            by(algebra, why="The same for the squares of the gradients."),
            label="second moment",
        ),
        Claim(
            Eq(accumulated(g, shift=2), earlier_first),
            by(algebra, why="Two steps: the weights fall by the factor beta1 with age."),
            label="two steps",
        ),
        Claim(
            Eq(earlier_first - later_first, (1 - beta1) ** 2 * (g[later(2)] - g[later(1)])),
            by(algebra, why="Exchanging two gradients changes the state, unless they are equal or beta1 = 1."),
            label="order",
        ),
        Example((Eq(accumulated(g), 0),), at(g=(1, 0), t=0, beta1="1/2"), why="The state starts at 0."),
        Example(
            (Eq(accumulated(g), fraction(1, 4)), Eq(corrected(g, shift=0), fraction(1, 3))),
            at(g=(1, 0), t=2, beta1="1/2"),
            why="Gradient 1 first, then 0.",
        ),
        Example(
            (Eq(accumulated(g), fraction(1, 2)), Eq(corrected(g, shift=0), fraction(2, 3))),
            at(g=(0, 1), t=2, beta1="1/2"),
            why="The same gradients in the other order.",
        ),
    ),
    points=(at(g=(1, 0, 2), t=2, beta1="1/2", value="9/8"),),
    near_misses=(
        NearMiss(Eq(accumulated(g, shift=1), (1 - beta1) * g[later(1)]), why="The state is not a function of the last gradient alone."),
        NearMiss(
            Eq((1 - beta1) * geometric(beta1, steps, g), (1 - Power(beta1, steps)) * mean(g)),
            why="Nor of the mean of the gradients: recent ones weigh more.",
        ),
        NearMiss(Eq(accumulated(g, shift=1), beta1 * accumulated(g) + g[later(1)]), why="The new gradient has weight 1 - beta1."),
        NearMiss(Eq(earlier_first, later_first), why="The order of two gradients matters."),
    ),
)
