"""The core is 0 exactly at constant inputs; the output is the bias exactly where gain times deviation is 0."""

from lnsym.derivation import Claim, Derivation, Iff, NearMiss, OnlyIf, at, by, chain, given, unfold
from lnsym.lang import Eq, i, positive

from ..definitions import beta, eps, gamma, q, s, u, v, y

NO_CORE, NO_DEVIATION = Eq(u, 0), Eq(v, 0)
IS_BIAS, NO_PRODUCT = Eq(y[i], beta[i]), Eq(gamma[i] * v[i], 0)

THEOREM = Derivation(
    title="u = 0 if and only if v = 0; y = beta if and only if gamma v = 0.",
    catalogue="S04",
    cites=("000 ¶1", "004 ¶9"),
    given=(positive(eps),),
    claims=(
        Iff(
            left=(NO_CORE,),
            right=(NO_DEVIATION,),
            forward=(
                Claim(NO_DEVIATION, chain(v).to(s * u, by=unfold(u), why="The core is v over s.").to(0, by=given, why="The core is 0.")),
            ),
            backward=(Claim(NO_CORE, by(given, unfold(u), why="0 over s > 0 is 0.")),),
        ),
        Iff(
            left=(IS_BIAS,),
            right=(NO_PRODUCT,),
            forward=(Claim(NO_PRODUCT, OnlyIf(IS_BIAS, 1 / s, why="y_i - beta_i is gamma_i v_i over s > 0.")),),
            backward=(Claim(IS_BIAS, OnlyIf(NO_PRODUCT, s, why="gamma_i v_i is s times y_i - beta_i, and s > 0.")),),
            label="coordinate by coordinate",
        ),
        Claim(
            Eq(y, beta),
            by(given, unfold(y, u), why="The core is 0, so only the bias is left."),
            given=(NO_DEVIATION,),
            label="constant input",
        ),
    ),
    points=(at(z=(5, 5, 5), eps=1),),
    near_misses=(
        NearMiss(
            NO_DEVIATION,
            given=(positive(eps), Eq(y, beta)),
            why="A gain that is 0 hides a deviation: y = beta does not make the input constant.",
        ),
        NearMiss(Eq(y, 0), given=(positive(eps), NO_DEVIATION, Eq(q, 0)), why="A constant input gives the bias, not 0."),
    ),
)
