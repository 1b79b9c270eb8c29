"""With two coordinates the radial direction is the whole centred line: J = (eps/s^3) P."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, given, square_of_root
from lnsym.kernel.terms import COORDINATES, Components
from lnsym.lang import Eq, P, delta, i, j, positive

from ..definitions import J, c, eps, q, s, t, v

THEOREM = Derivation(
    title="At d = 2, where every input is (c - t, c + t), the Jacobian is (eps/s^3) P: there is no tangential direction.",
    catalogue=("S30", "S31"),
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps), Components("z", COORDINATES, (c - t, c + t))),
    claims=(
        Claim(
            Eq(v[i] * v[j], q * (2 * delta(i, j) - 1)),
            by(given, why="The deviations are -t and t, and q = t^2."),
        ),
        Claim(
            Eq(J, eps / s**3 * P),
            by(square_of_root(s), why="So v v^T = 2q P, and 1 - q/(q + eps) = eps/(q + eps)."),
        ),
    ),
    points=(at(z=(0, 1), eps=2, c="1/2", t="1/2"), at(z=(1, 3), eps=3, c=2, t=1)),
    near_misses=(
        NearMiss(Eq(J, P / s), why="The eigenvalue 1/s belongs to tangential directions, which need d >= 3."),
        NearMiss(Eq(J, eps / s**3 * P), given=(positive(eps),), why="For d >= 3 tangential directions have the larger eigenvalue 1/s."),
    ),
)
