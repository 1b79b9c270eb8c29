"""What an error c of the mean does to variance and core, exactly: it inflates eps by c^2 and shifts the core."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at, by, centred, chain, given, split, square_of_root, unfold, variance
from lnsym.lang import Eq, Le, P, core, mean, norm, positive, sqrt, symbols

from ..definitions import c, d, eps, mu, q, rho, s, u, v, z

(x,) = symbols("x")

shifted = z - (mu + c)
root = sqrt(mean(shifted**2) + eps)
inflated = sqrt(q + c**2 + eps)

THEOREM = Derivation(
    title="A mean that is off by c inflates eps by c^2: the variance becomes q + c^2, and the centred core that of eps + c^2.",
    catalogue="T67",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(mean(shifted**2), q + c**2),
            chain(mean(shifted**2))
            .to(mean((v - c) ** 2), by=split, why="z less its mean is v.")
            .to(q + c**2, by=(centred, variance), why="The term 2 c v has mean 0."),
            label="the variance",
        ),
        Claim(
            Eq(shifted / root, (v - c) / inflated),
            by(split, centred, variance, why="The variance becomes q + c^2."),
            label="the core",
        ),
        Claim(
            Eq(mean(shifted / root), -c / inflated),
            by(split, centred, variance, why="v has mean 0."),
            label="its mean",
        ),
        Claim(
            Eq(P(shifted / root), core(z, eps + c**2)),
            by(split, centred, variance, why="Centering takes c away; c^2 stays under the root."),
            label="its centred part",
        ),
        Claim(
            Eq(shifted / root, -c / sqrt(c**2 + eps)),
            chain(shifted / root)
            .to((v - c) / inflated, by=(split, centred, variance), why="The variance becomes q + c^2.")
            .to(-c / sqrt(c**2 + eps), by=given, why="With v = 0 and q = 0 only c is left: the error itself becomes the output."),
            given=(Eq(v, 0), Eq(q, 0)),
            label="of a constant row",
        ),
        Claim(
            Le(norm(shifted / root - u) ** 2, d * c**2 / (q + eps)),
            Gap(
                d * c**4 * (inflated**2 + 2 * inflated * s + eps) / (s * inflated * (s + inflated)) ** 2,
                why="The shift gives d c^2/(q + c^2 + eps); the larger root takes away less than that leaves free.",
            ),
            label="how far the core moves",
        ),
        Claim(
            Eq(v / sqrt(q * (1 + x) + eps), u / sqrt(1 + x * rho)),
            by(unfold(u, rho), square_of_root(s), why="What stands under the root is (q + eps)(1 + rho x): eps damps the error."),
            given=(positive(q * (1 + x) + eps),),
            label="where the variance is off by the relative error x",
        ),
    ),
    points=(at(z=(1, 3), eps=8, c=4, x=7), at(z=(1, 2, 3), eps="1/3", c=1, x="1/2"), at(z=(5,), eps=3, c=1, x=0)),
    near_misses=(
        NearMiss(Eq(mean(shifted**2), q), why="The squares about another point than the mean are larger."),
        NearMiss(Eq(mean(shifted**2), q - c**2), why="They are larger, not smaller."),
        NearMiss(Eq(P(shifted / root), u), why="c^2 stays under the root."),
        NearMiss(Eq(shifted / root, core(z, eps + c**2)), why="The core is shifted too, unless it is centred again."),
        NearMiss(Le(norm(shifted / root - u) ** 2, c**2 / (q + eps)), why="Every coordinate is shifted: the bound carries d."),
        NearMiss(
            Eq(v / sqrt(q * (1 + x) + eps), u / sqrt(1 + x)),
            given=(positive(eps), positive(q * (1 + x) + eps), positive(1 + x)),
            why="The error is relative to q, and eps is exact: it counts with q/(q + eps).",
        ),
        NearMiss(Eq(mean(shifted / root), -c / s), why="The root holds c^2 as well."),
    ),
)
