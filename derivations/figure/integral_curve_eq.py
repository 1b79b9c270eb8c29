"""The area under the curve from 0 to t is (3/2)(sqrt(2 t^2/3 + eps) - sqrt(eps))."""

from lnsym.derivation import Calculus, Claim, Derivation, NearMiss, algebra, at, by, chain, derivative, given
from lnsym.lang import D, Eq, fraction, positive, sqrt

from ..definitions import eps, t
from . import curve, radicand

area = fraction(3, 2) * (sqrt(radicand()) - sqrt(eps))

THEOREM = Derivation(
    title="The area under the curve from 0 to t is (3/2)(sqrt(2t^2/3 + eps) - sqrt(eps)).",
    catalogue="S41",
    cites=("000 ¶5", "004 ¶13"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(D(area, t), curve()),
            chain(D(area, t))
            .to(
                fraction(3, 2) * (2 * t / (3 * sqrt(radicand()))),
                by=derivative,
                why="The root's slope is 2t/3 over the root; sqrt(eps) does not move.",
            )
            .to(curve(), by=algebra, why="3/2 and 2/3 cancel."),
            label="its slope is the curve",
        ),
        Claim(Eq(area, 0), by(given, why="At t = 0 the two roots are equal."), given=(Eq(t, 0),), label="it starts at 0"),
        Claim(None, Calculus("h_integral", why="Integrated from 0 to t."), label="by calculus"),
    ),
    points=(at(t=1, eps="1/3", value=1),),
    near_misses=(
        NearMiss(Eq(D(sqrt(radicand()), t), curve()), why="The factor 3/2 is needed: the root's slope is 2h/3."),
        NearMiss(
            Eq(fraction(3, 2) * sqrt(radicand()), 0),
            why="Without sqrt(eps) the area would not start at 0.",
            given=(positive(eps), Eq(t, 0)),
        ),
    ),
)
