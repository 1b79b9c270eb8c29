"""How far the core in rounded arithmetic is from the core: by the error of the mean over s, and by the largest relative error."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at
from lnsym.lang import Le, i, nonnegative, norm, positive, sqrt, sum_over, symbols, vector

from ..definitions import c, d, eps, q, s, u, v

a, b = symbols("a b")  # bounds of the error c of the mean and of the relative errors x
x = vector("x")
inflated = sqrt(q + c**2 + eps)
about = (v - c) / inflated  # the core about the computed mean
rounded = about * (1 + x)

# With A = about - u and B = about x: |A + B|^2 <= (1 + m) |A|^2 + (1 + 1/m) |B|^2 for every m > 0, the gap being |m A - B|^2/m; here
# m = b s/a, the ratio of the bounds sqrt(d) b of |B| and sqrt(d) a/s of |A|.
ratio = b * s / a
larger_root = d * c**4 * (inflated**2 + 2 * inflated * s + eps) / (s * inflated * (s + inflated)) ** 2
shift_gap = d * (a - c) * (a + c) / s**2 + larger_root  # d a^2/s^2 - |A|^2
relative_gap = sum_over(i, about[i] ** 2 * (b - x[i]) * (b + x[i])) + b**2 * d * eps / inflated**2  # d b^2 - |B|^2
apart = sum_over(i, (ratio * (about[i] - u[i]) - about[i] * x[i]) ** 2) / ratio

OF_MEAN, OF_REST = (nonnegative(a - c), nonnegative(a + c)), (nonnegative(b - x[i]), nonnegative(b + x[i]))

THEOREM = Derivation(
    title="Rounded, the core is off by sqrt(d) (a/s + b) at most, where a bounds the error of the mean and b the relative errors.",
    catalogue="T100",
    given=(positive(eps), positive(a), positive(b)),
    claims=(
        Claim(
            Le(norm(about - u) ** 2, d * a**2 / s**2),
            Gap(shift_gap, why="The shift by c gives d c^2/(q + c^2 + eps), and the larger root less than what is left of d c^2/s^2."),
            given=OF_MEAN,
            label="by the mean",
        ),
        Claim(
            Le(norm(rounded - about) ** 2, d * b**2),
            Gap(relative_gap, why="The core about any mean has squares that sum to d at most."),
            given=OF_REST,
            label="by all else",
        ),
        Claim(
            Le(norm(rounded - u) ** 2, d * (a / s + b) ** 2),
            Gap(
                (1 + ratio) * shift_gap + (1 + 1 / ratio) * relative_gap + apart,
                why="The triangle inequality for the two: (1 + m) and (1 + 1/m) of the gaps, m = b s/a, and a square.",
            ),
            given=(*OF_MEAN, *OF_REST),
            label="together",
        ),
    ),
    points=(at(z=(1, 3), c=4, eps=8, a=4, b="1/4", x=("1/4", "-1/4")), at(z=(1, 2, 3), c=0, eps="1/3", a=1, b=1, x=(1, 0, -1))),
    near_misses=(
        NearMiss(
            Le(norm(rounded - u) ** 2, d * b**2),
            given=(positive(eps), positive(a), positive(b), *OF_MEAN, *OF_REST),
            why="The error of the mean is not relative to the core.",
        ),
        NearMiss(
            Le(norm(rounded - u) ** 2, (a / s + b) ** 2),
            given=(positive(eps), positive(a), positive(b), *OF_MEAN, *OF_REST),
            why="Every coordinate may be off: the bound carries d.",
        ),
        NearMiss(
            Le(norm(about - u) ** 2, d * a**2 / s**2),
            given=(positive(eps), positive(a), nonnegative(a - c)),
            why="c may be negative.",
        ),
    ),
    leans_on=("standard model of floating-point arithmetic",),
    note="Over |u| = sqrt(d q)/s this is a/sqrt(q) + b s/sqrt(q): the mean is felt by how far the row lies from 0, measured by its spread.",
)
