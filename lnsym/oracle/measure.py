"""How far an array is from the exact numbers: in units of the last place, and as the constant k of a promised bound.

Numbers far outside the range of float64 occur (a bound of 1e-600, say), so they are kept as a float64 and an exponent.
Imports NumPy and the oracle's rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lnsym.oracle import exact_jvp, exact_layer_norm, exact_vjp
from lnsym.oracle.rows import ROOT_BITS, Array, Exact, Scaled, Surds, array_of, decode, decode_vector, floats, quiet, statistics
from lnsym.oracle.scalar import Format, Number, OracleError, Value, epsilon, format_of

ENOUGH = 80  # bits to which both ends of an enclosure agree before one of them stands for the number
NOTHING = 2.0**-100  # relative size of what an enclosure cannot tell from 0
FAR = 5000  # more binary orders of magnitude than any two numbers here that both matter are apart


# ---------------------------------------------------------------- numbers with a wide exponent


@dataclass(frozen=True)
class Wide:
    """An array of numbers fraction * 2^exponent, 1/2 <= |fraction| < 1 or 0."""

    fraction: Array
    exponent: Array

    @classmethod
    def of(cls, numbers: Array | float, exponent: Array | int = 0) -> Wide:
        """From float64 numbers times powers of two."""
        fraction, own = np.frexp(np.asarray(numbers, dtype=np.float64))
        return cls(fraction, np.where(fraction == 0, -FAR, own.astype(np.int64) + exponent))

    def __mul__(self, other: Wide) -> Wide:
        return Wide.of(self.fraction * other.fraction, self.exponent + other.exponent)

    def __truediv__(self, other: Wide) -> Wide:
        return Wide.of(self.fraction / other.fraction, self.exponent - other.exponent)

    def __add__(self, other: Wide) -> Wide:
        top = np.maximum(self.exponent, other.exponent)
        return Wide.of(self.at(top) + other.at(top), top)

    def __neg__(self) -> Wide:
        return Wide(-self.fraction, self.exponent)

    def __sub__(self, other: Wide) -> Wide:
        return self + -other

    def __abs__(self) -> Wide:
        return Wide(np.abs(self.fraction), self.exponent)

    def at(self, exponent: Array) -> Array:
        """The numbers divided by 2^exponent, as float64; 0 or infinity where they leave the range."""
        scaled: Array = np.ldexp(self.fraction, np.clip(self.exponent - exponent, -FAR, FAR).astype(np.int32))
        return scaled


def _of_ratios(ratios: list[Fraction], root: bool = False) -> Wide:
    """A column of fractions, or of their roots, to about 60 bits."""
    fractions, exponents = [], []
    for ratio in ratios:
        shift = 2 * ((130 + ratio.denominator.bit_length() - ratio.numerator.bit_length()) // 2)
        whole = (ratio.numerator << max(shift, 0)) // (ratio.denominator << max(-shift, 0))
        fractions.append(float(isqrt(whole) if root else whole))
        exponents.append(-shift // 2 if root else -shift)
    return Wide.of(np.array(fractions).reshape(-1, 1), np.array(exponents, dtype=np.int64).reshape(-1, 1))


# ---------------------------------------------------------------- exact numbers as two floats


@dataclass(frozen=True)
class Pairs:
    """Exact numbers to 80 bits or more: (high + low) 2^exponent; NaN in a row that has no answer."""

    high: Array
    low: Array
    exponent: Array


def pairs(exact: Exact) -> Pairs:
    """Every component as two floats and an exponent."""
    n, d = len(exact.rows), exact.d
    high, low = np.full((n, d), np.nan), np.zeros((n, d))
    exponent = np.zeros((n, d), dtype=np.int64)
    for i, row in enumerate(exact.rows):
        if row is not None:
            high[i], low[i], exponent[i] = _row_pairs(row)
    return Pairs(high, low, exponent)


def _row_pairs(row: Surds) -> tuple[Array, Array, Array]:
    first, second, place = row.enclose(ROOT_BITS if row.plain is None else 2 * ROOT_BITS)
    heads, shifts = floats(first)
    down = [0] * len(first) if shifts is None else shifts
    rests = [n - (int(x) << k) for n, x, k in zip(first, heads, down, strict=True)]
    high, low = np.array(heads), np.array([n / (1 << k) for n, k in zip(rests, down, strict=True)])
    low[np.abs(low) < NOTHING * np.abs(high)] = 0.0
    exponent = np.array(down, dtype=np.int64) + place
    if row.plain is not None:
        for j, (a, b) in enumerate(zip(first, second, strict=True)):
            if abs(b - a) << ENOUGH > min(abs(a), abs(b)):
                high[j], low[j], exponent[j] = _cancelled(row.value(j))
    return high, low, exponent


def _cancelled(value: Value) -> tuple[float, float, int]:
    """A number a + b sqrt(r) of which little is left, as two floats and an exponent."""
    if not value.sign():
        return 0.0, 0.0, 0
    bits = 2 * ROOT_BITS
    low, high = value.bounds(bits)
    while low * high <= 0 or abs(high - low) * 2**ENOUGH > min(abs(low), abs(high)):
        bits *= 2
        low, high = value.bounds(bits)
    exponent = low.numerator.bit_length() - low.denominator.bit_length()
    scaled = low / Fraction(2) ** exponent
    head = float(scaled)
    return head, float(scaled - Fraction(head)), exponent


def difference(got: Array, exact: Exact) -> Wide:
    """|got - exact|, where infinity counts as all from the first power of two beyond the format on, and NaN as infinitely wrong."""
    form, numbers = format_of(got.dtype), got.astype(np.float64).reshape(-1, exact.d)
    known = pairs(exact)
    mine = Wide.of(np.where(np.isfinite(numbers), numbers, 0.0))
    beyond = Wide.of(np.where(np.isinf(numbers), np.sign(numbers), 0.0), form.largest + 1)
    gap = ((mine + beyond) - Wide.of(known.high, known.exponent)) - Wide.of(known.low, known.exponent)
    passed = np.isinf(numbers) & (gap.fraction * beyond.fraction < 0)  # the exact number lies beyond that power of two
    gap = Wide(np.where(passed, 0.0, np.abs(gap.fraction)), gap.exponent)
    lost = np.isnan(numbers)
    neither = lost & np.isnan(known.high)
    return Wide(np.where(neither, 0.0, np.where(lost | np.isnan(known.high), np.inf, gap.fraction)), np.where(lost, 0, gap.exponent))


# ---------------------------------------------------------------- measures


def ulp_error(got: NDArray[Any], exact: Exact) -> Array:
    """The error of every component in units of the last place of the exact number, which is never less than the least subnormal.

    Formula:
        |got - exact| / 2^max(e - p, least), 2^(e-1) <= |exact| < 2^e.

    Shapes:
        got: as what exact stands for; the result as got.

    Units:
        got as exact; the result in 1.

    Args:
        got: the array to judge; its format is the one measured by.
        exact: exact numbers from one of the oracle's functions exact_...

    Returns:
        float64 array: at most 1/2 where the answer is correctly rounded, 0 where it is infinite and that is right, infinity for NaN.

    Raises:
        OracleError: a format that the oracle does not know, or shapes that differ.

    Source:
        IEEE 754; ulp of the exact number.

    >>> from lnsym.oracle import exact_layer_norm
    >>> ulp_error(np.array([[-1.0, 0.0, 1.0 + 2**-52]]), exact_layer_norm([[1.0, 2.0, 3.0]], eps=Fraction(1, 3))).tolist()
    [[0.0, 0.0, 1.0]]
    """
    form = _compared(got, exact)
    with quiet():
        known = pairs(exact)
        size = Wide.of(known.high, known.exponent)
        # just below a power of two: `high` was rounded up to it
        below = (np.abs(size.fraction) == 0.5) & (known.low * size.fraction < 0)
        error = difference(got, exact).at(np.maximum(size.exponent - below - form.precision, form.least))
        right = (got == exact.rounded(form)).reshape(-1, exact.d) & np.isinf(got.reshape(-1, exact.d))
    return np.where(right, 0.0, error).reshape(got.shape)


def constant(got: NDArray[Any], exact: Exact, envelope: Wide, floor: Array | float = 1.0) -> Array:
    """The least k with |got - exact| <= k 2^-p envelope + floor eta for every component; eta is the least subnormal, floor a number."""
    form = _compared(got, exact)
    with quiet():
        error = difference(got, exact)
        excess = error - Wide.of(floor, form.least)
        k = (excess / envelope).at(np.array(-form.precision))
    return np.where((excess.fraction <= 0) | (error.fraction == 0), 0.0, np.where(np.isnan(k), np.inf, k)).reshape(got.shape)


def _compared(got: NDArray[Any], exact: Exact) -> Format:
    if got.shape != exact.shape:
        raise OracleError(f"expected an array of the shape {exact.shape} that the exact numbers have, got {got.shape}")
    return format_of(got.dtype)


def safe_constant(
    got: NDArray[Any], x: NDArray[Any], weight: NDArray[Any] | None = None, bias: NDArray[Any] | None = None, eps: Number = 1e-5
) -> Array:
    """The constant k of the bound that the safe tier promises for the forward pass, as each component needs it.

    Formula:
        |got - y| <= k 2^-p (|w| (|u| + sqrt(rho)) + |y|) + (1 + |w|) eta, rho = q/(q + eps);
        without weight and bias |got - u| <= k 2^-p (|u| + sqrt(rho)) + eta.

    Shapes:
        got, x: (..., d); weight, bias: (d,); the result as got.

    Units:
        got as y; the result in 1.

    Args:
        got: the array to judge; p and the least subnormal eta are those of its format.
        x: the rows it was computed from.
        weight: the gains; None for ones.
        bias: the biases; None for zeros.
        eps: a float (its exact value), an int or a Fraction, not negative.

    Returns:
        float64 array; infinity for NaN where there is an answer. Infinity counts as all from the first power of two beyond the format on.

    Raises:
        OracleError: arrays or eps that cannot be read.

    Source:
        the bound of the safe tier.

    >>> float(safe_constant(np.array([[-1.0, 0.0, 1.0 + 2**-52]]), np.array([[1.0, 2.0, 3.0]]), eps=Fraction(1, 3)).max()) < 1.2
    True
    """
    rows = _Rows(x, eps)
    exact = exact_layer_norm(x, weight, bias, eps)
    with quiet():
        envelope = abs(rows.core()) + rows.root_rho()
        if weight is None and bias is None:
            return constant(got, exact, envelope)
        w = _wide_vector(weight, rows.d, "weight")
        y = pairs(exact)
        return constant(got, exact, w * envelope + abs(Wide.of(y.high, y.exponent)), 1.0 + np.ldexp(w.fraction, w.exponent))


def vjp_constant(got: NDArray[Any], dy: NDArray[Any], x: NDArray[Any], weight: NDArray[Any] | None = None, eps: Number = 1e-5) -> Array:
    """The constant k of the bound that the safe tier promises for the input gradient, as each component needs it.

    Formula:
        |got - dx| <= k 2^-p (|g - mean g| + (1 + |u|) rms(g - mean g) [+ |g| + mean|g|])/s + eta, g = weight * dy;
        the terms in brackets only with a weight, since then the product is rounded.

    Shapes:
        got, dy, x: (..., d); weight: (d,); the result as got.

    Units:
        got as dx; the result in 1.

    Args:
        got: the array to judge; p and the least subnormal eta are those of its format.
        dy: the cotangents of the output.
        x: the rows.
        weight: the gains; None for ones.
        eps: a float (its exact value), an int or a Fraction, not negative.

    Returns:
        float64 array; infinity for NaN where there is an answer. Infinity counts as all from the first power of two beyond the format on.

    Raises:
        OracleError: arrays or eps that cannot be read.

    Source:
        the bound of the safe tier.

    >>> from lnsym import oracle
    >>> dy, x = np.array([[1.0, 0.0, 0.0]]), np.array([[1.0, 2.0, 4.0]])
    >>> float(vjp_constant(oracle.vjp(dy, x), dy, x).max()) < 0.5
    True
    """
    rows = _Rows(x, eps)
    w = decode_vector(None if weight is None else array_of(weight, "weight"), rows.d, "weight")
    with quiet():
        envelope = rows.sensitivity(dy, w)
        return constant(got, exact_vjp(dy, x, weight, eps), envelope)


def jvp_constant(got: NDArray[Any], x: NDArray[Any], h: NDArray[Any], weight: NDArray[Any] | None = None, eps: Number = 1e-5) -> Array:
    """The constant k of the bound that the safe tier promises for the derivative along a direction, as each component needs it.

    Formula:
        |got - weight J h| <= k 2^-p |w| (|h - mean h| + (1 + |u|) rms(h - mean h))/s + (1 + |w|) eta.

    Shapes:
        got, x, h: (..., d); weight: (d,); the result as got.

    Units:
        got as the output; the result in 1.

    Args:
        got: the array to judge; p and the least subnormal eta are those of its format.
        x: the rows.
        h: the directions.
        weight: the gains; None for ones.
        eps: a float (its exact value), an int or a Fraction, not negative.

    Returns:
        float64 array; infinity for NaN where there is an answer. Infinity counts as all from the first power of two beyond the format on.

    Raises:
        OracleError: arrays or eps that cannot be read.

    Source:
        the bound of the safe tier.

    >>> from lnsym import oracle
    >>> h, x = np.array([[1.0, 0.0, 0.0]]), np.array([[1.0, 2.0, 4.0]])
    >>> float(jvp_constant(oracle.jvp(x, h), x, h).max()) < 0.5
    True
    """
    rows = _Rows(x, eps)
    w = _wide_vector(weight, rows.d, "weight")
    with quiet():
        floor = 1.0 if weight is None else 1.0 + np.ldexp(w.fraction, w.exponent)
        return constant(got, exact_jvp(x, h, weight, eps), w * rows.sensitivity(h, None), floor)


class _Rows:
    """What the envelopes are made of, for every row of x; a row that is not finite counts as zeros."""

    def __init__(self, x: NDArray[Any], eps: Number) -> None:
        self.x, self.eps, self.d = x, epsilon(eps), x.shape[-1]
        decoded = decode(array_of(x, "x").reshape(-1, self.d))
        pair = zip(decoded.integers, decoded.exponents, strict=True)
        none = statistics([0] * self.d, 0, self.eps or Fraction(1))  # stands in for the statistics that a row does not have
        self.statistics = [none if a is None else statistics(a, e, self.eps) for a, e in pair]

    def core(self) -> Wide:
        u = pairs(exact_layer_norm(self.x, None, None, self.eps))
        return Wide.of(u.high, u.exponent)

    def root_rho(self) -> Wide:
        """sqrt(q/(q + eps)) of every row."""
        shares = [Fraction(s.top - self.eps * s.d**3 * s.bottom, s.top) for s in self.statistics]
        return _of_ratios(shares, root=True)

    def sensitivity(self, vector: NDArray[Any], weight: Scaled | None) -> Wide:
        """(|g - mean g| + (1 + |u|) rms(g - mean g))/s for g = weight * vector, and with a weight |g| + mean |g| besides."""
        decoded = decode(array_of(vector, "a cotangent or direction").reshape(-1, self.d))
        entries = [a if a is not None else [0] * self.d for a in decoded.integers]
        places = np.array(decoded.exponents, dtype=np.int64)[:, None]
        if weight is not None:
            entries = [[x * w for x, w in zip(a, weight[0], strict=True)] for a in entries]
            places = places + weight[1]
        deviations = [[self.d * x - total for x in a] for a, total in zip(entries, map(sum, entries), strict=True)]
        size = _of_integers(deviations, places) * _power(self.d, -1)
        rms = _of_ratios([Fraction(sum(x * x for x in a), self.d**3) for a in deviations], root=True)
        rms = Wide(rms.fraction, rms.exponent + places)
        envelope = size + (Wide.of(1.0) + abs(self.core())) * rms
        if weight is not None:
            means = _of_ratios([Fraction(sum(map(abs, a)), self.d) for a in entries])
            envelope = envelope + _of_integers(entries, places) + Wide(means.fraction, means.exponent + places)
        return envelope * _of_ratios([Fraction(s.d**3 * s.bottom, s.top) for s in self.statistics], root=True)


def _power(base: int, exponent: int) -> Wide:
    return Wide.of(float(base) ** exponent)


def _of_integers(rows: list[list[int]], places: Array) -> Wide:
    """Absolute values of rows of integers times powers of two."""
    heads, shifts = zip(*(floats(row) for row in rows), strict=True)
    more = np.array([[0] * len(row) if k is None else k for row, k in zip(rows, shifts, strict=True)], dtype=np.int64)
    return abs(Wide.of(np.array(heads), more + places))


def _wide_vector(vector: NDArray[Any] | None, d: int, what: str) -> Wide:
    return Wide.of(np.ones(d)) if vector is None else abs(Wide.of(array_of(vector, what).astype(np.float64)))
