"""u' - u = M(z' - z) for a symmetric matrix M; with the numbers of the pair (1, 2, 3) and (0, 11, -11)."""

from fractions import Fraction

from lnsym.derivation import (
    Claim,
    Derivation,
    Example,
    NearMiss,
    algebra,
    at,
    by,
    centred,
    count,
    entries,
    split,
    squares,
    unfold,
    variance,
)
from lnsym.kernel.terms import Array, Index
from lnsym.lang import Eq, P, dot, fraction, norm, outer, positive

from ..definitions import d, eps, s, s_, u, u_, v, v_, z, z_

INPUTS: dict[str, object] = {"z": (1, 2, 3), "z'": (0, 11, -11), "eps": "1/3"}
PAIR = at(None, **INPUTS)
secant: Array = (1 / s + 1 / s_) / 2 * P - outer(v + v_, v + v_) / (2 * d * s * s_ * (s + s_))
SUM = (-1, 11, -10)  # the entries of v + v'


def numbers(i: int, j: int) -> Fraction:
    """The entry (5/9) P_ij - w_i w_j/540 with w = v + v'."""
    return Fraction(5, 9) * (Fraction(i == j) - Fraction(1, 3)) - Fraction(SUM[i] * SUM[j], 540)


THEOREM = Derivation(
    title="u' - u = M(z' - z) with a symmetric M: the mean value of the Jacobian without an integral.",
    catalogue="X07",
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(secant(z_ - z), u_ - u),
            by(split, count, centred, variance, squares, unfold(s, s_, u, u_), why="(v + v') . (v' - v) = d(q' - q) = d(s' - s)(s' + s)."),
        ),
        Claim(Eq(secant, secant.T), by(algebra, why="P and the rank-one term are symmetric."), label="symmetric"),
        Example((*entries(v + v_, SUM), Eq(s, 1), Eq(s_, 9)), PAIR, why="The two roots are 1 and 9."),
        Example((Eq(norm(v - v_) ** 2, 266), Eq(norm(u - u_) ** 2, fraction(602, 81))), PAIR, why="602/81 = (266 - 192 (28/27))/9."),
        Example(
            (Eq((norm(v - v_) ** 2 - d * (s - s_) ** 2 * (1 + eps / (s * s_))) / (s * s_), fraction(602, 81)),),
            PAIR,
            why="The first secant identity.",
        ),
        Example(
            (Eq(dot(u - u_, v - v_), fraction(370, 9)), Eq(d * eps * (s - s_) ** 2 / (s * s_) ** 2, fraction(64, 81))),
            PAIR,
            why="370/9 = 5 (602/81 + 64/81), the second secant identity.",
        ),
        Example(
            tuple(Eq(secant[Index(str(i + 1)), Index(str(j + 1))], numbers(i, j)) for i in range(3) for j in range(3)),
            PAIR,
            why="M = (5/9) P - w w^T/540 with w = (-1, 11, -10).",
        ),
    ),
    points=(PAIR,),
    near_misses=(
        NearMiss(Eq(norm(u - u_) ** 2, norm(v - v_) ** 2 / (s * s_)), why="Only a bound: the roots differ."),
        NearMiss(Eq((1 / s + 1 / s_) / 2 * P(z_ - z), u_ - u), why="The rank-one term is needed where the roots differ."),
    ),
)
