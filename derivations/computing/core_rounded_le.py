"""The core in rounded arithmetic: each coordinate is that of the core about the computed mean, times a factor with a bound."""

from lnsym.derivation import Chain, Claim, Derivation, NearMiss, algebra, at, by, chain, squares, theorem
from lnsym.kernel.terms import Term
from lnsym.lang import Eq, Le, fraction, nonnegative, positive, sqrt, symbols

from ..definitions import c, eps, q, v
from .inv_sqrt_one_sub_le import small

# Rounding factors: of the sum under the root, of the root, of the difference from the mean, of the quotient; f is that of all that goes on
# before the sum, so that the sum is of (q + c^2 + eps) f. The unit roundoff is e; t bounds what f is off by.
f1, f2, f3, f4, f, e, t = symbols("f1 f2 f3 f4 f e t")
inflated = sqrt(q + c**2 + eps)
computed = (v - c) * f3 / (sqrt((q + c**2 + eps) * f * f1) * f2) * f4
factor = f3 * f4 / f2 / sqrt(f1) / sqrt(f)

low, high, t_low, t_high = 1 - e, 1 + e, 1 - t, 1 + t
least, most = 1 - fraction(7, 2) * e - t / 2, 1 + fraction(7, 2) * e + t / 2 + 8 * (e + t) ** 2
spare = fraction(1, 16) - e
up, down, t_up, t_down = 1 + e / 2 + e**2, e / 2 + low, 1 + t / 2 + t**2, t / 2 + t_low  # bounds of 1/sqrt(1 - e), 1/sqrt(1 + e), ...
roots = theorem("inv_sqrt_one_sub_le")

LARGEST = (nonnegative(high - f3), nonnegative(high - f4), nonnegative(f2 - low), nonnegative(f1 - low), nonnegative(f - t_low))
LEAST = (nonnegative(f3 - low), nonnegative(f4 - low), nonnegative(high - f2), nonnegative(high - f1), nonnegative(t_high - f))


def inverse_gap(larger: Term, smaller: Term, of_larger: Term, of_smaller: Term) -> Term:
    """1/smaller - 1/larger for two roots, by the difference of what stands under them."""
    gap: Term = (of_larger - of_smaller) / larger / smaller / (larger + smaller)
    return gap


f1_root, f_root = sqrt(f1), sqrt(f)
UPPER: Chain = (
    chain(factor)
    .at_most(high * f4 / f2 / f1_root / f_root, gap=(high - f3) * f4 / f2 / f1_root / f_root, why="At worst the difference is rounded up,")
    .at_most(high**2 / f2 / f1_root / f_root, gap=high * (high - f4) / f2 / f1_root / f_root, why="and the quotient too,")
    .at_most(high**2 / low / f1_root / f_root, gap=high**2 * (f2 - low) / low / f2 / f1_root / f_root, why="the root down,")
    .at_most(
        high**2 / low / sqrt(low) / f_root,
        gap=high**2 / low / f_root * inverse_gap(f1_root, sqrt(low), f1, low),
        by=squares,
        why="the sum under it too,",
    )
    .at_most(
        high**2 / low / sqrt(low) / sqrt(t_low),
        gap=high**2 / low / sqrt(low) * inverse_gap(f_root, sqrt(t_low), f, t_low),
        by=squares,
        why="and the variance is too small.",
    )
    .at_most(
        high**2 / low * up / sqrt(t_low),
        gap=high**2 / low * (up - 1 / sqrt(low)) / sqrt(t_low),
        by=roots,
        why="The bound for 1/sqrt(1 - e),",
    )
    .at_most(high**2 / low * up * t_up, gap=high**2 / low * up * (t_up - 1 / sqrt(t_low)), by=roots, why="and for 1/sqrt(1 - t).")
    .at_most(
        (1 + 3 * e + 5 * e**2) * up * t_up,
        gap=e**2 * (5 * spare + fraction(11, 16)) / low * up * t_up,
        why="(1 + 3e + 5e^2)(1 - e) is (1 + e)^2 and e^2 (1 - 5e) more.",
    )
    .at_most(
        (1 + fraction(7, 2) * e + 8 * e**2) * t_up,
        gap=e**2 * (5 * e * spare + fraction(93, 16) * spare + fraction(35, 256)) * t_up,
        why="Multiplied out: 15 e^2/2 + 11 e^3/2 + 5 e^4 is at most 8 e^2 up to e = 1/16.",
    )
    .at_most(
        most,
        gap=e * t * (4 * spare + 14) + t**2 * (8 * e * spare + 4 * spare + fraction(27, 4)),
        why="Multiplied out; 8 (e + t)^2 is more than all terms of higher order.",
    )
)
LOWER: Chain = (
    chain(least)
    .at_most((1 - fraction(7, 2) * e) * t_down, gap=fraction(7, 4) * e * t, why="The product holds 7 e t/4 more.")
    .at_most(
        low**3 * down * t_down,
        gap=e**2 * (fraction(5, 2) * low + 2 + e**2 / 2) * t_down,
        why="(1 - e)^3 (1 - e/2) is 1 - 7e/2 + 9e^2/2 - 5e^3/2 + e^4/2.",
    )
    .at_most(
        low**3 * down / sqrt(t_high), gap=low**3 * down * (1 / sqrt(t_high) - (1 - t / 2)), by=roots, why="The bound for 1/sqrt(1 + t),"
    )
    .at_most(
        low**3 / sqrt(high) / sqrt(t_high),
        gap=low**3 * (1 / sqrt(high) - (1 - e / 2)) / sqrt(t_high),
        by=roots,
        why="and for 1/sqrt(1 + e).",
    )
    .at_most(low**2 / high / sqrt(high) / sqrt(t_high), gap=low**2 * e**2 / high / sqrt(high) / sqrt(t_high), why="(1 - e)(1 + e) < 1.")
    .at_most(
        f3 * low / high / sqrt(high) / sqrt(t_high), gap=(f3 - low) * low / high / sqrt(high) / sqrt(t_high), why="The roundings again:"
    )
    .at_most(f3 * f4 / high / sqrt(high) / sqrt(t_high), gap=f3 * (f4 - low) / high / sqrt(high) / sqrt(t_high), why="at worst two down,")
    .at_most(f3 * f4 / f2 / sqrt(high) / sqrt(t_high), gap=f3 * f4 * (high - f2) / high / f2 / sqrt(high) / sqrt(t_high), why="two up,")
    .at_most(
        f3 * f4 / f2 / f1_root / sqrt(t_high),
        gap=f3 * f4 / f2 / sqrt(t_high) * inverse_gap(sqrt(high), f1_root, high, f1),
        by=squares,
        why="one of them under the root,",
    )
    .at_most(
        factor,
        gap=f3 * f4 / f2 / f1_root * inverse_gap(sqrt(t_high), f_root, t_high, f),
        by=squares,
        why="and the variance is too large.",
    )
)

THEOREM = Derivation(
    title="Rounded, the core is (v - c)/sqrt(q + c^2 + eps) times a factor, off from 1 by 7e/2 + t/2 at most, up to 8 (e + t)^2.",
    catalogue="T100",
    given=(positive(f1), positive(f2), positive(f3), positive(f4), positive(f), *small(e), *small(t)),
    claims=(
        Claim(
            Eq(computed, (v - c) / inflated * factor),
            by(algebra, why="The factors come out of the root and of the quotient."),
            given=(positive(eps),),
            label="the factor",
        ),
        Claim(UPPER.relation, UPPER, given=(*LARGEST, nonnegative(spare)), label="from above"),
        Claim(LOWER.relation, LOWER, given=LEAST, label="from below"),
    ),
    points=(at(z=(1, 3), c=1, eps=2, e="1/16", t="1/2", f="9/16", f1=1, f2="15/16", f3="17/16", f4=1),),
    near_misses=(
        NearMiss(
            Eq(computed, (v - c) / sqrt(q + eps) * factor),
            given=(positive(f1), positive(f2), positive(f3), positive(f4), positive(f), positive(eps)),
            why="The squares are about the computed mean: c^2 stays under the root.",
        ),
        NearMiss(
            Eq(computed, (v - c) / inflated * (f3 * f4 / f2 / f1 / f)),
            given=(positive(f1), positive(f2), positive(f3), positive(f4), positive(f), positive(eps)),
            why="What is rounded under the root counts by its root.",
        ),
        NearMiss(
            Le(factor, most),
            given=(positive(f1), positive(f2), positive(f3), positive(f4), positive(f), *small(e), *small(t), nonnegative(spare)),
            why="The factors must be bounded.",
        ),
    ),
    leans_on=("standard model of floating-point arithmetic",),
    note="By mean_rounded_le, |c| <= g(d) mean(|z|) and t = g(d + 3) (q + c^2)/(q + c^2 + eps), where g(k) = k e/(1 - k e).",
)
