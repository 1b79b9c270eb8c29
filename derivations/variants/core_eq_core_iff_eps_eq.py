"""Another eps shows: on a nonconstant input two stabilizers give the same core only if they are equal."""

from lnsym.derivation import (
    Claim,
    Derivation,
    Example,
    Iff,
    NearMiss,
    at,
    by,
    centred,
    chain,
    count,
    derivative,
    entries,
    fold,
    given,
    split,
    square_of_root,
    squares,
    unfold,
    variance,
)
from lnsym.lang import D, Eq, Lt, core, dot, i, norm, positive, sqrt, var

from ..definitions import c, d, eps, q, r, s, u, v, z

other = core(z, c)
ROOT = sqrt(q + c)
SAME = Eq(other, u)
CHANGE = dot(v, other - u) / (d * q)  # this is 1/ROOT - 1/s

THEOREM = Derivation(
    title="For q > 0 the cores for eps and for c are equal if and only if c = eps; so eps added twice or squared shows.",
    catalogue="T28",
    given=(positive(eps), positive(c), positive(q)),
    claims=(
        Iff(
            left=(SAME,),
            right=(Eq(c, eps),),
            forward=(
                Claim(
                    Eq(c, eps),
                    chain(c)
                    .to(
                        eps - s * ROOT * (s + ROOT) * CHANGE,
                        by=(split, centred, count, variance, squares, unfold(u, s)),
                        why="c - eps = R^2 - s^2 for the two roots R and s, and s - R is s R times the difference of their inverses.",
                    )
                    .to(eps, by=given, why="The last factor is the inner product of v and the change over d q; the cores are equal."),
                ),
            ),
            backward=(
                Claim(
                    SAME,
                    chain(other)
                    .to(core(z), by=given, why="The two are the same number.")
                    .to(u, by=(fold(u, s, q), centred, split), why="This is the definition of u."),
                ),
            ),
            label="for every c > 0",
        ),
        Claim(
            Eq(other, s / ROOT * u),
            by(split, centred, variance, unfold(u), why="Both are multiples of v."),
            label="they are multiples of each other",
        ),
        Claim(
            Eq(v / sqrt(q + eps + eps), core(z, 2 * eps)),
            by(fold(q), split, centred, why="As where the variance that is handed on holds eps already."),
            label="eps added twice",
        ),
        Claim(
            Eq(var(core(z, 2 * eps)), q / (q + 2 * eps)),
            by(split, centred, count, variance, squares, why="The variance of a core."),
            label="its variance",
        ),
        Claim(
            Eq(var(core(z, eps**2)), q / (q + eps**2)),
            by(split, centred, count, variance, squares, why="The variance of a core: this is u only for eps = 1."),
            label="the variance where eps is squared",
        ),
        Claim(
            Eq(D(u[i], eps), -(r**2) * u[i] / 2),
            by(derivative, unfold(r, u), square_of_root(s), why="1/s falls with eps at the rate 1/(2 s^3)."),
            label="the derivative by eps",
        ),
        Example(
            entries(core(z, 6), (-1 / sqrt(7), 1 / sqrt(7))), at(z=(1, 3), eps=3, c=6), why="eps = 3 added twice; the core is -1/2, 1/2."
        ),
        Example(entries(core(z, 9), (-1 / sqrt(10), 1 / sqrt(10))), at(z=(1, 3), eps=3, c=9), why="eps = 3 squared."),
    ),
    points=(at(z=(1, 3), eps=3, c=3), at(z=(1, 2, 3), eps="1/3", c="1/3")),
    near_misses=(
        NearMiss(Eq(v / sqrt(q + eps + eps), u), given=(positive(eps), positive(q)), why="eps was added twice."),
        NearMiss(Eq(core(z, eps**2), u), given=(positive(eps), positive(q)), why="eps was squared; only eps = 1 hides it."),
        NearMiss(Eq(core(z, sqrt(eps)), u), given=(positive(eps), positive(q)), why="The root of eps was added; only eps = 1 hides it."),
        NearMiss(
            Lt(0, norm(other - u) ** 2),
            given=(positive(eps), Lt(eps, c)),
            why="On a constant input every eps gives 0: q > 0 is needed.",
        ),
        NearMiss(Eq(D(u[i], eps), -(r**2) * u[i]), why="The root brings the factor 1/2."),
    ),
)
