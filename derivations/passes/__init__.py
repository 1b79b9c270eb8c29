"""Chapter: what a forward pass, a backward pass and the derivative of a backward pass compute."""

from lnsym.kernel.terms import Array, Entry, Index, hole
from lnsym.lang import mean

from ..definitions import r, u

TITLE = "Forward and backward passes"
NUMBER = 6


def jacobian_apply(x: Array) -> Array:
    """The Jacobian applied to a vector as code computes it: with two means, and without the matrix."""
    applied: Array = r * (x - mean(x) - u * mean(u * x))
    return applied


def second_derivative_apply(x: Array, y: Array) -> Array:
    """The second derivative of the core applied to two directions as code computes it: with means, and without a cube."""
    across = mean(x * (y - mean(y))) - 3 * mean(u * x) * mean(u * y)
    applied: Array = -(r**2) * (mean(u * y) * (x - mean(x)) + mean(u * x) * (y - mean(y)) + across * u)
    return applied


def case(name: str, number: Index) -> Array:
    """One case of a batch: a row of the matrix of the given name."""
    return Array((hole(1),), Entry(name, (number, hole(1))))
