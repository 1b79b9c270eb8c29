"""With sigma clamped from below by eps: the core without eps where sigma >= eps, and v/eps where sigma < eps."""

from lnsym.derivation import (
    Claim,
    Derivation,
    Example,
    Gap,
    NearMiss,
    at,
    by,
    centred,
    chain,
    count,
    entries,
    fold,
    given,
    split,
    squares,
    variance,
)
from lnsym.kernel.terms import Relation, Sym
from lnsym.lang import Eq, Le, core, mean, nonnegative, positive, var

from ..definitions import a, c, eps, q, s, sigma, u, v, z
from . import core_clamped, larger

b = Sym("b")
clamped = core_clamped(z)
WIDE: tuple[Relation, ...] = (positive(q), nonnegative(b), Eq(eps, sigma - b * sigma))  # sigma >= eps
NARROW: tuple[Relation, ...] = (positive(b), Eq(eps, sigma + b))  # sigma < eps
WIDE_OF_AZ = (positive(q), positive(a), nonnegative(b), Eq(eps, a * sigma - b * sigma))  # a sigma >= eps

THEOREM = Derivation(
    title="v/max(sigma, eps) is v/sigma where sigma >= eps and v/eps where sigma < eps; its variance is min(1, q/eps^2).",
    catalogue="T75",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(clamped, v / sigma),
            chain(clamped)
            .to(v / larger(sigma, eps), by=(fold(q), split, centred), why="The deviations over the larger of sigma and eps.")
            .to(v / sigma, by=(given, squares), why="The distance is b sigma, and half of the sum and the distance is sigma."),
            given=WIDE,
            label="where sigma >= eps",
        ),
        Claim(
            Eq(clamped, v / eps),
            chain(clamped)
            .to(v / larger(sigma, eps), by=(fold(q), split, centred), why="The deviations over the larger of sigma and eps.")
            .to(v / eps, by=(given, squares), why="eps is sigma + b: half of the sum and the distance is eps."),
            given=NARROW,
            label="where sigma < eps",
        ),
        Claim(
            Eq(clamped, core(z, 0)),
            by(given, split, centred, variance, squares, why="v/sigma is the core without eps."),
            given=WIDE,
            label="where sigma >= eps, as a core",
        ),
        Claim(Eq(mean(clamped), 0), by(split, centred, count, why="The deviations sum to 0, whatever divides them."), label="the mean"),
        Claim(
            Eq(var(clamped), 1),
            by(given, split, centred, count, variance, squares, why="The variance of v/sigma is 1."),
            given=WIDE,
            label="the variance where sigma >= eps",
        ),
        Claim(
            Eq(var(clamped), q / eps**2),
            by(given, split, centred, count, variance, squares, why="The variance of v/eps."),
            given=NARROW,
            label="the variance where sigma < eps",
        ),
        Claim(
            Le(var(clamped), 1),
            Gap(b * (b + 2 * sigma) / eps**2, why="q/eps^2 is at most 1, for eps is sigma + b."),
            given=NARROW,
            label="the bound where sigma < eps",
        ),
        Claim(Eq(core_clamped(z + c), clamped), by(split, centred, count, why="Mean and z move alike."), label="a common shift"),
        Claim(
            Eq(core_clamped(a * z, a * eps), clamped),
            by(split, centred, variance, squares, why="sigma and eps scale alike, and so does the larger of them."),
            given=(positive(a),),
            label="scaling of input and eps",
        ),
        Claim(
            Eq(core_clamped(-a * z, a * eps), -clamped),
            by(split, centred, variance, squares, why="sigma loses the sign, v keeps it."),
            given=(positive(a),),
            label="scaling of input and eps, with a negative factor",
        ),
        Claim(
            Eq(core_clamped(a * z), v / sigma),
            by(
                given,
                split,
                centred,
                variance,
                squares,
                why="a does not occur: where a sigma >= eps scaling is invisible, although eps > 0.",
            ),
            given=WIDE_OF_AZ,
            label="scaling alone, where a sigma >= eps",
        ),
        Claim(
            Le(eps, a * sigma),
            Gap(a * (sigma - eps) + (a - 1) * eps, why="a sigma >= a eps >= eps."),
            given=(nonnegative(sigma - eps), positive(a), nonnegative(a - 1)),
            label="a >= 1 keeps that, where sigma >= eps",
        ),
        Claim(
            Eq(core_clamped(v / sigma), v / sigma),
            by(given, split, centred, count, variance, squares, why="v/sigma has sigma = 1, which is at least eps."),
            given=(positive(q), nonnegative(b), Eq(eps, 1 - b)),
            label="applied twice, for eps <= 1",
        ),
        Example(entries(clamped, (-1, 1)), at(z=(1, 3), eps="1/2"), why="sigma = 1 is larger than eps."),
        Example(entries(clamped, ("-1/2", "1/2")), at(z=(1, 3), eps=2), why="eps is larger than sigma = 1."),
    ),
    points=(
        at(z=(1, 3), eps="1/2", a=1, b="1/2", c=5),
        at(z=(1, 3), eps="1/2", a=2, b="3/2", c=0),
        at(z=(1, 3), eps=2, a=1, b=1, c=0),
        at(z=(5, 5, 5), eps=1, a=3, b=1, c=0),
    ),
    near_misses=(
        NearMiss(Eq(clamped, u), why="Clamping is not adding: the core differs from it everywhere but at v = 0 and at one sigma at most."),
        NearMiss(Eq(clamped, v / sigma), given=(positive(eps), positive(q)), why="Where sigma < eps the divisor is eps."),
        NearMiss(Eq(clamped, v / eps), why="Where sigma > eps the divisor is sigma."),
        NearMiss(Eq(core_clamped(a * z), clamped), given=(positive(eps), positive(a)), why="Where sigma < eps scaling is visible."),
        NearMiss(
            Eq(core_clamped(a * z), clamped),
            given=(*NARROW, positive(eps), positive(a)),
            why="There the clamped core is linear, until a sigma reaches eps.",
        ),
        NearMiss(Eq(core_clamped(a * z, a**2 * eps), clamped), given=(positive(eps), positive(a)), why="Here eps has the unit of z."),
        NearMiss(
            Eq(core_clamped(v / sigma), v / sigma),
            given=(positive(eps), positive(q)),
            why="v/sigma has sigma = 1; a larger eps divides it again.",
        ),
        NearMiss(Eq(var(clamped), q / (q + eps)), why="This is the variance of the core."),
        NearMiss(Le(s, larger(sigma, eps)), why="For eps < 1 and small sigma the root of q + eps is larger."),
    ),
    note="b stands for the distance of sigma and eps, relative to sigma where sigma >= eps: eps = sigma - b sigma, or eps = sigma + b.",
)
