"""The curve's slope is h' = eps/(2 t^2/3 + eps)^(3/2), the radial eigenvalue of the Jacobian."""

from lnsym.derivation import Claim, Derivation, Example, NearMiss, algebra, at, by, chain, derivative, squares, unfold
from lnsym.kernel.terms import Index
from lnsym.lang import D, Eq, fraction, positive, sqrt

from ..definitions import J, eps, q, r, s, t, u, v
from . import FAMILY, curve, radicand

THIRD = Index("3")
root = sqrt(radicand())

THEOREM = Derivation(
    title="The curve's slope is h' = eps/(2t^2/3 + eps)^(3/2), the radial eigenvalue.",
    catalogue="S39",
    cites=("000 ¶5", "004 ¶13"),
    given=(FAMILY, positive(eps)),
    claims=(
        Claim(
            Eq(D(u[THIRD], t), eps / root**3),
            chain(D(u[THIRD], t))
            .to(D(curve(), t), by=(unfold(u, s), derivative), why="On the family the third coordinate is the curve h.")
            .to(1 / root - t * D(root, t) / root**2, by=derivative, why="The quotient rule.")
            .to(
                1 / root - t * (2 * t / (3 * root)) / root**2,
                by=derivative,
                why="The root's slope is half that of 2t^2/3 + eps, over the root.",
            )
            .to((radicand() - 2 * t**2 / 3) / root**3, by=squares, why="Over the common denominator; the root's square is 2t^2/3 + eps.")
            .to(eps / root**3, by=algebra, why="2t^2/3 cancels, and eps is left."),
        ),
        Claim(Eq(D(u[THIRD], t), eps * r**3), by(derivative, squares, why="r is 1 over the root of q + eps."), label="with r"),
        Claim(
            Eq(J(v), D(u[THIRD], t) * v),
            by(derivative, squares, why="The family moves along its own deviations, so its slope is the eigenvalue of J at v."),
            label="as an eigenvalue",
        ),
        Example((Eq(D(curve(), t), fraction(1, 3)),), at(t=1, eps="1/3"), why="At t = 1 the root is 1 and the slope is eps."),
    ),
    points=(at(z=(-1, 0, 1), t=1, eps="1/3"),),
    near_misses=(
        NearMiss(Eq(D(u[THIRD], t), 1 / root), why="The root moves with t too; 1/root is the eigenvalue across v, not along it."),
        NearMiss(Eq(D(u[THIRD], t), eps / (q + eps) ** 2), why="The power is 3/2: the cube of the root, not its fourth power."),
    ),
)
