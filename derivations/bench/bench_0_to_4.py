"""Test bench: z = (0, 1, 2, 3, 4), eps = 1/4, where the root is 3/2."""

from lnsym.derivation import Derivation, NearMiss
from lnsym.lang import Eq, norm, positive

from ..definitions import d, eps, u
from . import row

THEOREM = Derivation(
    title="Test bench: z = (0, 1, 2, 3, 4), eps = 1/4.",
    catalogue="X03",
    claims=row(
        (0, 1, 2, 3, 4),
        "1/4",
        mean=2,
        variance=2,
        root="3/2",
        core=("-4/3", "-2/3", 0, "2/3", "4/3"),
        ratio="8/9",
        radial="2/27",
        trace_="56/27",
        frobenius="976/729",
        pseudo_determinant="16/729",
        radial_condition=9,
        input_condition=3,
        potential="15/2",
        conjugate="-5/6",
    ),
    near_misses=(NearMiss(Eq(norm(u) ** 2, d), why="The core lies inside the sphere of radius sqrt(d).", given=(positive(eps),)),),
)
