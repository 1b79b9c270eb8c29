"""The curve bends by h'' = -2 eps t/(2 t^2/3 + eps)^(5/2): its one inflection is at t = 0, where the slope is 1/sqrt(eps)."""

from lnsym.derivation import Calculus, Claim, Derivation, NearMiss, OnlyIf, algebra, at, by, chain, derivative, given, squares
from lnsym.lang import D, Eq, positive, sqrt

from ..definitions import eps, t
from . import curve, radicand

root = sqrt(radicand())

THEOREM = Derivation(
    title="The curve bends by h'' = -2 eps t/(2t^2/3 + eps)^(5/2), and h'(0) = 1/sqrt(eps).",
    catalogue="S41",
    cites=("000 ¶5", "004 ¶13"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(D(D(curve(), t), t), -2 * eps * t / root**5),
            chain(D(D(curve(), t), t))
            .to(D(eps / root**3, t), by=(derivative, squares), why="The slope is eps over the cube of the root.")
            .to(-3 * eps * D(root, t) / root**4, by=derivative, why="The chain rule for the power -3.")
            .to(-3 * eps * (2 * t / (3 * root)) / root**4, by=derivative, why="The root's slope is 2t/3 over the root.")
            .to(-2 * eps * t / root**5, by=algebra, why="3 cancels."),
        ),
        Claim(
            Eq(D(curve(), t), 1 / sqrt(eps)),
            by(derivative, squares, given, why="At t = 0 the root is that of eps."),
            given=(Eq(t, 0),),
            label="the slope at 0",
        ),
        Claim(
            Eq(t, 0),
            OnlyIf(Eq(D(D(curve(), t), t), 0), -2 * eps / root**5, why="The factor beside t never vanishes."),
            given=(Eq(D(D(curve(), t), t), 0),),
            label="the only inflection",
        ),
        Claim(None, Calculus("h_second_derivative", why="Differentiated twice and simplified."), label="by calculus"),
    ),
    points=(at(t=1, eps="1/3", value="-2/3"), at(t=-1, eps="1/3", value="2/3")),
    near_misses=(
        NearMiss(Eq(D(D(curve(), t), t), -3 * eps * t / root**5), why="The inner derivative brings 2/3."),
        NearMiss(Eq(D(curve(), t), 1 / sqrt(eps)), why="The largest slope is reached at t = 0 only."),
    ),
)
