"""Along a segment the core moves no faster than 1/sqrt(eps) times the input: the route by integration."""

from lnsym.derivation import Claim, Derivation, Gap, NearMiss, at, centred, chain, count, derivative, split
from lnsym.kernel.terms import Array, hole
from lnsym.lang import D, Eq, Le, P, core, dot, i, mean, norm, positive, sqrt, var

from ..definitions import d, eps, h, t, v, z

POINT = z + t * h
C = core(POINT)
S = sqrt(var(POINT) + eps)
MOVING = v + t * P(h)
SPEED = Array((hole(1),), D(C[hole(1)], t))
GAP = d * mean(h) ** 2 / eps + var(POINT) / (eps * S**2) * norm(P(h)) ** 2 + (1 + eps / S**2) / S**2 * dot(C, h) ** 2 / d

THEOREM = Derivation(
    title="t -> u(z + t h) has the derivative J(z + t h) h, of norm at most |h|/sqrt(eps); so the core is eps^(-1/2)-Lipschitz.",
    catalogue="S34",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    leans_on=("mean value inequality",),
    claims=(
        Claim(
            Eq(D(C[i], t), ((P(h) - mean(C * h) * C) / S)[i]),
            chain(D(C[i], t))
            .to(
                D(MOVING[i] / S, t),
                by=(derivative, count, centred, split),
                why="Centering is linear: the deviations at z + t h are v + t Ph.",
            )
            .to(
                P(h)[i] / S - MOVING[i] * dot(MOVING, h) / (d * S**3),
                by=(derivative, count, centred, split),
                why="The quotient rule, with 2 S dS = (2/d) (v + t Ph).h dt.",
            )
            .to(((P(h) - mean(C * h) * C) / S)[i], by=(count, centred, split), why="This is the Jacobian at z + t h, applied to h."),
        ),
        Claim(
            Le(dot(SPEED, SPEED), dot(h, h) / eps),
            Gap(GAP, why="The bound on the Jacobian, at each point of the segment."),
        ),
    ),
    points=(at(z=(0, 1), eps=2, t=0, h=(1, 0)),),
    near_misses=(
        NearMiss(Eq(D(C[i], t), (P(h) / S)[i]), why="The root moves along the segment too."),
        NearMiss(
            Le(norm(SPEED), norm(h) / sqrt(2 * eps)), why="Where the segment meets a constant input the bound 1/sqrt(eps) is reached."
        ),
    ),
    note="By the mean value inequality |u(z + h) - u(z)| <= |h|/sqrt(eps). norm_core_sub_core_le proves the same without calculus.",
)
