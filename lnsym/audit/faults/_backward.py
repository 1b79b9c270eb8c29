"""What the gradient mistakes are written with: the right formulas and the backward pass in float64. Imports the records of a mistake.

In all of them g = weight*dy, u is the core, s its root, and mean(...) is taken over a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Parameters, Seen

DX = r"\mathrm{d}x = \frac{1}{s}\left(g - \overline{g} - u\,\overline{g u}\right), \quad g = \gamma\,\mathrm{d}y"
DWEIGHT = r"\mathrm{d}\gamma_i = \sum_{\text{rows}} \mathrm{d}y_i\,u_i"
DBIAS = r"\mathrm{d}\beta_i = \sum_{\text{rows}} \mathrm{d}y_i"


def mean(a: Array) -> Array:
    """The mean of every row, (n, 1)."""
    means: Array = a.mean(axis=1, keepdims=True)
    return means


def dx(g: Array, u: Array, s: Array) -> Array:
    """The gradient by x from the gradient g by u, the core u and the root s."""
    gradient: Array = (g - mean(g) - u * mean(g * u)) / s
    return gradient


def dx_with_root(rows: Rows, dy: Array, s: Array) -> Array:
    """The backward pass that computes core and root anew and gets another root."""
    with np.errstate(all="ignore"):
        return dx(rows.weight * dy, rows.v / s, s)


def dweight_with_root(rows: Rows, dy: Array, s: Array) -> Array:
    """The gradient by the weight with another root."""
    with np.errstate(all="ignore"):
        gradient: Array = (dy * rows.v / s).sum(axis=0)
    return gradient


def answers(seen: Sequence[Seen], name: str) -> Iterator[tuple[Rows, Array, Array]]:
    """The finite answers for one gradient, each with its rows and cotangent."""
    for one in seen:
        found = one.gradient.get(name)
        if one.dy is not None and found is not None and np.isfinite(found).all():
            yield one.rows, one.dy, found


def most_rows(seen: Sequence[Seen]) -> int:
    """The greatest number of rows of a probe."""
    return max((one.rows.n for one in seen), default=0)


def greatest_width(seen: Sequence[Seen]) -> int:
    """The greatest width of a probe."""
    return max((one.rows.d for one in seen), default=0)


def shifts(_: Sequence[Seen]) -> Iterator[Parameters]:
    """One place to the left and to the right."""
    yield {"shift": 1}
    yield {"shift": -1}
