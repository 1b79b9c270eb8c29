"""The family attains the bound u_3 - u_1 = sqrt(2 d rho) of a pair of coordinates, but not the bound of one coordinate."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at, chain, squares, unfold
from lnsym.kernel.terms import Index
from lnsym.lang import Eq, Lt, fraction, positive, sqrt

from ..definitions import d, eps, rho, s, t, u
from . import FAMILY, curve

FIRST, THIRD = Index("1"), Index("3")

THEOREM = Derivation(
    title="The family attains the pair bound: (u_3 - u_1)^2 = 2 d rho.",
    catalogue="S40",
    cites=("000 ¶5", "004 ¶13"),
    given=(FAMILY, positive(eps)),
    claims=(
        Claim(
            Eq((u[THIRD] - u[FIRST]) ** 2, 2 * d * rho),
            chain((u[THIRD] - u[FIRST]) ** 2)
            .to(4 * curve() ** 2, by=(unfold(u, s), squares), why="u_3 = h and u_1 = -h.")
            .to(2 * d * rho, by=(unfold(rho), squares), why="d = 3, and rho = (2t^2/3)/(2t^2/3 + eps) is 2 h^2/3."),
        ),
        Claim(
            Lt(u[THIRD] ** 2, (d - 1) * rho),
            Gap(rho / 2, why="2 rho - h^2 = rho/2: one coordinate stays below its own bound, sqrt((d-1) rho)."),
            given=(positive(t),),
            label="one coordinate",
        ),
        Claim(
            Lt(sqrt(fraction(3, 2)), sqrt(d - 1)),
            Gap(fraction(1, 2), squared=True, why="The dashed line is below sqrt(2), the bound of a coordinate at d = 3."),
            label="the dashed line",
        ),
    ),
    points=(at(z=(-1, 0, 1), t=1, eps="1/3", value=4),),
    near_misses=(
        NearMiss(Eq(u[THIRD] ** 2, (d - 1) * rho), why="A single coordinate's bound is attained by inputs such as (1, 0, 0), not here."),
        NearMiss(Eq((u[THIRD] - u[FIRST]) ** 2, 2 * d), why="rho is below 1 while eps > 0."),
    ),
)
