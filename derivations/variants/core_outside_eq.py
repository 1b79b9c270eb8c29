"""With eps added to sigma, outside the root: variance, shifts, scaling and composition, and how it compares with the core."""

from lnsym.derivation import (
    Claim,
    Derivation,
    Example,
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
    unfold,
    variance,
)
from lnsym.lang import Eq, Lt, P, core, fraction, mean, positive, sqrt, var

from ..definitions import a, c, eps, h, q, rho, s, sigma, t, u, v, z
from . import core_outside

outside = core_outside(z)
OF_ROOTS = "sigma scales with a, and so does eps/a times a."

THEOREM = Derivation(
    title="v/(sigma + eps) has the variance (sigma/(sigma + eps))^2; the factor a > 0 divides its eps by a, not by a^2.",
    catalogue="T74",
    given=(positive(eps),),
    claims=(
        Claim(Eq(mean(outside), 0), by(split, centred, count, why="The deviations sum to 0, whatever divides them."), label="the mean"),
        Claim(
            Eq(var(outside), (sigma / (sigma + eps)) ** 2),
            chain(var(outside))
            .to(mean((v / (sigma + eps)) ** 2), by=(fold(q), centred, split), why="The mean is 0.")
            .to(q / (sigma + eps) ** 2, by=variance, why="The mean of the squared deviations is q.")
            .to((sigma / (sigma + eps)) ** 2, by=squares, why="q is the square of sigma."),
            label="the variance",
        ),
        Claim(
            Eq(var(outside), fraction(1, 4)),
            by(given, split, centred, variance, squares, why="At sigma = eps the denominator is 2 sigma."),
            given=(positive(q), Eq(eps, sigma)),
            label="the variance where sigma = eps",
        ),
        Claim(
            Eq(outside, s / (sigma + eps) * u),
            by(split, centred, variance, unfold(u), why="Both are multiples of v."),
            label="beside the core",
        ),
        Claim(
            Eq(outside**2, core(z, eps * (2 * sigma + eps)) ** 2),
            by(split, centred, variance, squares, why="(sigma + eps)^2 = q + 2 sigma eps + eps^2; the signs are those of v in both."),
            label="the eps for which it is the core depends on sigma",
        ),
        Claim(Eq(core_outside(z + c), outside), by(split, centred, count, why="Mean and z move alike."), label="a common shift"),
        Claim(
            Eq(core_outside(a * z), core_outside(z, eps / a)),
            by(split, centred, variance, why=OF_ROOTS),
            given=(positive(a),),
            label="scaling",
        ),
        Claim(
            Eq(core_outside(-a * z), -core_outside(z, eps / a)),
            by(split, centred, variance, why="sigma loses the sign, v keeps it."),
            given=(positive(a),),
            label="scaling by a negative factor",
        ),
        Claim(
            Eq(core_outside(a * z, a * eps), outside),
            by(split, centred, variance, why="sigma and eps scale alike."),
            given=(positive(a),),
            label="scaling of input and eps",
        ),
        Claim(
            Eq(core_outside(outside, a), core_outside(z, a * eps / (1 + a)) / (1 + a)),
            chain(core_outside(outside, a))
            .to(
                v / ((1 + a) * sigma + a * eps),
                by=(given, split, centred, variance, count, squares),
                why="The inner sigma is sigma/c with c = sigma + eps; a fraction of fractions, times c.",
            )
            .to(core_outside(z, a * eps / (1 + a)) / (1 + a), by=(split, centred, variance), why="1 + a is taken out of the denominator."),
            given=(positive(a), positive(c), Eq(c, sigma + eps)),
            label="composition",
        ),
        Claim(
            Eq(core_outside(z + t * h), t * P(h) / (t * sqrt(var(h)) + eps)),
            by(given, split, centred, count, variance, why="Only t h is left of the deviations: at t = 0 the slope is P h/eps."),
            given=(Eq(v, 0), Eq(q, 0), positive(t)),
            label="along a line from a constant input",
        ),
        Example(entries(outside, ("-1/2", "1/2")), at(z=(1, 3), eps=1), why="sigma = 1; the core is (-1, 1)/sqrt(2)."),
    ),
    points=(at(z=(1, 3), eps=1, a=2, c=5, value=0), at(z=(1, 1, 1), eps=2, a=1, c=0), at(z=(0, 4), eps="1/2", a="1/2", c=1)),
    near_misses=(
        NearMiss(Eq(outside, u), why="(sigma + eps)^2 is q + 2 sigma eps + eps^2, not q + eps."),
        NearMiss(Eq(outside, core(z, eps**2)), why="The square of a sum holds the term 2 sigma eps."),
        NearMiss(Eq(var(outside), rho), why="rho is the variance of the core."),
        NearMiss(Eq(var(outside), sigma / (sigma + eps)), why="The variance is the square of that ratio."),
        NearMiss(
            Eq(core_outside(a * z), core_outside(z, eps / a**2)),
            given=(positive(eps), positive(a)),
            why="Beside sigma, eps has the unit of z: it is divided by a.",
        ),
        NearMiss(
            Eq(core_outside(a * z, a**2 * eps), outside),
            given=(positive(eps), positive(a)),
            why="This is the law of the core; here eps scales with a.",
        ),
        NearMiss(
            Eq(core_outside(outside, a), core_outside(z, a * eps / (1 + a))),
            given=(positive(eps), positive(a)),
            why="The factor 1/(1 + a) is missing.",
        ),
        NearMiss(Lt(s, sigma + eps), why="For eps < 1 and small sigma the root of q + eps is the larger one."),
    ),
)
