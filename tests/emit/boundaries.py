"""Rows whose answers lie next to a rounding boundary: the inputs on which a rounding test that promises too much is found out.

One or two entries far smaller than the others, which hardly move the answer, are chosen so that one component of it comes within
2^-k units in the last place of the middle between two floats. Imports NumPy, mpmath, ml_dtypes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

from tests.emit.bug_cases import FORMATS, PRECISION

Array = NDArray[Any]
BITS = 500
TUNERS = 2
SIDES = (1, -1)


def _float(value: Any, form: str) -> float:
    """The number of this format nearest to a long one (up to double rounding, which does no harm here)."""
    return float(np.float64(float(value)).astype(FORMATS[form]))


def _boundary(value: Any, form: str) -> tuple[Any, Any]:
    """The middle between two floats that is nearest to this value, and the spacing of the floats there."""
    _, exponent = mpmath.frexp(value)
    spacing = mpmath.ldexp(1, exponent - PRECISION[form])
    return (mpmath.floor(value / spacing) + mpmath.mpf(1) / 2) * spacing, spacing


def _statistics(row: list[Any], eps: float) -> tuple[Any, Any]:
    mean = mpmath.fsum(row) / len(row)
    return mean, 1 / mpmath.sqrt(mpmath.fsum((v - mean) ** 2 for v in row) / len(row) + mpmath.mpf(eps))


def _tuned(
    start: list[float], value: Callable[[list[Any]], Any], slope: Callable[[list[Any], int], Any], form: str, side: int, k: int
) -> list[float]:
    """The start with its last entries, zeros at first, chosen by Newton's method so that the value lies 2^-k units beside a boundary."""
    entries = [mpmath.mpf(v) for v in start]
    goal, spacing = _boundary(value(entries), form)
    goal += side * mpmath.ldexp(spacing, -k)
    for tuner in range(1, TUNERS + 1):
        at = len(entries) - tuner
        for _ in range(3):
            rate = slope(entries, at)
            if rate == 0:
                break
            entries[at] += (goal - value(entries)) / rate
        entries[at] = mpmath.mpf(_float(entries[at], form))
    return [float(v) for v in entries]


def core_rows(start: Array, eps: float, form: str, distances: Iterable[int]) -> Array:
    """Rows like these, d >= 4, in which u_0 lies 2^-k units beside a boundary, k from the distances in turn, on both sides."""
    with mpmath.workprec(BITS):

        def value(row: list[Any]) -> Any:
            mean, root = _statistics(row, eps)
            return (row[0] - mean) * root

        def slope(row: list[Any], j: int) -> Any:
            mean, root = _statistics(row, eps)
            return -root / len(row) * (1 + (row[0] - mean) * (row[j] - mean) * root**2)

        return np.array([_tuned(row, value, slope, form, side, k) for row, side, k in _paired(start, distances)]).astype(FORMATS[form])


def gradient_rows(dy: Array, x: Array, eps: float, form: str, distances: Iterable[int]) -> Array:
    """Cotangents like these, d >= 4, for which dx_0 of the core lies 2^-k units beside a boundary."""
    found = []
    with mpmath.workprec(BITS):
        for (row, side, k), line in zip(_paired(dy, distances), x.astype(np.float64), strict=True):
            entries = [mpmath.mpf(v) for v in line]
            mean, root = _statistics(entries, eps)
            u = [(v - mean) * root for v in entries]

            slopes = [root * ((j == 0) - (1 + u[0] * v) / len(u)) for j, v in enumerate(u)]

            def slope(_: list[Any], j: int, slopes: list[Any] = slopes) -> Any:
                return slopes[j]

            def value(g: list[Any], slopes: list[Any] = slopes) -> Any:
                return mpmath.fdot(g, slopes)

            found.append(_tuned(row, value, slope, form, side, k))
    return np.array(found).astype(FORMATS[form])


def biases(x: Array, weight: Array, eps: float, form: str, distances: Iterable[int]) -> Array:
    """A bias for one row such that each component of weight * u + bias lies 2^-k units beside a boundary, k from the distances in turn."""
    found, ks = [], list(distances)
    with mpmath.workprec(BITS):
        row = [mpmath.mpf(float(v)) for v in x]
        mean, root = _statistics(row, eps)
        for j, entry in enumerate(row):
            value = mpmath.mpf(float(weight[j])) * (entry - mean) * root
            goal, spacing = _boundary(value, form)
            found.append(_float(goal + SIDES[j % 2] * mpmath.ldexp(spacing, -ks[j // 2 % len(ks)]) - value, form))
    return np.array(found).astype(FORMATS[form])


def summands(dy: Array, form: str, distances: Iterable[int]) -> Array:
    """These rows, two or more, with the last one chosen so that the sum of each column lies 2^-k units beside a boundary."""
    ks = list(distances)
    rows = dy.astype(np.float64)
    with mpmath.workprec(BITS):
        for j in range(rows.shape[1]):
            value = mpmath.fsum(mpmath.mpf(v) for v in rows[:-1, j].tolist())
            goal, spacing = _boundary(value, form)
            rows[-1, j] = _float(goal + SIDES[j % 2] * mpmath.ldexp(spacing, -ks[j // 2 % len(ks)]) - value, form)
    return rows.astype(FORMATS[form])


def _paired(start: Array, distances: Iterable[int]) -> list[tuple[list[float], int, int]]:
    """Each row with its last entries cleared, a side and a distance."""
    ks = list(distances)
    rows = start.astype(np.float64)
    rows[:, -TUNERS:] = 0.0
    return [(row.tolist(), SIDES[n % 2], ks[n // 2 % len(ks)]) for n, row in enumerate(rows)]
