"""Chapter: the exact test bench, and what each of its rows states."""

from fractions import Fraction

from lnsym.derivation import At, Example, at, entries
from lnsym.kernel.terms import Term, lift
from lnsym.lang import Eq, norm, sqrt, trace

from ..definitions import J, d, eps, mu, q, r, rho, s, u

TITLE = "Exact test bench"
NUMBER = 13
RATIOS = "1/s over eps/s^3, the largest over the least nonzero eigenvalue; and the squared relative condition number of the core in z."
RATIOS_OF_TWO = "1/s over eps/s^3, and 1 + mu^2/q. For d = 2 the eigenvalue 1/s does not occur: these are not condition numbers."


def exact(number: str | int) -> Term:
    """A number of the bench as a term."""
    return lift(Fraction(number))


def row(
    z: tuple[int, ...], stabilizer: str | int, *, mean: str | int, variance: str | int, root: str | int, core: tuple[str | int, ...],
    ratio: str, radial: str, trace_: str, frobenius: str, pseudo_determinant: str, radial_condition: str | int, input_condition: str | int,
    potential: str | int, conjugate: str | int,
) -> tuple[Example, ...]:  # fmt: skip
    """The examples of one row: statistics, core, Jacobian and potential at one input whose root is rational."""
    place: At = at(z=z, eps=stabilizer)
    return (
        Example((Eq(mu, exact(mean)), Eq(q, exact(variance)), Eq(s, exact(root))), place, why="Mean, variance and root."),
        Example((*entries(u, core), Eq(rho, exact(ratio))), place, why="The core and its variance."),
        Example(
            (Eq(eps * r**3, exact(radial)), Eq(trace(J), exact(trace_))), place, why="The radial eigenvalue and the trace of the Jacobian."
        ),
        Example((Eq(trace(J.T @ J), exact(frobenius)),), place, why="The sum of the squared entries of the Jacobian."),
        Example((Eq(eps * r ** (len(z) + 1), exact(pseudo_determinant)),), place, why="The product of the d - 1 eigenvalues other than 0."),
        Example(
            (Eq(1 + q / eps, exact(radial_condition)), Eq(1 + mu**2 / q, exact(input_condition))),
            place,
            why=RATIOS if len(z) > 2 else RATIOS_OF_TWO,
        ),
        Example(
            (Eq(d * s, exact(potential)), Eq(-sqrt(d * eps) * sqrt(d - norm(u) ** 2), exact(conjugate))),
            place,
            why="The potential d s, whose gradient is the core, and its convex conjugate at the core.",
        ),
    )
