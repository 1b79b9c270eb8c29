"""A row divided by any m > 0, with eps divided by m^2, has the same core; root, inverse root and Jacobian scale by a power of m."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, by, centred, chain, fold, split, square_of_root, variance
from lnsym.lang import Eq, P, core, mean, outer, positive, sqrt, symbols, var

from ..definitions import J, d, eps, q, r, s, u, v, z

(m,) = symbols("m")
scaled = z / m
root = sqrt(var(scaled) + eps / m**2)
deviations = scaled - mean(scaled)

THEOREM = Derivation(
    title="Rows can be scaled: u(z, eps) = u(z/m, eps/m^2), s = m s', r = r'/m and J = J'/m, for every m > 0.",
    catalogue="T69",
    given=(positive(eps), positive(m)),
    claims=(
        Claim(
            Eq(core(scaled, eps / m**2), u),
            chain(core(scaled, eps / m**2))
            .to(
                (v / m) / sqrt(q / m**2 + eps / m**2),
                by=(fold(q), centred, split),
                why="The deviations are divided by m, the variance by m^2.",
            )
            .to(v / sqrt(q + eps), by=algebra, why="1/m^2 comes out of the root as 1/m and cancels.")
            .to(u, by=fold(u, s), why="This is the core."),
            label="the core",
        ),
        Claim(
            Eq(m * root, s),
            chain(m * root)
            .to(m * sqrt(q / m**2 + eps / m**2), by=(fold(q), centred, split), why="The variance is divided by m^2.")
            .to(s, by=fold(s), why="1/m^2 comes out of the root as 1/m."),
            label="the root",
        ),
        Claim(
            Eq(1 / root / m, r),
            by(fold(q, r, s), centred, split, why="The inverse of the root is divided by m once more."),
            label="its inverse",
        ),
        Claim(
            Eq((P - outer(deviations, deviations) / (d * root**2)) / root / m, J),
            by(split, centred, variance, square_of_root(s), why="v v^T and s^2 scale alike; one 1/s is left."),
            label="the Jacobian",
        ),
        Claim(
            Eq(core(scaled), core(z, eps * m**2)),
            by(fold(q), centred, split, why="To leave eps as it is means to inflate it by m^2."),
            label="where eps is not divided",
        ),
    ),
    points=(at(z=(1, 3), eps=3, m=2), at(z=(1, 2, 3), eps="1/3", m="1/3"), at(z=(5,), eps=1, m=5)),
    near_misses=(
        NearMiss(Eq(core(scaled), u), why="eps must be divided by m^2 as well."),
        NearMiss(Eq(core(scaled, eps / m), u), why="The variance is a mean of squares, so eps is divided by m^2, not by m."),
        NearMiss(Eq(1 / root, r), why="The inverse of the root scales too; it is not that of the row itself."),
        NearMiss(Eq((P - outer(deviations, deviations) / (d * root**2)) / root, J), why="A gradient with 1/m too few: z/m moves by 1/m."),
    ),
)
