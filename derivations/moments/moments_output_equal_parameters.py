"""Equal gains c and biases b change the moments too: the output has mean b and variance c^2 rho."""

from lnsym.derivation import Claim, Derivation, Iff, NearMiss, OnlyIf, at, chain, count, theorem
from lnsym.kernel.terms import Sym
from lnsym.lang import Eq, mean, positive, var

from ..definitions import c, eps, q, rho, u

b = Sym("b")
UNCHANGED, UNIT = Eq(var(c * u + b), rho), Eq(c**2, 1)

THEOREM = Derivation(
    title="With all gains c and all biases b the output has mean b and variance c^2 rho.",
    catalogue="S08",
    cites=("000 ¶2", "004 ¶10"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(mean(c * u + b), b),
            chain(mean(c * u + b))
            .to(c * mean(u) + b, by=count, why="The mean is linear, and the mean of d copies of b is b.")
            .to(b, by=theorem("mean_core_eq_zero"), why="The core has mean 0."),
        ),
        Claim(
            Eq(var(c * u + b), c**2 * rho),
            chain(var(c * u + b))
            .to(c**2 * var(u), by=count, why="A common bias drops out, a common gain leaves as its square.")
            .to(c**2 * mean(u**2), by=theorem("mean_core_eq_zero"), why="The core has mean 0, so its variance is the mean of its squares.")
            .to(c**2 * rho, by=theorem("norm_core_eq"), why="That mean is rho."),
        ),
        Iff(
            left=(UNCHANGED,),
            right=(UNIT,),
            forward=(Claim(UNIT, OnlyIf(UNCHANGED, rho, why="c^2 rho - rho is (c^2 - 1) rho, and rho > 0."), given=(positive(q),)),),
            backward=(Claim(UNCHANGED, OnlyIf(UNIT, (q + eps) / q, why="c^2 - 1 is c^2 rho - rho over rho > 0."), given=(positive(q),)),),
            label="q > 0: the variance of the core is kept only by c = 1 and c = -1",
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", c=2, b=5, value="5"),),
    near_misses=(
        NearMiss(Eq(var(c * u + b), rho), why="Equal parameters change the variance too, unless c is 1 or -1."),
        NearMiss(UNIT, given=(positive(eps), UNCHANGED), why="At a constant input rho = 0, and every c keeps it."),
        NearMiss(Eq(c, 1), given=(positive(eps), positive(q), UNIT), why="c = -1 keeps the variance as well."),
    ),
)
