"""Test bench: z = (1, 2, 3), eps = 1/3, where the root is 1; with the Jacobian, its pseudo-inverse and second derivatives."""

from fractions import Fraction

from lnsym.derivation import Claim, Derivation, Example, NearMiss, at, by, centred, count, derivative, entries, squares, unfold, variance
from lnsym.kernel.terms import Array, Index, Relation
from lnsym.lang import D, Eq, P, dot, gradient, outer, positive

from ..definitions import J, d, eps, g, s, u, v, z
from . import row

PLACE = at(z=(1, 2, 3), eps="1/3")
pseudo_inverse = s * (P + outer(v, v) / (d * eps))
first = z[Index("1")]


def thirds(matrix: Array, rows: tuple[tuple[int, ...], ...]) -> tuple[Relation, ...]:
    """The entries of a matrix, in thirds."""
    return tuple(Eq(matrix[Index(str(i)), Index(str(j))], Fraction(x, 3)) for i, line in enumerate(rows, 1) for j, x in enumerate(line, 1))


THEOREM = Derivation(
    title="Test bench: z = (1, 2, 3), eps = 1/3.",
    catalogue=("X01", "X07"),
    given=(positive(eps),),
    claims=(
        *row(
            (1, 2, 3),
            "1/3",
            mean=2,
            variance="2/3",
            root=1,
            core=(-1, 0, 1),
            ratio="2/3",
            radial="1/3",
            trace_="4/3",
            frobenius="10/9",
            pseudo_determinant="1/3",
            radial_condition=3,
            input_condition=7,
            potential=3,
            conjugate=-1,
        ),
        Claim(
            Eq(J @ pseudo_inverse, P),
            by(squares, count, centred, variance, why="Radial: (eps/s^3)(s + s q/eps) = 1; across v: (1/s) s = 1."),
            label="the pseudo-inverse",
        ),
        Claim(
            Eq(gradient(d * s, z), u),
            by(derivative, squares, unfold(s, u), why="dq = 2 v/d, and 2 s ds = dq."),
            label="the core is the gradient of the potential d s",
        ),
        Claim(Eq(pseudo_inverse @ J, P), by(squares, count, centred, variance, why="The same from the other side."), label="from the left"),
        Example(thirds(J, ((1, -1, 0), (-1, 2, -1), (0, -1, 1))), PLACE, why="The Jacobian."),
        Example(thirds(pseudo_inverse, ((5, -1, -4), (-1, 2, -1), (-4, -1, 5))), PLACE, why="Its pseudo-inverse."),
        Example(
            entries(gradient(dot(g, u), z), ("-1/3", 0, "1/3")),
            at(z=(1, 2, 3), g=(1, 2, 3), eps="1/3"),
            why="The gradient for g = (1, 2, 3).",
        ),
        Example(
            tuple(Eq(D(D(u[Index(str(i))], first), first), x) for i, x in enumerate((Fraction(1, 3), Fraction(-2, 9), Fraction(-1, 9)), 1)),
            PLACE,
            why="The second derivative by the first coordinate, twice.",
        ),
    ),
    points=(PLACE,),
    near_misses=(
        NearMiss(Eq(J @ (s * P), P), why="Along v the Jacobian shrinks more, so its pseudo-inverse must stretch more."),
        NearMiss(Eq(D(D(u[Index("1")], first), first), 0), why="The core is not linear in a coordinate."),
    ),
)
