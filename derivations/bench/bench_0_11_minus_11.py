"""Test bench: z = (0, 11, -11), eps = 1/3, where the root is 9 and one output rises with another's input."""

from lnsym.derivation import Derivation, Example, NearMiss, at
from lnsym.kernel.terms import Index
from lnsym.lang import D, Eq, Le, fraction, positive

from ..definitions import eps, u, z
from . import row

raised = D(u[Index("2")], z[Index("3")])

THEOREM = Derivation(
    title="Test bench: z = (0, 11, -11), eps = 1/3.",
    catalogue="X05",
    claims=(
        *row(
            (0, 11, -11),
            "1/3",
            mean=0,
            variance="242/3",
            root=9,
            core=(0, "11/9", "-11/9"),
            ratio="242/243",
            radial="1/2187",
            trace_="244/2187",
            frobenius="59050/4782969",
            pseudo_determinant="1/19683",
            radial_condition=243,
            input_condition=1,
            potential=27,
            conjugate="-1/9",
        ),
        Example((Eq(raised, fraction(40, 2187)),), at(z=(0, 11, -11), eps="1/3"), why="u_2 rises with z_3, for u_2 u_3 < -1."),
    ),
    near_misses=(NearMiss(Le(raised, 0), why="Off the diagonal the Jacobian is positive where u_i u_j < -1.", given=(positive(eps),)),),
)
