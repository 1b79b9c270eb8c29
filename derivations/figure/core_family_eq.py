"""On z = (-t, 0, t) the core is (-h, 0, h) with h = t/sqrt(2 t^2/3 + eps)."""

from lnsym.derivation import Claim, Derivation, Example, NearMiss, algebra, at, by, chain, entries, unfold
from lnsym.kernel.terms import Index
from lnsym.lang import Eq, positive, sqrt

from ..definitions import eps, mu, q, s, t, u, v
from . import FAMILY, curve

FIRST, SECOND, THIRD = Index("1"), Index("2"), Index("3")

THEOREM = Derivation(
    title="On z = (-t, 0, t) the core is (-h, 0, h) with h = t/sqrt(2t^2/3 + eps).",
    catalogue="S38",
    cites=("000 ¶5", "004 ¶13"),
    given=(FAMILY, positive(eps)),
    claims=(
        Claim(Eq(mu, 0), by(algebra, why="The entries -t, 0 and t cancel.")),
        Claim(Eq(q, 2 * t**2 / 3), by(algebra, why="The mean is 0, so q is the mean of t^2, 0 and t^2.")),
        Claim(
            Eq(u[THIRD], curve()),
            chain(u[THIRD])
            .to(v[THIRD] / s, by=unfold(u), why="The core is v over s.")
            .to(t / s, by=algebra, why="The mean is 0, so the third deviation is the third entry, t.")
            .to(curve(), by=unfold(s), why="s is the root of q + eps, and q = 2t^2/3."),
        ),
        Claim(Eq(u[FIRST], -curve()), by(unfold(u, s), why="The first deviation is -t; the root is the same.")),
        Claim(Eq(u[SECOND], 0), by(unfold(u), why="The middle deviation is 0.")),
        Example((*entries(u, (-1, 0, 1)), Eq(curve(), 1)), at(z=(-1, 0, 1), t=1, eps="1/3"), why="The curve for eps = 1/3 at t = 1."),
    ),
    points=(at(z=(-1, 0, 1), t=1, eps="1/3", value=0),),
    near_misses=(
        NearMiss(Eq(q, t**2), why="The divisor is d = 3 and not d - 1 = 2."),
        NearMiss(Eq(u[THIRD], t / (sqrt(2 * t**2 / 3) + eps)), why="eps is added to the variance, under the root."),
    ),
)
