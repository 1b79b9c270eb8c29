"""The variance as mean(z^2) - mean(z)^2: what rounding the two parts does to it, and two numbers at which it comes out negative."""

from lnsym.derivation import Claim, Derivation, Example, Gap, NearMiss, at, centred, chain, split, variance
from lnsym.kernel.terms import Index
from lnsym.lang import Eq, Le, mean, nonnegative, symbols

from ..definitions import eps, mu, q, z

eta1, eta2, bound1, bound2 = symbols("eta1 eta2 b1 b2")  # relative errors of mean(z^2) and mean(z)^2, and bounds of their size
one_pass = mean(z**2) * (1 + eta1) - mean(z) ** 2 * (1 + eta2)
left_over = q + eps - ((bound1 + bound2) * mu**2 + bound1 * q)

z1, z2 = z[Index("1")], z[Index("2")]
NEGATIVE = at(z=(300000002, 300000004), eta1="-10/90000001800000010", eta2="7/90000001800000009")

THEOREM = Derivation(
    title="mean(z^2) - mean(z)^2 with relative errors eta1 and eta2 is q + eta1 (q + mu^2) - eta2 mu^2.",
    catalogue="T68",
    claims=(
        Claim(
            Eq(one_pass, q + eta1 * (q + mu**2) - eta2 * mu**2),
            chain(one_pass)
            .to((q + mu**2) * (1 + eta1) - mu**2 * (1 + eta2), by=(split, centred, variance), why="mean(z^2) is q + mu^2.")
            .to(q + eta1 * (q + mu**2) - eta2 * mu**2, by=split, why="mu^2 cancels; its errors do not, however small q is beside it."),
        ),
        Claim(
            Le(0, one_pass + eps),
            Gap(
                (eta1 + bound1) * (q + mu**2) + (bound2 - eta2) * mu**2 + left_over,
                why="At worst eta1 is -b1 and eta2 is b2; then just the difference that the hypothesis states is left.",
            ),
            given=(nonnegative(eta1 + bound1), nonnegative(bound2 - eta2), nonnegative(left_over)),
            label="when the root is safe",
        ),
        Example(
            (Eq(mu, 300000003), Eq(q, 1), Eq(z1**2, 90000001200000004), Eq(z2**2, 90000002400000016), Eq(mu**2, 90000001800000009)),
            NEGATIVE,
            why="Two neighbouring numbers with variance 1, and the squares that a one-pass formula needs.",
        ),
        Example(
            (
                Eq(z1**2, 5625000075000000 * 16 + 4),
                Eq(z2**2, 5625000150000001 * 16),
                Eq((z1**2 - 4) + z2**2, 5625000112500000 * 32 + 16),
                Eq(mu**2, 5625000112500001 * 16 - 7),
            ),
            NEGATIVE,
            why="With 53 bits these are multiples of 16, and of 32 from 2^57 on: 4 is lost, the tie goes to the even multiple, 7 is added.",
        ),
        Example(
            (Eq(mean(z**2) * (1 + eta1), 90000001800000000), Eq(mu**2 * (1 + eta2), 90000001800000016), Eq(one_pass, -16)),
            NEGATIVE,
            why="So double precision gives the variance -16 where it is 1; with eps = 1/100000 the root is not real.",
        ),
    ),
    points=(
        at(z=(1, 3), eta1="1/8", eta2="1/4", eps=3, b1="1/4", b2="1/4"),
        at(z=(1, 2, 3), eta1="-1/8", eta2="1/8", eps=5, b1="1/8", b2="1/4"),
    ),
    near_misses=(
        NearMiss(Eq(one_pass, q + eta1 * q - eta2 * mu**2), why="The error of mean(z^2) is relative to q + mu^2."),
        NearMiss(Eq(one_pass, q * (1 + eta1)), why="The errors are not relative to q: mu^2 magnifies them."),
        NearMiss(Le(0, one_pass), why="The difference of the two rounded parts may be negative."),
        NearMiss(
            Le(0, one_pass + eps),
            given=(nonnegative(eta1 + bound1), nonnegative(bound2 - eta2), nonnegative(q + eps - bound1 * q)),
            why="mu^2 must be small enough as well.",
        ),
    ),
)
