"""Test bench: z = (1, 2, 4), eps = 11/9, where the root is 5/3."""

from lnsym.derivation import Derivation, NearMiss
from lnsym.lang import Eq, at_least, dot

from ..definitions import d, q, v
from . import row

THEOREM = Derivation(
    title="Test bench: z = (1, 2, 4), eps = 11/9.",
    catalogue="X06",
    claims=row(
        (1, 2, 4),
        "11/9",
        mean="7/3",
        variance="14/9",
        root="5/3",
        core=("-4/5", "-1/5", 1),
        ratio="14/25",
        radial="33/125",
        trace_="108/125",
        frobenius="6714/15625",
        pseudo_determinant="99/625",
        radial_condition="25/11",
        input_condition="9/2",
        potential=5,
        conjugate="-11/5",
    ),
    near_misses=(NearMiss(Eq(q, dot(v, v) / (d - 1)), why="That would be 7/3 here: the divisor is d.", given=(at_least(d, 2),)),),
)
