"""With eps > 0 the core divides by a positive number at every input; with eps = 0 it cannot be continued to constant inputs."""

from lnsym.derivation import Calculus, Claim, Derivation, Gap, NearMiss, OnlyIf, at, by, centred, given, split, squares, variance
from lnsym.lang import Eq, Le, Lt, core, lift, one, positive, sqrt

from ..definitions import c, eps, q, s, sigma, t, z

THEOREM = Derivation(
    title="q + eps >= eps > 0: the core is defined at every input.",
    catalogue="S02",
    cites=("000 ¶1", "004 ¶9"),
    claims=(
        Claim(Le(eps, q + eps), Gap(q, why="q is a mean of squares, so it is not negative.")),
        Claim(Lt(0, q + eps), Gap(q + eps, why="A number that is not negative plus a positive one is positive."), given=(positive(eps),)),
        Claim(
            Le(sqrt(eps), s),
            Gap(q, why="The squares of both sides differ by q.", squared=True),
            given=(positive(eps),),
            label="the divisor is never below sqrt(eps)",
        ),
        Claim(Eq(sigma**2, q), by(squares, why="sigma is the root of q."), label="with eps = 0 the divisor is sigma"),
        Claim(
            Eq(sigma, 0),
            OnlyIf(Eq(q, 0), lift(1), why="sigma is the root of q, and the root of 0 is 0."),
            given=(Eq(q, 0),),
            label="with eps = 0 the core is undefined at constant inputs",
        ),
        Claim(
            Lt(0, sigma),
            Gap(sigma, why="The root of a positive number is positive."),
            given=(positive(q),),
            label="and only at constant inputs",
        ),
        Claim(
            Eq(core(c * one + t * z, 0), core(z, 0)),
            by(given, split, centred, variance, why="On the way from z to a constant input the core with eps = 0 stays what it is at z."),
            given=(positive(t), positive(q)),
            label="with eps = 0, at every distance t",
        ),
        Claim(
            None,
            Calculus(
                "core_eps0_no_limit",
                why="Two directions give two limits, so for d >= 2 no value at a constant input continues the core with eps = 0.",
            ),
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3"), at(z=(4, 4), eps=2)),
    near_misses=(
        NearMiss(Lt(0, q), why="The variance alone is 0 at a constant input: without eps the core divides by 0 there."),
        NearMiss(Lt(eps, q + eps), given=(positive(eps),), why="Equality holds at every constant input."),
        NearMiss(Lt(0, q + eps), why="Without eps > 0 nothing keeps the divisor from 0."),
    ),
    leans_on=("continuity of composition",),
    note="As q + eps > 0 everywhere, the core is composed of analytic maps: it is analytic at every input.",
)
