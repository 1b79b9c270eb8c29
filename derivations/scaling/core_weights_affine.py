"""The 2016 invariance under W' = delta W + 1 gamma^T holds without eps and for delta > 0; eps > 0 qualifies it."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, by, count, given
from lnsym.kernel.terms import INPUTS
from lnsym.lang import Eq, core, dot, matrix, nonzero, one, outer, positive, symbols, var, vector

from ..definitions import eps

(delta,) = symbols("delta")
W, x, p = matrix("W", columns=INPUTS), vector("x", INPUTS), vector("p", INPUTS)
SCALED, TURNED = delta * W + outer(one, p), -delta * W + outer(one, p)

THEOREM = Derivation(
    title="For delta > 0 the weights delta W + 1 p^T give the core of Wx with eps/delta^2 for eps; at eps = 0 this is the core of Wx.",
    catalogue="S25",
    cites=("000 ¶3", "004 ¶11"),
    given=(positive(delta),),
    claims=(
        Claim(
            Eq(SCALED(x), delta * W(x) + dot(p, x)),
            by(algebra, why="The added rows are equal, so they add one scalar, p^T x, to every coordinate."),
        ),
        Claim(
            Eq(core(SCALED(x)), core(W(x), eps / delta**2)),
            by(count, why="The core removes the common shift p^T x, and delta > 0 moves into eps."),
            given=(positive(eps),),
        ),
        Claim(
            Eq(core(SCALED(x), 0), core(W(x), 0)),
            by(given, count, why="Without eps nothing remembers delta > 0: the rule of 2016."),
            given=(positive(var(W(x))),),
            label="without eps, where the core is defined",
        ),
        Claim(
            Eq(core(TURNED(x), 0), -core(W(x), 0)),
            by(given, count, why="A negative factor turns the core around."),
            given=(positive(var(W(x))),),
            label="-delta in place of delta, without eps",
        ),
        Claim(
            Eq(core(TURNED(x)), -core(W(x), eps / delta**2)),
            by(count, why="The square under the root loses the sign, the numerator keeps it."),
            given=(positive(eps),),
            label="-delta in place of delta, with eps",
        ),
    ),
    points=(at(W=((1, 0), (0, 1), (1, 1)), x=(1, 2), p=(1, -2), delta=2, eps="1/3"),),
    near_misses=(
        NearMiss(
            Eq(core(SCALED(x)), core(W(x))),
            given=(positive(eps), positive(delta)),
            why="The 2016 rule for the formula with eps: off unless delta = 1.",
        ),
        NearMiss(
            Eq(core(SCALED(x), 0), core(W(x), 0)),
            given=(nonzero(delta),),
            why="A negative delta turns the core around, even without eps.",
        ),
    ),
)
