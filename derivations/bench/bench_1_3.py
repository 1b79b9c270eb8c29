"""Test bench: z = (1, 3), eps = 3, where the root is 2; with the composition of two cores."""

from lnsym.derivation import Claim, Derivation, Example, NearMiss, at, by, centred, entries, split, squares, variance
from lnsym.lang import Eq, core, fraction, norm, positive, sqrt

from ..definitions import J, a, d, eps, r, v, z
from . import row

THEOREM = Derivation(
    title="Test bench: z = (1, 3), eps = 3.",
    catalogue=("X02", "X07"),
    given=(positive(eps), positive(a)),
    claims=(
        *row(
            (1, 3),
            3,
            mean=2,
            variance=1,
            root=2,
            core=("-1/2", "1/2"),
            ratio="1/4",
            radial="3/8",
            trace_="3/8",
            frobenius="9/64",
            pseudo_determinant="3/8",
            radial_condition="4/3",
            input_condition=5,
            potential=4,
            conjugate=-3,
        ),
        Claim(
            Eq(sqrt(1 + a) * core(core(z), a), core(z, a * eps / (1 + a))),
            by(
                split,
                centred,
                variance,
                squares,
                why="The inner variance is q/(q + eps); a core of a core is a core, for a smaller eps, scaled.",
            ),
            label="composition",
        ),
        Example(entries(core(core(z, 3), fraction(3, 4)), ("-1/2", "1/2")), at(z=(1, 3)), why="The core for 3, then that for 3/4."),
    ),
    points=(at(z=(1, 3), eps=3, a="3/4"),),
    near_misses=(
        NearMiss(Eq(core(core(z), a), core(z, a * eps)), why="The second eps adds to the first; they do not only multiply."),
        NearMiss(
            Eq(norm(J(v)), r * norm(v)),
            why="For d = 2 the only centred direction is v, with eigenvalue eps r^3.",
            given=(Eq(d, 2), positive(eps)),
        ),
    ),
)
