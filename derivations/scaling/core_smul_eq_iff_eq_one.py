"""On a nonconstant input with eps > 0, scaling by a leaves the core as it is only at a = 1."""

from lnsym.derivation import (
    Claim,
    Derivation,
    Example,
    Iff,
    NearMiss,
    at,
    centred,
    chain,
    count,
    entries,
    fold,
    given,
    split,
    squares,
    unfold,
    variance,
)
from lnsym.lang import Eq, Lt, core, dot, norm, positive, sqrt

from ..definitions import a, d, eps, gamma, q, s, u, v, z

R = sqrt(a**2 * q + eps)
SAME = Eq(core(a * z), u)
CHANGE = dot(v, core(a * z) - u) / (d * q)  # this is a/R - 1/s

THEOREM = Derivation(
    title="For q > 0 and eps > 0 the cores of az and z are equal if and only if a = 1.",
    catalogue="S23",
    cites=("000 ¶3", "004 ¶11"),
    given=(positive(eps), positive(q)),
    claims=(
        Iff(
            left=(SAME,),
            right=(Eq(a, 1),),
            forward=(
                Claim(
                    Eq(a, 1),
                    chain(a)
                    .to(
                        1 + (R * s * (a * s + R) / eps - (a - 1) * R) / (1 + R / s) * CHANGE,
                        by=(split, centred, count, variance, squares, unfold(u, s)),
                        why="Let R = sqrt(a^2 q + eps) and x = a/R - 1/s. Then a - R/s = R x, and eps (a^2 - 1) = (a s)^2 - R^2 = "
                        "R s (a s + R) x; and (a - 1)(1 + R/s) is a^2 - 1 less (a - 1)(a - R/s).",
                    )
                    .to(
                        1,
                        by=given,
                        why="The last factor is x, the inner product of v and core(az) - u over d q; the cores are equal, so it is 0.",
                    ),
                ),
            ),
            backward=(
                Claim(
                    SAME,
                    chain(core(a * z))
                    .to(core(z), by=given, why="At a = 1 the inputs are the same.")
                    .to(u, by=(fold(u, s, q), centred, split), why="This is the definition of u."),
                ),
            ),
            label="for every real a",
        ),
        Example(
            entries(gamma * core(2 * z), (0, 0, 0)) + entries(gamma * u, (0, 0, 0)),
            at(z=(-1, 0, 1), eps="1/3", gamma=(0, 5, 0)),
            why="The full output can stay although the core moves: this gain vanishes wherever v does not.",
        ),
    ),
    points=(at(z=(0, 1), eps="24/25", a=1),),
    near_misses=(
        NearMiss(
            Lt(0, norm(core(a * z) - u) ** 2),
            given=(positive(eps), Lt(1, a)),
            why="On a constant input every scaling gives 0: q > 0 is needed.",
        ),
        NearMiss(
            Lt(0, norm(core(a * z, 0) - core(z, 0)) ** 2),
            given=(positive(q), Lt(1, a)),
            why="At eps = 0 every a > 0 leaves the core as it is: eps > 0 is needed.",
        ),
        NearMiss(
            Lt(0, norm(gamma * core(a * z) - gamma * u) ** 2),
            given=(positive(eps), positive(q), Lt(1, a)),
            why="The full output may stay: the gain can vanish wherever v does not, as z = (-1, 0, 1) with gain (0, 5, 0).",
        ),
    ),
)
