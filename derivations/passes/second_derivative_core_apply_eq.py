"""The second derivative of the core in two directions, and its pairing with a third, symmetric in all three."""

from lnsym.derivation import (
    Claim,
    Derivation,
    Example,
    NearMiss,
    at,
    by,
    centred,
    chain,
    derivative,
    entries,
    square_of_root,
    unfold,
    variance,
)
from lnsym.lang import D, Eq, P, dot, i, j, k, positive, sum_over

from ..definitions import J, d, eps, g, h, r, rho, s, u, v, w, z
from . import second_derivative_apply

second = sum_over(j, sum_over(k, D(D(u[i], z[j]), z[k]) * h[j] * w[k]))
swapped = sum_over(j, sum_over(k, D(D(u[i], z[j]), z[k]) * w[j] * h[k]))
along = sum_over(k, D(J(h)[i], z[k]) * w[k])  # the derivative of J h in direction w
slope = dot(v, w) / (d * s)  # of s in direction w
formula = -(r**2) / d * (dot(u, w) * P(h) + dot(u, h) * P(w) + dot(h, P(w)) * u - 3 / d * dot(u, h) * dot(u, w) * u)
laplacian = sum_over(j, D(D(u[i], z[j]), z[j]))

THEOREM = Derivation(
    title="D^2 u[h, w] = -(r^2/d) [(u.w) Ph + (u.h) Pw + (h.Pw) u - (3/d) (u.h) (u.w) u].",
    catalogue=("T31", "X07"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(second, formula[i]),
            chain(second)
            .to(along, by=(derivative, square_of_root(s)), why="J h is the derivative in direction h.")
            .to(
                sum_over(k, D(P(h)[i] / s - v[i] * dot(v, h) / (d * s**3), z[k]) * w[k]),
                by=(derivative, square_of_root(s)),
                why="J h is P h over s, less v times v.h over d s^3.",
            )
            .to(
                -P(h)[i] * slope / s**2
                - (P(w)[i] * dot(v, h) + v[i] * dot(h, P(w))) / (d * s**3)
                + 3 * v[i] * dot(v, h) * slope / (d * s**4),
                by=derivative,
                why="In direction w, v moves by P w, v.h by h.Pw, and s by v.w/(d s).",
            )
            .to(formula[i], by=unfold(r, u), why="One r goes with each v, and r^2 is left over."),
        ),
        Claim(
            Eq(formula, second_derivative_apply(h, w)),
            by(centred, unfold(u), why="Each sum over d is a mean, and h.Pw is the sum of h (w - mean(w))."),
            label="with means, as code computes it",
        ),
        Claim(Eq(second, swapped), by(derivative, square_of_root(s), why="The formula does not change when h and w change places.")),
        Claim(
            Eq(D(dot(g, J(h)), z[k]), D(dot(h, J(g)), z[k])),
            by(derivative, why="J is symmetric for every z, so g.Jh and h.Jg are one function."),
            label="with a third vector, symmetric in all three",
        ),
        Claim(
            Eq(laplacian, -(r**2) / d * (d + 1 - 3 * rho) * u[i]),
            by(
                derivative,
                variance,
                centred,
                unfold(r, u, rho),
                square_of_root(s),
                why="The sum over h = w = e_j: P has trace d - 1, and |u|^2 = d rho.",
            ),
            label="the Laplacian",
        ),
        Example(
            entries(formula, ("1/3", "-2/9", "-1/9")),
            at(z=(1, 2, 3), eps="1/3", h=(1, 0, 0), w=(1, 0, 0)),
            why="u = (-1, 0, 1) and r = 1; both directions move the first coordinate.",
        ),
    ),
    points=(
        at(z=(1, 2, 3), eps="1/3", h=(1, 0, 0), w=(1, 0, 0), g=(1, 2, 3)),
        at(z=(1, 3), eps=3, h=(1, 2), w=(0, 1), g=(1, 0)),
        at(z=(0, 1, 2, 3, 4), eps="1/4", h=(1, 0, 0, 2, 0), w=(0, 1, 0, 0, 3), g=(1, 1, 0, 0, 0)),
        at(z=(5,), eps=1, h=(2,), w=(3,), g=(1,)),
    ),
    near_misses=(
        NearMiss(
            Eq(second, (-(r**2) / d * (dot(u, w) * P(h) + dot(u, h) * P(w) + dot(h, P(w)) * u))[i]),
            why="The last term is missing: J moves too.",
        ),
        NearMiss(
            Eq(second, (-(r**2) / d * (dot(u, w) * P(h) + dot(u, h) * P(w) + dot(h, w) * u - 3 / d * dot(u, h) * dot(u, w) * u))[i]),
            why="h and w are paired after centering.",
        ),
        NearMiss(Eq(second, r * formula[i]), why="r^2 stands here: the core has no units, and z has those of 1/r."),
        NearMiss(Eq(laplacian, -(r**2) / d * (d - 1) * u[i]), why="The moving root adds 2 - 3 rho."),
    ),
)
