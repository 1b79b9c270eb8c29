"""With eps > 0 the core determines the deviations: inputs with the same core differ by a common shift."""

from lnsym.derivation import Claim, Derivation, Iff, NearMiss, OnlyIf, algebra, at, chain, fold, given, squares, theorem, unfold, variance
from lnsym.lang import Eq, dot, mean, norm, positive, sqrt

from ..definitions import d, eps, q, q_, rho, s, s_, u, u_, v, v_

EQUAL_CORES, EQUAL_DEVIATIONS, EQUAL_SIZE = Eq(u_, u), Eq(v_, v), Eq(mean(u_**2), mean(u**2))
SLOPE = s**2 * s_**2 / (d * eps * (s + s_))

THEOREM = Derivation(
    title="v = sqrt(eps) u/sqrt(1 - mean(u^2)): two inputs have the same core if and only if they have the same deviations.",
    catalogue="S18",
    cites=("004 ¶15",),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(sqrt(eps) * u / sqrt(1 - mean(u**2)), v),
            chain(sqrt(eps) * u / sqrt(1 - mean(u**2)))
            .to(sqrt(eps) * u / sqrt(1 - rho), by=theorem("norm_core_eq"), why="The mean square of the core is rho.")
            .to(sqrt(eps) * u / (sqrt(eps) / s), by=(unfold(rho, s), squares), why="1 - rho is eps/(q + eps), that is eps/s^2.")
            .to(s * u, by=algebra, why="The root of eps cancels.")
            .to(v, by=unfold(u), why="u is v/s."),
            label="the left side knows nothing of the input but its core",
        ),
        Iff(
            left=(EQUAL_CORES,),
            right=(EQUAL_DEVIATIONS,),
            forward=(
                Claim(
                    EQUAL_DEVIATIONS,
                    chain(v_)
                    .to(v + s_ * (u_ - u) + (s_ - s) * u, by=unfold(u, u_), why="v is s u and v' is s' u'.")
                    .to(
                        v + s_ * (u_ - u) + SLOPE * dot(u_ + u, u_ - u) * u,
                        by=(unfold(u, u_, s, s_), variance, squares),
                        why="The difference of the roots is a multiple of |u'|^2 - |u|^2.",
                    )
                    .to(v, by=given, why="Both terms have the factor u' - u, which is 0."),
                ),
            ),
            backward=(
                Claim(
                    EQUAL_CORES,
                    chain(u_)
                    .to(v_ / sqrt(norm(v_) ** 2 / d + eps), by=(unfold(u_, s_), variance, squares), why="q' is the mean of the v'_i^2.")
                    .to(v / sqrt(norm(v) ** 2 / d + eps), by=given, why="The deviations are equal.")
                    .to(u, by=(variance, squares, fold(s), fold(u)), why="This is the core of z."),
                ),
            ),
            label="for two inputs",
        ),
        Claim(
            Eq(q_, q),
            OnlyIf(EQUAL_SIZE, eps / (s**2 * s_**2), why="The mean squares differ by eps (q' - q)/(s^2 s'^2)."),
            given=(EQUAL_SIZE,),
            label="cores of equal length: equal variances",
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3"), at(z=(1, 2, 4), eps="1/3")),
    near_misses=(
        NearMiss(Eq(v_, v), given=(positive(eps), EQUAL_SIZE), why="Cores of equal length may point in different directions."),
        NearMiss(
            Eq(v_, v),
            given=(Eq(eps, 0), positive(q), positive(q_), EQUAL_CORES),
            why="With eps = 0 the inputs z and 2 z have the same core.",
        ),
        NearMiss(Eq(u, v), why="The core is the deviations divided by s, and s need not be 1."),
    ),
)
