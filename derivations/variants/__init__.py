"""Chapter: other formulas that are called layer norm, with the words for them: eps outside the root, clamped, another divisor."""

from lnsym.kernel.terms import Array, Operand, Term
from lnsym.lang import mean, norm, sqrt, var

from ..definitions import eps

TITLE = "Variants of the core"
NUMBER = 11


def core_outside(x: Array, stabilizer: Operand = eps) -> Array:
    """The deviations over sigma + eps: eps is added outside the root."""
    result: Array = (x - mean(x)) / (sqrt(var(x)) + stabilizer)
    return result


def larger(first: Term, second: Operand) -> Term:
    """The larger of two numbers: half of their sum and their distance."""
    result: Term = (first + second + sqrt((first - second) ** 2)) / 2
    return result


def core_clamped(x: Array, stabilizer: Operand = eps) -> Array:
    """The deviations over the larger of sigma and eps."""
    result: Array = (x - mean(x)) / larger(sqrt(var(x)), stabilizer)
    return result


def core_divided(x: Array, divisor: Operand, stabilizer: Operand = eps) -> Array:
    """The core with another divisor than d in the variance, such as d - 1."""
    deviations = x - mean(x)
    result: Array = deviations / sqrt(norm(deviations) ** 2 / divisor + stabilizer)
    return result
