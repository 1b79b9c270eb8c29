"""The core's variance lies within eps/q of 1 and within q/eps of 0, so it tends to 1 and to 0 in the two limits."""

from lnsym.derivation import Calculus, Claim, Derivation, Gap, NearMiss, at, by, unfold
from lnsym.lang import Eq, Le, Lt, positive

from ..definitions import d, eps, q, rho

THEOREM = Derivation(
    title="rho tends to 1 as q/eps grows, and to 0 as q/eps tends to 0.",
    catalogue="S07",
    cites=("000 ¶2", "004 ¶10"),
    given=(positive(eps),),
    claims=(
        Claim(Eq(1 - rho, eps / (q + eps)), by(unfold(rho), why="What is missing to 1 is eps/(q + eps).")),
        Claim(
            Lt(1 - rho, eps / q),
            Gap(eps**2 / (q * (q + eps)), why="eps/q and eps/(q + eps) differ by eps^2/(q (q + eps)) > 0."),
            given=(positive(q),),
            label="near 1",
        ),
        Claim(
            Le(rho, q / eps), Gap(q**2 / (eps * (q + eps)), why="q/eps and q/(q + eps) differ by q^2/(eps (q + eps)) >= 0."), label="near 0"
        ),
        Claim(None, Calculus("rho_limit_large", why="1 - rho is below eps/q, which tends to 0 as q/eps grows.")),
        Claim(None, Calculus("rho_limit_small", why="rho is at most q/eps.")),
        Claim(Eq(rho, 0), by(unfold(rho), why="With one coordinate q is 0."), given=(Eq(d, 1),), label="for d = 1 only q/eps = 0 occurs"),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", value="1/3"),),
    near_misses=(
        NearMiss(Le(1, rho), why="1 is a limit and not a value."),
        NearMiss(Lt(0, rho), why="0 is a value: at constant inputs."),
        NearMiss(Le(1 - rho, eps**2 / q**2), given=(positive(eps), positive(q)), why="The distance to 1 is of first order in eps/q."),
    ),
)
