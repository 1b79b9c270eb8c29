"""h^2 stays below 3/2, by (3/2) eps/(2 t^2/3 + eps): the dashed lines are approached and never reached."""

from lnsym.derivation import Calculus, Claim, Derivation, Gap, NearMiss, at, by, chain, squares
from lnsym.lang import D, Eq, Lt, fraction, positive, sqrt

from ..definitions import eps, t
from . import curve, radicand

THEOREM = Derivation(
    title="The curve rises between the dashed lines at -sqrt(3/2) and sqrt(3/2) and never reaches them.",
    catalogue="S40",
    cites=("000 ¶5", "004 ¶13"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(fraction(3, 2) - curve() ** 2, fraction(3, 2) * eps / radicand()),
            chain(fraction(3, 2) - curve() ** 2)
            .to(fraction(3, 2) - t**2 / radicand(), by=squares, why="The square of the root is 2t^2/3 + eps.")
            .to(fraction(3, 2) * (radicand() - 2 * t**2 / 3) / radicand(), by=squares, why="One denominator; t^2 is 3/2 of 2t^2/3.")
            .to(fraction(3, 2) * eps / radicand(), by=squares, why="2t^2/3 cancels, and eps is left."),
        ),
        Claim(
            Lt(curve(), sqrt(fraction(3, 2))),
            Gap(fraction(3, 2) * eps / radicand(), squared=True, why="The squares differ by (3/2) eps/(2t^2/3 + eps), which is positive."),
            label="below the upper line",
        ),
        Claim(
            Lt(-curve(), sqrt(fraction(3, 2))),
            Gap(fraction(3, 2) * eps / radicand(), squared=True, why="The same squares: the curve stays above the lower line."),
            label="above the lower line",
        ),
        Claim(Eq(curve(-t), -curve()), by(squares, why="t^2 does not see the sign of t."), label="odd"),
        Claim(
            Lt(0, D(curve(), t)),
            Gap(eps / sqrt(radicand()) ** 3, why="The slope eps/(2t^2/3 + eps)^(3/2) is positive."),
            label="increasing",
        ),
        Claim(None, Calculus("h_limit_plus", why="h tends to sqrt(3/2) as t grows without bound."), label="upper line"),
        Claim(None, Calculus("h_limit_minus", why="h tends to -sqrt(3/2) as t falls without bound."), label="lower line"),
    ),
    points=(at(t=1, eps="1/3", value="1/2"),),
    near_misses=(
        NearMiss(Eq(curve() ** 2, fraction(3, 2)), why="The line is a limit; no t reaches it while eps > 0."),
        NearMiss(Lt(curve(), 1), why="The curve rises above 1; its bound is sqrt(3/2)."),
        NearMiss(Eq(curve(-t), curve()), why="The curve is odd, not even."),
    ),
)
