"""The curve is inverted by t = sqrt(eps) a/sqrt(1 - 2 a^2/3) for a^2 < 3/2."""

from lnsym.derivation import Calculus, Claim, Derivation, NearMiss, algebra, at, by, chain, squares
from lnsym.kernel.terms import Term
from lnsym.lang import Eq, positive, sqrt

from ..definitions import a, eps, t
from . import curve, radicand


def inverse(value: Term) -> Term:
    """The place at which the curve has the value."""
    place: Term = sqrt(eps) * value / sqrt(1 - 2 * value**2 / 3)
    return place


THEOREM = Derivation(
    title="The curve takes every value a with a^2 < 3/2 once, at t = sqrt(eps) a/sqrt(1 - 2a^2/3).",
    catalogue="S41",
    cites=("000 ¶5", "004 ¶13"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(curve(inverse(a)), a),
            by(squares, why="2t^2/3 + eps is eps/(1 - 2a^2/3) there, so its root cancels against that of t."),
            given=(positive(1 - 2 * a**2 / 3),),
            label="value at the inverse",
        ),
        Claim(
            Eq(inverse(curve()), t),
            chain(inverse(curve()))
            .to(sqrt(eps) * curve() / (sqrt(eps) / sqrt(radicand())), by=squares, why="1 - 2h^2/3 = eps/(2t^2/3 + eps).")
            .to(t, by=algebra, why="Both roots cancel."),
            label="inverse at the value",
        ),
        Claim(None, Calculus("h_inverse", why="Solved for t."), label="by calculus"),
    ),
    points=(at(a=1, eps="1/3"),),
    near_misses=(
        NearMiss(
            Eq(curve(a / sqrt(1 - 2 * a**2 / 3)), a),
            why="sqrt(eps) sets the scale of t.",
            given=(positive(eps), positive(1 - 2 * a**2 / 3)),
        ),
        NearMiss(Eq(inverse(t), curve()), why="The inverse is not the curve.", given=(positive(eps), positive(1 - 2 * t**2 / 3))),
    ),
)
