"""Chapter: the figure, with the family of inputs that it draws and the curve h."""

from lnsym.kernel.terms import COORDINATES, Components, Operand, Term, lift
from lnsym.lang import sqrt

from ..definitions import eps, t

TITLE = "The figure"
NUMBER = 7

FAMILY = Components("z", COORDINATES, (-t, lift(0), t))


def radicand(at: Term = t, stabilizer: Operand = eps) -> Term:
    """What stands under the root of the curve: q + eps on the family."""
    under: Term = 2 * at**2 / 3 + stabilizer
    return under


def curve(at: Term = t, stabilizer: Operand = eps) -> Term:
    """The curve of the figure, h_eps(t)."""
    value: Term = at / sqrt(radicand(at, stabilizer))
    return value
