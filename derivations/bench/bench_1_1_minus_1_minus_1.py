"""Test bench: z = (1, 1, -1, -1), eps = 5/4, with mean 0, where the root is 3/2."""

from lnsym.derivation import Derivation, NearMiss
from lnsym.lang import Eq, mean

from ..definitions import q, z
from . import row

THEOREM = Derivation(
    title="Test bench: z = (1, 1, -1, -1), eps = 5/4.",
    catalogue="X04",
    claims=row(
        (1, 1, -1, -1),
        "5/4",
        mean=0,
        variance=1,
        root="3/2",
        core=("2/3", "2/3", "-2/3", "-2/3"),
        ratio="4/9",
        radial="10/27",
        trace_="46/27",
        frobenius="748/729",
        pseudo_determinant="40/243",
        radial_condition="9/5",
        input_condition=1,
        potential=6,
        conjugate="-10/3",
    ),
    near_misses=(NearMiss(Eq(q, mean(z**2)), why="True here, where the mean is 0, and false elsewhere."),),
)
