"""All curves are one: h_eps(t) = h_1(t/sqrt(eps)), and every curve has the value sqrt(3)/2 where q = eps."""

from lnsym.derivation import Calculus, Claim, Derivation, NearMiss, algebra, at, by, chain, squares
from lnsym.lang import Eq, fraction, positive, sqrt

from ..definitions import eps, t
from . import curve, radicand

half = sqrt(3) * sqrt(2 * eps) / 2  # sqrt(3 eps/2), written so that sqrt(2 eps) is seen to cancel

THEOREM = Derivation(
    title="All curves are one: h_eps(t) = h_1(t/sqrt(eps)), with h = sqrt(3)/2 where q = eps.",
    catalogue="S41",
    cites=("000 ¶5", "004 ¶13"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(curve(t / sqrt(eps), 1), curve()),
            chain(curve(t / sqrt(eps), 1))
            .to(t / sqrt(eps) / (sqrt(radicand()) / sqrt(eps)), by=squares, why="2t^2/(3 eps) + 1 is (2t^2/3 + eps)/eps.")
            .to(curve(), by=algebra, why="sqrt(eps) cancels."),
        ),
        Claim(Eq(2 * half**2 / 3, eps), by(squares, why="3/4 times 2 eps, times 2/3."), label="q = eps there"),
        Claim(
            Eq(curve(half), sqrt(3) / 2),
            chain(curve(half))
            .to(half / sqrt(2 * eps), by=squares, why="There 2t^2/3 = eps, so q + eps = 2 eps.")
            .to(sqrt(3) / 2, by=algebra, why="sqrt(2 eps) cancels: the value is the same for every eps."),
            label="where q = eps",
        ),
        Claim(Eq(curve(-half), -sqrt(3) / 2), by(squares, why="The curve is odd."), label="where q = eps, on the left"),
        Claim(None, Calculus("h_scale_collapse", why="Substituted and simplified."), label="by calculus"),
        Claim(None, Calculus("h_at_unit_ratio", why="Evaluated where q = eps."), label="by calculus"),
    ),
    points=(at(t=1, eps="1/3"), at(t=2, eps=1)),
    near_misses=(
        NearMiss(Eq(curve(t / eps, 1), curve()), why="The scale of t is sqrt(eps): eps has the unit of t^2."),
        NearMiss(Eq(curve(t, 1), curve()), why="The curves differ at equal t unless eps is 1."),
        NearMiss(Eq(curve(half), sqrt(fraction(3, 2)) / 2), why="Where q = eps the curve has sqrt(1/2), not half, of its bound sqrt(3/2)."),
    ),
)
