"""An input has variance 0 exactly if it is constant, and then its core is 0."""

from lnsym.derivation import Claim, Derivation, Iff, NearMiss, OnlyIf, at, by, chain, count, given, squares, variance
from lnsym.lang import Eq, P, core, i, j, mean, norm, positive, var

from ..definitions import c, d, eps, q, v, w

NO_VARIANCE, NO_DEVIATION, CONSTANT = Eq(q, 0), Eq(v, 0), Eq(w, c)

THEOREM = Derivation(
    title="The variance is 0 if and only if the deviations are 0, that is, if all coordinates are equal.",
    catalogue="S04",
    cites=("000 ¶1", "004 ¶9"),
    claims=(
        Iff(
            left=(NO_VARIANCE,),
            right=(NO_DEVIATION,),
            forward=(
                Claim(NO_DEVIATION, OnlyIf(NO_VARIANCE, 1 / d, why="d q is the sum of the squares v_i^2; it is 0 only if each v_i is.")),
            ),
            backward=(
                Claim(
                    NO_VARIANCE,
                    chain(q)
                    .to(norm(v) ** 2 / d, by=(variance, squares), why="q is the mean of the v_i^2.")
                    .to(0, by=given, why="Each v_i is 0."),
                ),
            ),
        ),
        Iff(
            left=(Eq(var(w), 0),),
            right=(CONSTANT,),
            forward=(
                Claim(
                    CONSTANT,
                    OnlyIf(Eq(var(w), 0), 1 / d, why="A mean of squares vanishes only if every square does."),
                    given=(Eq(mean(w), c),),
                    label="with c the mean of w",
                ),
            ),
            backward=(Claim(Eq(var(w), 0), by(given, count, why="The mean of d copies of c is c, so every deviation is 0.")),),
            label="for every vector w",
        ),
        Claim(
            Eq(w[i], w[j]),
            chain(w[i]).to(c, by=given, why="Each coordinate is c,").to(w[j], by=given, why="so any two are equal."),
            given=(CONSTANT,),
        ),
        Claim(
            Eq(core(w), 0),
            by(given, count, why="0 over sqrt(0 + eps)."),
            given=(positive(eps), CONSTANT),
            label="the core of a constant vector is 0",
        ),
        Claim(Eq(P @ w, 0), by(given, count, why="The mean of d copies of c is c."), given=(CONSTANT,), label="and so are its deviations"),
    ),
    points=(at(z=(5, 5, 5), eps=1),),
    near_misses=(
        NearMiss(Eq(w, 0), given=(Eq(var(w), 0),), why="Variance 0 means constant, not zero."),
        NearMiss(Eq(var(w), 0), given=(Eq(mean(w), 0),), why="Mean 0 says nothing of the spread."),
    ),
)
