"""The three places of eps compared: outside the root the result is shortest, clamped it is longest, and sqrt(2) covers each step."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at
from lnsym.lang import COORDINATES, Components, Le, core, norm, positive, sqrt

from ..definitions import d, eps, q, sigma, v, z
from . import core_clamped, core_outside
from .core_clamped_eq import NARROW, WIDE, b

inside = core(z, eps**2)  # eps^2 has the unit of z^2, as eps has that of z beside sigma
outside, clamped = core_outside(z), core_clamped(z)

THEOREM = Derivation(
    title="|v/(sigma + eps)| <= |u(eps^2)| <= |v/max(sigma, eps)|, and each is at most sqrt(2) times the one before.",
    catalogue="T77",
    given=(positive(eps),),
    claims=(
        Claim(
            Le(norm(outside) ** 2, norm(inside) ** 2),
            Gap(
                2 * d * q * sigma * eps / ((q + eps**2) * (sigma + eps) ** 2),
                why="(sigma + eps)^2 exceeds q + eps^2 by 2 sigma eps.",
            ),
            label="outside and inside",
        ),
        Claim(
            Le(norm(inside) ** 2, 2 * norm(outside) ** 2),
            Gap(
                d * q * (sigma - eps) ** 2 / ((q + eps**2) * (sigma + eps) ** 2),
                why="2 (q + eps^2) exceeds (sigma + eps)^2 by (sigma - eps)^2.",
            ),
            label="inside and outside",
        ),
        Claim(
            Le(norm(inside) ** 2, norm(clamped) ** 2),
            Gap(d * eps**2 / (q + eps**2), why="q + eps^2 exceeds q by eps^2."),
            given=WIDE,
            label="inside and clamped, for sigma >= eps",
        ),
        Claim(
            Le(norm(inside) ** 2, norm(clamped) ** 2),
            Gap(d * q**2 / ((q + eps**2) * eps**2), why="q + eps^2 exceeds eps^2 by q."),
            given=NARROW,
            label="inside and clamped, for sigma < eps",
        ),
        Claim(
            Le(norm(clamped) ** 2, 2 * norm(inside) ** 2),
            Gap(d * b * sigma * (b * sigma + 2 * eps) / (q + eps**2), why="2 q exceeds q + eps^2 by (sigma - eps)(sigma + eps)."),
            given=WIDE,
            label="clamped and inside, for sigma >= eps",
        ),
        Claim(
            Le(norm(clamped) ** 2, 2 * norm(inside) ** 2),
            Gap(
                d * q * b * (b + 2 * sigma) / (eps**2 * (q + eps**2)),
                why="2 eps^2 exceeds q + eps^2 by (eps - sigma)(eps + sigma).",
            ),
            given=NARROW,
            label="clamped and inside, for sigma < eps",
        ),
    ),
    points=(at(z=(1, 3), eps=1, b=0), at(z=(1, 3), eps="1/2", b="1/2"), at(z=(5, 5), eps=1, b=1)),
    near_misses=(
        NearMiss(Le(norm(inside), norm(outside)), why="The shortest is the one with eps outside."),
        NearMiss(Le(norm(clamped), norm(inside)), why="The longest is the clamped one."),
        NearMiss(Le(norm(clamped), sqrt(2) * norm(outside)), why="Two steps, so a factor of 2: at sigma = eps it is reached."),
        NearMiss(
            Le(norm(outside), norm(core(z))),
            why="Beside sigma stands eps, so under the root stands eps^2; for 3 eps < 1 the core of this input is shorter.",
            given=(positive(eps), Components("z", COORDINATES, (eps, -eps))),
        ),
        NearMiss(Le(norm(v / sigma), norm(inside)), given=(positive(eps), positive(q)), why="Without eps the result is longer."),
    ),
)
