"""What the small functions of the exact tier promise, held to by whole numbers: probes of the battery that look at one function alone.

Imports NumPy and the standard library.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Names = dict[str, Any]
U = Fraction(1, 2**53)
FORMATS = {"float64": (53, -1074, 1024), "float32": (24, -149, 128), "float16": (11, -24, 16), "bfloat16": (8, -133, 128)}


@dataclass(frozen=True)
class Contract:
    """A function and what is wrong with it, as a probe of the battery."""

    name: str
    operation: str
    check: Callable[[Any, np.random.Generator], str | None]

    def failure(self, names: Names, tier: str) -> str | None:  # noqa: ARG002 as of a probe
        """What is wrong with this function, or None."""
        wrong = self.check(names[self.operation], np.random.default_rng(len(self.name)))
        return None if wrong is None else f"{self.name}: {wrong}"


def _words(r: np.random.Generator, n: int, spread: int = 20) -> tuple[Array, Array]:
    """Numbers as two words."""
    high = r.standard_normal(n) * 2.0 ** r.integers(-spread, spread + 1, n)
    return high, high * r.uniform(-1, 1, n) * 2.0**-54


def _sum(*parts: Any) -> Fraction:
    return sum((Fraction(float(one)) for one in parts), Fraction(0))


def _divide_words(function: Any, r: np.random.Generator) -> str | None:
    (a, a_low), (b, b_low) = _words(r, 200), _words(r, 200)
    for parts in zip(a, a_low, b, b_low, *function(a, a_low, b, b_low), strict=True):
        right = _sum(*parts[:2]) / _sum(*parts[2:4])
        if abs(_sum(*parts[4:]) - right) > 16 * U**2 * abs(right):
            return "the error is beyond 16 units squared"
    return None


def _divide_by_count(function: Any, r: np.random.Generator) -> str | None:
    high, low = _words(r, 300)
    lowest = low * r.uniform(-1, 1, 300) * 2.0**-54
    high[:60], low[:60] = r.integers(-64, 64, 60), 0.0
    lowest[:80] = 0.0
    cancelled = r.standard_normal(60)
    high[100:160], low[100:160] = cancelled, -cancelled * (1 + 2.0**-30)
    lowest[160:180] = np.ldexp(r.integers(1, 9, 20).astype(float), -1074)
    high[180:200], low[180:200], lowest[180:200] = np.ldexp(r.integers(1, 99, 20).astype(float), -1074), 0.0, 0.0
    for count in (1.0, 3.0, 7.0, 64.0, 77.0, 4097.0):
        for parts in zip(high, low, lowest, *function(high, low, lowest, count), strict=True):
            right, bound = _sum(*parts[:3]) / int(count), _sum(parts[6]) * (1 + 8 * U) / int(count)
            missed = abs(_sum(*parts[3:6]) - right)
            if missed > bound:
                return "what is missed is beyond its bound"
            size = abs(_sum(parts[0])) + abs(_sum(parts[1]))
            usual = 2**10 * U**3 if abs(parts[1]) < abs(parts[0]) * 2.0**-50 else 16 * U**2  # less if the words overlap
            if bound > 16 * missed + usual * size:
                return "the bound is far too large"
    return None


def _sum_words(function: Any, r: np.random.Generator) -> str | None:
    for d in (1, 2, 5, 64, 100, 700):
        x = r.standard_normal((20, d)) * 2.0 ** r.integers(-140, 1, (20, d))
        x[:5] = np.rint(x[:5] * 2**20)
        x[15:, 1::2] = -x[15:, : d - d % 2 : 2] * (1 + 2.0**-52)
        top = np.ldexp(1.0, np.frexp(np.abs(x).max(axis=1))[1])
        for row, one, *words, bound in zip(x, top, *function(x, top), strict=True):
            missed = abs(_sum(*words) - _sum(*row))
            if missed > _sum(bound):
                return "what is missed is beyond its bound"
            if _sum(bound) > 2 * d * d * U**3 * _sum(one):
                return "the bound is far too large"
    return None


def nearest(value: Fraction, form: tuple[int, int, int]) -> float:
    """The number of a format nearest to a fraction, ties to even, infinite beyond its range."""
    digits, least, top = form
    if value == 0:
        return 0.0
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    unit = Fraction(2) ** max(exponent + 1 - digits, least)
    whole = round(size / unit) * unit
    return math.copysign(math.inf if whole >= Fraction(2) ** top else float(whole), value)


def _round_words(function: Any, r: np.random.Generator) -> str | None:
    for form in FORMATS.values():
        digits, least, top = form
        n = 600
        whole = r.integers(2 ** (digits - 1), 2**digits, n).astype(float) * np.where(r.random(n) < 0.5, -1, 1)
        whole[:60] = np.sign(whole[:60]) * 2.0 ** (digits - 1)
        exponent = r.integers(least - digits - 3, top - digits + 2, n)
        offset = np.where(r.random(n) < 0.5, 0.5, r.choice([0.25, -0.25, 0.0, -0.5, 0.75], n))
        high, low = whole + offset, r.choice([0.0, 1.0, -1.0], n) * 2.0 ** r.integers(-90, -54, n) * np.abs(whole)
        if digits == 53:
            high, low = whole, offset * (1 - 2.0**-20) + r.choice([0.0, 1.0, -1.0], n) * 2.0 ** r.integers(-40, -3, n)
        error = np.abs(high) * 2.0 ** r.integers(-110, -56, n) * r.choice([0.0, 1.0], n)
        high[-20:], low[-20:] = 0.0, 0.0
        total = high + low
        high, low = total, low - (total - high)
        for h, low_, e, k, value, certain in zip(high, low, error, exponent, *function(high, low, error, exponent, form), strict=True):
            scale = Fraction(2) ** int(k)
            value = math.copysign(math.inf, value) if abs(value) >= 2.0 ** min(top, 1023) * (1 + (top > 1023)) else value  # when it is cast
            ends = [nearest((_sum(h, low_) + sign * _sum(e)) * scale, form) for sign in (-1, 1)]
            if certain and not (value == ends[0] == ends[1] and np.signbit(value) == np.signbit(ends[0]) == np.signbit(ends[1])):
                return f"{h!r} + {low_!r} +- {e!r} is not certain to be {value!r}"
            unit = max(abs(_sum(h)) * Fraction(2) ** (1 - digits), Fraction(2) ** least / scale)
            wider = [nearest((_sum(h, low_) + sign * (2 * _sum(e) + 8 * U * unit)) * scale, form) for sign in (-1, 1)]
            if not certain and wider[0] == wider[1] and 0 < abs(wider[0]) < math.inf:
                return f"{h!r} + {low_!r} +- {e!r} is certain to be {wider[0]!r}"
    return None


def _weigh_words(function: Any, r: np.random.Generator) -> str | None:
    n = 300
    u, u_low = _words(r, n)
    u[:10], u_low[:10] = 0.0, 0.0
    error, exponent = np.abs(u) * 2.0**-100, r.integers(-600, 600, n)
    factor, term = (r.standard_normal(n) * 2.0 ** r.integers(-900, 900, n) for _ in range(2))
    near = slice(100, 300)
    exponent[near], factor[near] = r.integers(-3, 4, 200), r.standard_normal(200)
    term[near] = r.standard_normal(200) * 2.0 ** r.integers(-70, 70, 200)
    term[200:] = -(u * factor * 2.0**exponent)[200:]
    term[10:20] = 0.0
    for f, t in ((factor, term), (None, term), (factor, None)):
        found = function(u, u_low, error, exponent, f, t)
        for k, (high, low, bound, power) in enumerate(zip(*found, strict=True)):
            value = _sum(u[k], u_low[k]) * Fraction(2) ** int(exponent[k])
            given = _sum(error[k]) * Fraction(2) ** int(exponent[k])
            if f is not None:
                value, given = value * _sum(f[k]), given * abs(_sum(f[k]))
            right = value if t is None else value + _sum(t[k])
            scale = Fraction(2) ** int(power)
            allowed = _sum(bound) * scale
            if abs(_sum(high, low) * scale - right) + given > allowed:
                return "the error is beyond its bound"
            size = abs(value) + (0 if t is None else abs(_sum(t[k])))
            if allowed > 4 * given + 64 * U**2 * size + Fraction(2) ** -600 * size:
                return "the bound is far too large"
    return None


def _row_bound(function: Any, r: np.random.Generator) -> str | None:
    """Rows with one entry that is not 0: their root sum of squares is not below it."""
    for d in (1, 2, 63, 300):
        x = np.zeros((500, d))
        x[:, 0] = r.standard_normal(500)
        dense = r.standard_normal((50, d))
        for rows in (x, dense):
            found, top = function(rows), np.abs(rows).max(axis=1)
            if not ((found >= top) & (found <= 1.0001 * math.sqrt(d) * top)).all():
                return "it is no bound, or far too large"
    return None


def _size_bound(function: Any, r: np.random.Generator) -> str | None:
    for d in (1, 2, 300, 1600):
        x = np.zeros((300, d))
        x[:, 0] = r.standard_normal(300)
        found, top = function(x, np.vecdot(x, x)), np.abs(x[:, 0])
        if not ((found >= top) & (found <= 1.0001 * top)).all():
            return "it is no bound, or far too large"
        low = function(x, np.vecdot(x, x) * (1 - 2.0**-43))  # as wrong as a sum of many squares may be
        if not (low >= top).all():
            return "it is no bound of a row whose sum of squares came out too small"
    return None


CONTRACTS = tuple(
    Contract(f"contract of {check.__name__}", check.__name__, check)
    for check in (_divide_words, _divide_by_count, _sum_words, _round_words, _weigh_words, _row_bound, _size_bound)
)
