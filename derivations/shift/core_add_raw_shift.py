"""A shift a of the raw input adds W a, which the normalization removes only if W a is a common shift."""

from lnsym.derivation import (
    Claim,
    Derivation,
    Example,
    Iff,
    NearMiss,
    algebra,
    at,
    by,
    centred,
    chain,
    count,
    entries,
    given,
    split,
    squares,
    unfold,
    variance,
)
from lnsym.lang import INPUTS, Eq, P, core, dot, matrix, mean, positive, sqrt, var, vector

from ..definitions import c, d, eps, g, h, s, t, u, z

a, x = vector("a", INPUTS), vector("x", INPUTS)
W = matrix("W", columns=INPUTS)
ADDED = W @ a
MOVED = core(z + ADDED)
ROOT = sqrt(var(z + ADDED) + eps)
SLOPE = s**2 * ROOT**2 / (d * eps * (s + ROOT))
SAME, REMOVED = Eq(MOVED, u), Eq(P @ ADDED, 0)

THEOREM = Derivation(
    title="x + a in place of x adds W a; the core stays if and only if P W a = 0.",
    catalogue="S20",
    cites=("004 ¶16",),
    given=(positive(eps),),
    claims=(
        Claim(Eq(W @ (x + a), W @ x + W @ a), by(algebra, why="W is linear.")),
        Iff(
            left=(SAME,),
            right=(REMOVED,),
            forward=(
                Claim(
                    REMOVED,
                    chain(P @ ADDED)
                    .to(
                        ROOT * (MOVED - u) + SLOPE * dot(MOVED + u, MOVED - u) * u,
                        by=(split, centred, count, variance, squares, unfold(u, s)),
                        why="P W a is the change of the deviations: each is a core times its root, as in core_add_iff.",
                    )
                    .to(0, by=given, why="Both terms have the factor core(z + W a) - u, which is 0."),
                ),
            ),
            backward=(
                Claim(
                    SAME,
                    by(given, split, centred, count, variance, unfold(u, s), why="W a is then a common shift."),
                    given=(Eq(mean(ADDED), c),),
                    label="with c the mean of W a",
                ),
            ),
            label="with z = W x + b; the condition does not contain z: true at one x, it is true at all",
        ),
        Claim(
            Eq(core(z + t * h), core(z)),
            by(given, count, why="t h is then a common shift."),
            given=(Eq(h, c),),
            label="with z = W x: one raw input moves by t, and its column h of W is constant",
        ),
        Example(
            (*entries(core(g + h), (-1 / sqrt(5), -1 / sqrt(5), 2 / sqrt(5))), *entries(core(2 * g + h), (0, -1, 1))),
            at(g=(1, 0, 1), h=(0, 1, 1), eps="1/3"),
            why="The columns of W are (1, 0, 1) and (0, 1, 1): from x = (1, 1) to x = (2, 1) the core changes.",
        ),
        Example(
            (
                *entries(core(g + h), (-2 / sqrt(5), 1 / sqrt(5), 1 / sqrt(5))),
                *entries(core(2 * g + h), (-2 / sqrt(5), 1 / sqrt(5), 1 / sqrt(5))),
            ),
            at(g=(1, 1, 1), h=(0, 1, 1), eps="1/3"),
            why="With the first column (1, 1, 1) the same step changes nothing.",
        ),
        Claim(
            Eq(ADDED, mean(ADDED)),
            by(algebra, given, why="P W a = 0 says that every coordinate of W a is their mean."),
            given=(REMOVED,),
            label="P W a = 0 only where W a is a common shift",
        ),
    ),
    near_misses=(
        NearMiss(Eq(core(W @ (x + a)), core(W @ x)), why="W a need not be a common shift."),
        NearMiss(Eq(core(W @ (x + c)), core(W @ x)), why="Nor where a is c 1: rows of W may have unequal sums."),
    ),
    points=(at(W=((1, 0, 2), (1, 1, 0), (1, 1, 1)), a=(1, 0, 0), x=(1, 1, 2), z=(1, 2, 2), eps="1/3", c=1),),
)
