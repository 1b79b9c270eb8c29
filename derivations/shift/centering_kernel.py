"""The centering matrix sends exactly the constant vectors to 0, and its rank, like its trace, is d - 1."""

from lnsym.derivation import Claim, Derivation, Iff, NearMiss, algebra, at, by, chain, count, given
from lnsym.lang import Eq, P, mean, one, total, trace

from ..definitions import c, d, w, z

SENT_TO_ZERO, CONSTANT = Eq(P @ w, 0), Eq(w, c)

THEOREM = Derivation(
    title="ker P is the line of constant vectors, and rank P = trace P = d - 1.",
    catalogue="S11",
    cites=("000 ¶4", "004 ¶15"),
    claims=(
        Claim(Eq(P @ one, 0), by(count, why="The mean of 1 is 1.")),
        Claim(Eq(P @ z, z - mean(z)), by(algebra, why="Row i of I - 1 1^T/d takes the mean from z_i.")),
        Iff(
            left=(SENT_TO_ZERO,),
            right=(CONSTANT,),
            forward=(
                Claim(
                    CONSTANT,
                    chain(w)
                    .to(mean(w) + P @ w, by=algebra, why="P w is w less its mean.")
                    .to(c, by=given, why="P w is 0, and the mean is c."),
                    given=(Eq(mean(w), c),),
                    label="with c the mean of w",
                ),
            ),
            backward=(Claim(SENT_TO_ZERO, by(given, count, why="Every entry of P w is c - c.")),),
            label="the kernel, sharper than P 1 = 0",
        ),
        Claim(Eq(trace(P), d - 1), by(count, why="d times 1, less d times 1/d.")),
        Claim(Eq(total(P @ w), 0), by(count, why="P takes the mean away."), label="the range lies in the vectors of sum 0"),
        Claim(Eq(P @ w, w), by(given, why="Nothing is to be taken away."), given=(Eq(total(w), 0),), label="and is all of them"),
    ),
    points=(at(z=(1, 2, 4)),),
    near_misses=(
        NearMiss(Eq(trace(P), d), why="One dimension, that of the constant vectors, is lost."),
        NearMiss(Eq(w, 0), given=(SENT_TO_ZERO,), why="The kernel is more than the zero vector."),
        NearMiss(Eq(P @ w, w), given=(), why="Only vectors of sum 0 stay as they are."),
    ),
    note="The kernel has dimension 1, so the rank is d - 1; for d = 1 it is 0. The rank of a projection is its trace.",
)
