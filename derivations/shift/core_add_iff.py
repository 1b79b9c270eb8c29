"""With eps > 0 a shift w leaves the core as it is if and only if it is a common shift."""

from lnsym.derivation import (
    Claim,
    Derivation,
    Iff,
    NearMiss,
    algebra,
    at,
    by,
    centred,
    chain,
    count,
    given,
    split,
    squares,
    unfold,
    variance,
)
from lnsym.lang import Eq, P, core, dot, mean, positive, sqrt, var

from ..definitions import c, d, eps, q, s, u, v, w, z

MOVED = core(z + w)
ROOT = sqrt(var(z + w) + eps)
SLOPE = s**2 * ROOT**2 / (d * eps * (s + ROOT))
SAME, CENTRED_AWAY = Eq(MOVED, u), Eq(P @ w, 0)

THEOREM = Derivation(
    title="core(z + w) = core(z) if and only if P w = 0, that is, w = c 1: an unequal shift is never removed.",
    catalogue="S18",
    cites=("004 ¶15",),
    given=(positive(eps),),
    claims=(
        Iff(
            left=(SAME,),
            right=(CENTRED_AWAY,),
            forward=(
                Claim(
                    CENTRED_AWAY,
                    chain(P @ w)
                    .to(
                        ROOT * MOVED - s * u,
                        by=(split, centred, count, variance, unfold(u)),
                        why="P w is the deviations of z + w less those of z; each is a core times its root.",
                    )
                    .to(ROOT * (MOVED - u) + (ROOT - s) * u, by=algebra, why="s u is root u less (root - s) u.")
                    .to(
                        ROOT * (MOVED - u) + SLOPE * dot(MOVED + u, MOVED - u) * u,
                        by=(split, centred, count, variance, squares, unfold(u, s)),
                        why="The difference of the roots is a multiple of |core(z + w)|^2 - |u|^2.",
                    )
                    .to(0, by=given, why="Both terms have the factor core(z + w) - u, which is 0."),
                ),
            ),
            backward=(
                Claim(
                    SAME,
                    by(given, split, centred, count, variance, unfold(u, s), why="A common shift moves neither deviations nor variance."),
                    given=(Eq(mean(w), c),),
                    label="with c the mean of w",
                ),
            ),
        ),
        Claim(
            Eq(w, mean(w)),
            by(algebra, given, why="P w = 0 says that every coordinate is the mean."),
            given=(CENTRED_AWAY,),
            label="P w = 0 only for w = c 1",
        ),
        Claim(CENTRED_AWAY, by(given, count, why="Every entry of P w is c - c."), given=(Eq(w, c),), label="and for every such w"),
    ),
    points=(at(z=(1, 2, 3), w=(7, 7, 7), c=7, eps="1/3"),),
    near_misses=(
        NearMiss(Eq(core(z + w), u), why="An unequal shift is never removed: (0, 0, 1) takes (1, 2, 3) to (1, 2, 4)."),
        NearMiss(Eq(core(z + w), u), given=(positive(eps), Eq(mean(w), 0)), why="That the shifts cancel on average is not enough."),
        NearMiss(
            Eq(core(z + w), u),
            given=(positive(eps), positive(q), Eq(P @ w, v)),
            why="A shift along the deviations is removed with eps = 0 alone.",
        ),
    ),
)
