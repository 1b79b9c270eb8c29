"""Chapter: Adam's bias correction, with the two exponential accumulators."""

from lnsym.kernel.terms import STEPS, Array, Index, Power, Term, hole
from lnsym.lang import Sym, expectation, geometric, symbols, vector

from ..definitions import t

TITLE = "Adam's bias correction"
NUMBER = 9

beta1, beta2 = symbols("beta1 beta2")
g = vector("g", STEPS)  # one coordinate's gradient at each step


def accumulated(x: Array, base: Sym = beta1, shift: int = 0) -> Term:
    """The accumulator after t + shift steps, unrolled: (1 - base) times the sum of base^(t + shift - i) x_i."""
    state: Term = (1 - base) * geometric(base, t, x, shift)
    return state


def corrected(x: Array, base: Sym = beta1, shift: int = 1) -> Term:
    """The accumulator after t + shift steps, over the sum of its weights."""
    moment: Term = accumulated(x, base, shift) / (1 - Power(base, t, shift))
    return moment


def expected(x: Array) -> Array:
    """The expected value of each entry, the gradients random."""
    place = hole(1, STEPS)
    return Array((place,), expectation(x[place], g))


def later(shift: int) -> Index:
    """The step t + shift."""
    return Index(f"t+{shift}", STEPS)
