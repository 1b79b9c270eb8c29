"""Chapter: cases, batches and time, with the rows and columns of a batch and the Jacobian of the core of one of them."""

from lnsym.kernel.terms import ROWS, Array, Entry, Index, hole
from lnsym.lang import identity, length, matrix, mean, outer, sqrt, var

from ..definitions import eps

TITLE = "Cases, batches and time"
NUMBER = 8

X = matrix("X", ROWS)  # one case in each row


def row(case: Index) -> Array:
    """One case of the batch: a row of X."""
    return Array((hole(1),), Entry("X", (case, hole(1))))


def column(feature: Index) -> Array:
    """One feature over all cases: a column of X."""
    return Array((hole(1, ROWS),), Entry("X", (hole(1, ROWS), feature)))


def core_jacobian(x: Array) -> Array:
    """The Jacobian of the core at a vector that need not be z: (P - v v^T/(d s^2))/s with its own v, d and s."""
    number, deviations, root = length(x.indices[0].range), x - mean(x), sqrt(var(x) + eps)
    jacobian: Array = (identity(x.indices[0].range) - 1 / number - outer(deviations, deviations) / (number * root**2)) / root
    return jacobian
