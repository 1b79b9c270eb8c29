"""With one coordinate every input is constant: the core is 0, the output is the bias, and the gain has no gradient."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, derivative, given, unfold
from lnsym.lang import D, Eq, Index, dot, positive

from ..definitions import J, beta, d, eps, g, gamma, q, u, v, y

first = Index("1")

THEOREM = Derivation(
    title="For d = 1 the core is 0 at every input.",
    catalogue=("S04", "S02"),
    cites=("000 ¶1", "004 ¶9"),
    given=(Eq(d, 1), positive(eps)),
    claims=(
        Claim(Eq(v, 0), by(given, why="The mean of one number is that number.")),
        Claim(Eq(q, 0), by(given, why="Without deviations there is no variance: with eps = 0 the core would be 0/0 at every input.")),
        Claim(Eq(u, 0), by(given, unfold(u), why="0 over sqrt(eps).")),
        Claim(Eq(y, beta), by(given, unfold(y, u), why="Gain times 0, plus the bias.")),
        Claim(Eq(D(dot(g, y), gamma[first]), 0), by(given, derivative, why="The gradient for the gain is g u, and u is 0.")),
        Claim(Eq(J, 0), by(given, why="The core does not move with the input.")),
    ),
    points=(at(z=(5,), eps=1),),
    near_misses=(
        NearMiss(Eq(y, 0), why="The core is 0, but the bias remains."),
        NearMiss(Eq(u, 0), given=(Eq(d, 2), positive(eps)), why="Two coordinates can differ."),
    ),
)
