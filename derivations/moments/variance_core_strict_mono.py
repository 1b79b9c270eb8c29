"""The core's variance depends on q/eps alone and grows strictly with it."""

from lnsym.derivation import Calculus, Claim, Derivation, Gap, NearMiss, at, by, chain, derivative, square_of_root, unfold
from lnsym.kernel.terms import Sym
from lnsym.lang import D, Eq, Lt, positive

from ..definitions import eps, q, q_, rho, s

x = Sym("x")

THEOREM = Derivation(
    title="With x = q/eps, rho = x/(1 + x), and a larger variance gives a larger rho.",
    catalogue="S07",
    cites=("000 ¶2", "004 ¶10"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(rho, (q / eps) / (1 + q / eps)),
            chain(rho)
            .to(q / (q + eps), by=unfold(rho), why="The definition.")
            .to((q / eps) / (1 + q / eps), by=square_of_root(s), why="Numerator and denominator divided by eps > 0."),
        ),
        Claim(
            Lt(q / (q + eps), q_ / (q_ + eps)),
            Gap(eps * (q_ - q) / ((q + eps) * (q_ + eps)), why="The difference is eps (q' - q) over two positive numbers."),
            given=(Lt(q, q_),),
            label="for two inputs with q < q'",
        ),
        Claim(
            Eq(D(x / (1 + x), x), 1 / (1 + x) ** 2),
            by(derivative, why="The quotient rule; the slope is positive."),
            given=(positive(x),),
            label="the slope in x",
        ),
        Claim(None, Calculus("rho_increasing", why="The slope 1/(1 + x)^2 is positive.")),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", value="2/3"), at(z=(1, 2, 3), eps="4/3", value="1/3")),
    near_misses=(
        NearMiss(Eq(rho, q / eps), why="That is the odds rho/(1 - rho), not rho."),
        NearMiss(Lt(q / (q + eps), q_ / (q_ + eps)), given=(Lt(q, q_),), why="With eps = 0 both sides are 1."),
    ),
)
