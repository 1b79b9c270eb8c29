"""Dividing the input by m asks for eps/m^2: with eps kept, the result is the core for m^2 eps."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, squares
from lnsym.kernel.terms import Sym
from lnsym.lang import Eq, core, positive

from ..definitions import eps, z

m = Sym("m")  # in practice the largest |z_i|, against overflow

THEOREM = Derivation(
    title="Dividing the input by m > 0, such as its largest absolute entry, asks for eps/m^2.",
    catalogue="N04",
    given=(positive(eps), positive(m)),
    claims=(
        Claim(Eq(core(z / m, eps / m**2), core(z)), by(squares, why="Deviations, root of the variance and root of eps shrink alike.")),
        Claim(Eq(core(z / m), core(z, m**2 * eps)), by(squares, why="With eps kept, it is the input's core for another eps.")),
    ),
    points=(at(z=(1, 2, 3), m=3, eps=1),),
    near_misses=(
        NearMiss(Eq(core(z / m), core(z)), why="eps was kept: the input is m times smaller, and eps weighs m^2 times as much."),
        NearMiss(Eq(core(z / m, eps / m), core(z)), why="eps has the unit of z^2, so it shrinks by m^2."),
    ),
)
