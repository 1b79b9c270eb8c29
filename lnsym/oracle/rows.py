"""Arrays of exact numbers, fast: a row of integers, one integer root with many extra bits, and a check that no rounding is in doubt.

A component is 2^e (a + b sqrt(r)), with integers a, b and one rational r for the row. The root of r is enclosed between two neighbouring
integers (times a power of two). Where both ends round alike, that is the answer; else scalar.py decides. Imports NumPy and the scalar part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from operator import add, mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lnsym.errors import MissingTool
from lnsym.oracle.scalar import FORMATS, Format, OracleError, Value, format_of, round_rational, round_sum

Array = NDArray[Any]
Scaled = tuple[list[int], int]  # integers and the exponent of their common power of two
ROOT_BITS = 112  # of the integer root: a rounding to 53 bits is in doubt once in 2^59 components that do not cancel
WIDEST = 1000  # bits of an integer that a float still holds with room


# ---------------------------------------------------------------- reading arrays


def array_of(values: object, what: str) -> Array:
    """An array of one of the four formats; integers become float64."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise OracleError(f"{what}: expected an array, got nested sequences of unequal lengths; make the rows equally long") from None
    if isinstance(values, np.ma.MaskedArray):
        raise OracleError(f"{what}: expected an array without a mask, got a masked one; fill it first, for no entry of a row is left out")
    if array.dtype.kind in "iub" or (array.dtype == object and array.size == 0):
        array = array.astype(np.float64)
    if array.dtype.name not in FORMATS:
        raise OracleError(f"{what}: expected an array of {', '.join(FORMATS)}, got {array.dtype}")
    return array


def numpy_type(form: Format) -> np.dtype[Any]:
    """The NumPy type of a format."""
    if form.name != "bfloat16":
        return np.dtype(form.name)
    try:
        import ml_dtypes
    except ImportError:
        raise MissingTool("bfloat16 needs ml_dtypes: pip install ml_dtypes") from None
    bfloat16: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return bfloat16


def result_format(arrays: Iterable[Array | None]) -> Format:
    """The smallest format that holds the numbers of every array."""
    names = {array.dtype.name for array in arrays if array is not None}
    if "float64" in names:
        return FORMATS["float64"]
    return FORMATS[names.pop() if len(names) == 1 else "float32"]


@dataclass(frozen=True)
class Decoded:
    """Rows of numbers as integers: entry j of row i is integers[i][j] * 2^exponents[i]; a row that is not finite is None."""

    integers: list[list[int] | None]
    exponents: list[int]


def decode(array: Array) -> Decoded:
    """The exact numbers of the rows (the last axis) of a two-dimensional array."""
    numbers = array.astype(np.float64)
    finite = np.isfinite(np.abs(numbers).max(axis=1, initial=0.0))
    fraction, exponent = np.frexp(np.where(finite[:, None], numbers, 0.0))
    whole = (fraction * 2.0**53).astype(np.int64)
    low_bit = whole & -whole
    trailing = np.frexp(low_bit.astype(np.float64))[1].astype(np.int64) - 1  # -1 for a zero
    place = exponent.astype(np.int64) - 53 + trailing
    place = np.where(whole == 0, np.iinfo(np.int64).max, place)
    least = place.min(axis=1, initial=np.iinfo(np.int64).max)
    shift = np.where(whole == 0, 0, place - least[:, None])
    short = whole >> np.maximum(trailing, 0)
    integers: list[list[int] | None] = []
    mixed = shift.max(axis=1, initial=0) > 0
    for row, shifts, good, wide in zip(short, shift, finite.tolist(), mixed.tolist(), strict=True):
        entries = row.tolist()
        integers.append([m << s for m, s in zip(entries, shifts.tolist(), strict=True)] if wide else entries)
        if not good:
            integers[-1] = None
    return Decoded(integers, np.where(least == np.iinfo(np.int64).max, 0, least).tolist())


def decode_vector(vector: Array | None, d: int, what: str) -> Scaled | None:
    """The exact numbers of a weight or bias of d finite entries."""
    if vector is None:
        return None
    if vector.shape != (d,):
        raise OracleError(f"{what}: expected the shape ({d},), got {vector.shape}")
    decoded = decode(vector[None])
    if decoded.integers[0] is None:
        raise OracleError(f"{what}: expected finite numbers, got NaN or infinity")
    return decoded.integers[0], decoded.exponents[0]


# ---------------------------------------------------------------- one row


@dataclass(slots=True)
class Surds:
    """One row: component i is 2^exponent (plain[i] + factors[i] sqrt(top / bottom)); plain None stands for zeros."""

    plain: list[int] | None
    factors: list[int]
    exponent: int
    top: int
    bottom: int

    def value(self, i: int) -> Value:
        """Component i, for the scalar part to decide."""
        scale = Fraction(2) ** self.exponent
        return Value((self.plain[i] if self.plain else 0) * scale, self.factors[i] * scale, Fraction(self.top, self.bottom))

    def enclose(self, bits: int) -> tuple[list[int], list[int], int]:
        """Integers and one exponent: component i lies between first[i] 2^exponent and second[i] 2^exponent, in either order."""
        shift = 2 * bits + self.bottom.bit_length() - self.top.bit_length()
        shift += shift & 1
        if self.plain is not None:
            shift = max(shift, 0)
        root = isqrt((self.top << shift) // self.bottom) if shift >= 0 else isqrt(self.top // (self.bottom << -shift))
        first = [b * root for b in self.factors]
        half = shift >> 1
        if self.plain is not None:
            first = [(a << half) + n for a, n in zip(self.plain, first, strict=True)]
        return first, list(map(add, first, self.factors)), self.exponent - half


@dataclass(frozen=True, slots=True)
class Statistics:
    """One row of inputs: d z - sum z as integers times 2^exponent, and d^3 (q + eps) = top / bottom, 4^exponent = step / bottom."""

    d: int
    deviations: list[int]
    exponent: int
    top: int
    bottom: int
    step: int


def statistics(a: list[int], exponent: int, eps: Fraction) -> Statistics:
    """The integers that every formula of a row starts from."""
    d, total = len(a), sum(a)
    deviations = [d * x - total for x in a]
    squares = d * (d * _sum_of_products(a, a) - total * total)
    up, down = (1 << max(2 * exponent, 0)), (1 << max(-2 * exponent, 0))
    step, bottom = up * eps.denominator, down * eps.denominator
    top = squares * step + d**3 * eps.numerator * down
    if not top:
        raise OracleError("a constant row has no core at eps = 0: use eps > 0")
    return Statistics(d, deviations, exponent, top, bottom, step)


def _sum_of_products(a: list[int], b: list[int]) -> int:
    return sum(map(mul, a, b))


def core_row(s: Statistics) -> Surds:
    """u = (d v) / (d sqrt(q + eps)), where d^2 (q + eps) = top / (bottom d)."""
    return Surds(None, s.deviations, s.exponent, s.d * s.bottom, s.top)


def output_row(s: Statistics, weight: Scaled | None, bias: Scaled | None) -> Surds:
    """Weight * u + bias."""
    row = core_row(s)
    if weight is not None:
        row.factors = list(map(mul, weight[0], row.factors))
        row.exponent += weight[1]
    return add_plain(row, bias)


def add_plain(row: Surds, bias: Scaled | None) -> Surds:
    """The row plus rational numbers."""
    if bias is not None:
        low = min(row.exponent, bias[1])
        row.plain = [b << (bias[1] - low) for b in bias[0]]
        row.factors = [w << (row.exponent - low) for w in row.factors]
        row.exponent = low
    return row


def jacobian_row(s: Statistics, vector: Scaled, weight: Scaled | None = None) -> Surds:
    """Weight * J g.

    With V = d^3 (q + eps), C = d v, G = d (g - mean g) and T = sum g C, the component is (G V - d C T) sqrt(d / V^3).
    """
    (g, exponent), total = vector, sum(vector[0])
    along = s.d * s.step * _sum_of_products(g, s.deviations)
    top, d = s.top, s.d
    factors = [(d * x - total) * top - c * along for x, c in zip(g, s.deviations, strict=True)]
    if weight is not None:
        factors = list(map(mul, weight[0], factors))
        exponent += weight[1]
    return Surds(None, factors, exponent, s.d * s.bottom, top * top * top)


def times(one: Scaled, other: Scaled | None) -> Scaled:
    """The products of two rows of numbers, exactly."""
    return one if other is None else (list(map(mul, one[0], other[0])), one[1] + other[1])


def plus(one: Scaled, other: Scaled) -> Scaled:
    """The sums of two rows of numbers, exactly."""
    low = min(one[1], other[1])
    up, more = one[1] - low, other[1] - low
    return [(x << up) + (y << more) for x, y in zip(one[0], other[0], strict=True)], low


def double_backward_dy_row(s: Statistics, ddx: Scaled, ddweight: Scaled | None, ddbias: Scaled | None, weight: Scaled | None) -> Surds:
    """Weight * J ddx + ddweight * u + ddbias, with the root of jacobian_row."""
    row = jacobian_row(s, ddx, weight)
    if ddweight is not None:
        core = [c * s.top for c in s.deviations], s.exponent
        row.factors, row.exponent = plus((row.factors, row.exponent), times(core, ddweight))
    return add_plain(row, ddbias)


def double_backward_x_row(s: Statistics, ddx: Scaled, dy: Scaled, ddweight: Scaled | None, weight: Scaled | None) -> Surds:
    """T[ddx, k] + J (ddweight * dy) for k = weight * dy, T the second derivative of the core.

    With A = d (ddx - mean), K = d (k - mean), tA = sum ddx C, tK = sum k C and the rest as in jacobian_row, the first term is
    -d [(tK A + tA K) V + (sum A K / d - 3 d tA tK / V) C] sqrt(d / V^5) times the powers of two, after multiplication by V.
    """
    d, c, top = s.d, s.deviations, s.top
    (a, a_place), (k, k_place) = ddx, times(dy, weight)
    a_total, k_total = sum(a), sum(k)
    ta, tk = _sum_of_products(a, c), _sum_of_products(k, c)
    along = (d * _sum_of_products(a, k) - a_total * k_total) * top - 3 * d * s.step * ta * tk
    tk_top, ta_top, scale = tk * top, ta * top, -d * s.bottom
    bend = [scale * (tk_top * (d * x - a_total) + ta_top * (d * y - k_total) + along * z) for x, y, z in zip(a, k, c, strict=True)]
    factors = bend, s.exponent + a_place + k_place
    if ddweight is not None:
        turn = jacobian_row(s, times(dy, ddweight))
        factors = plus(factors, ([x * top for x in turn.factors], turn.exponent))
    return Surds(None, factors[0], factors[1], d * s.bottom, top**5)


# ---------------------------------------------------------------- rounding


def floats(integers: list[int]) -> tuple[list[float], list[int] | None]:
    """Each integer as the nearest float times 2^k, and the k; None where every k is 0."""
    try:
        return list(map(float, integers)), None
    except OverflowError:
        pairs = [_float_and_exponent(n) for n in integers]
        return [x for x, _ in pairs], [k for _, k in pairs]


def _float_and_exponent(n: int) -> tuple[float, int]:
    k = n.bit_length() - WIDEST
    if k <= 0:
        return float(n), 0
    head = n >> k
    return float(head | (head << k != n)), k  # the last of 1000 bits remembers what was cut off


def round_floats(numbers: Array, exponents: Array, form: Format) -> tuple[Array, Array]:
    """RN(numbers * 2^exponents) as float64, and where it is in doubt: a tie, since the numbers were rounded to 53 bits before."""
    fraction, e = np.frexp(numbers)
    e = e + exponents
    place = np.maximum(e - form.precision, form.least)
    counts = np.ldexp(fraction, np.clip(e - place, -1100, None).astype(np.int32))
    whole = np.rint(counts)
    tie = np.abs(counts - np.trunc(counts)) == 0.5
    over = np.frexp(whole)[1] + place > form.largest + 1
    rounded = np.ldexp(whole, np.where(over, 0, place).astype(np.int32))
    rounded[over & (whole != 0)] = np.copysign(np.inf, whole[over & (whole != 0)])
    return rounded, tie


Enclosure = tuple[list[int], list[int], int]


def round_enclosures(enclosures: Sequence[Enclosure | None], d: int, form: Format) -> tuple[Array, Array]:
    """The rows' first ends, rounded, as float64, and where the rounding is in doubt; a row of None becomes NaN."""
    nothing: Enclosure = ([0] * d, [0] * d, 0)
    known = [nothing if one is None else one for one in enclosures]
    places = np.array([one[2] for one in known], dtype=np.int64)
    low, doubt = _round_rows([first for first, _, _ in known], places, d, form)
    high, other = _round_rows([second for _, second, _ in known], places, d, form)
    doubt |= other | (low != high) | (np.signbit(low) != np.signbit(high))
    low[[one is None for one in enclosures]] = np.nan
    return low, doubt


def _round_rows(rows: list[list[int]], places: Array, d: int, form: Format) -> tuple[Array, Array]:
    numbers: list[float] = []
    exponents = np.repeat(places, d)
    for row in rows:
        found, k = floats(row)
        if k:
            exponents[len(numbers) : len(numbers) + d] += k
        numbers += found
    rounded, doubt = round_floats(np.array(numbers, dtype=np.float64), exponents, form)
    return rounded.reshape(len(rows), d), doubt.reshape(len(rows), d)


@dataclass
class Exact:
    """An array of exact numbers, row by row; a row of None has no answer (NaN or infinity in what it was made of)."""

    rows: list[Surds | None]
    d: int
    shape: tuple[int, ...]
    form: Format

    def value(self, row: int, column: int) -> Value | None:
        """One component as a + b sqrt(r)."""
        found = self.rows[row]
        return None if found is None else found.value(column)

    def rounded(self, dtype: object = None) -> Array:
        """The correctly rounded array, in its format."""
        form = self.form if dtype is None else format_of(dtype)
        result, doubt = round_enclosures([None if row is None else row.enclose(ROOT_BITS) for row in self.rows], self.d, form)
        for i, j in np.argwhere(doubt).tolist():
            value = self.value(i, j)
            if value is not None:
                result[i, j] = value.rounded(form)
        return result.astype(numpy_type(form)).reshape(self.shape)


def exact_rows(function: Callable[..., Surds], form: Format, x: Array, eps: Fraction, *others: Array) -> Exact:
    """Apply a function of a row's statistics and of the rows of other arrays to every row."""
    decoded = [decode(array.reshape(-1, x.shape[-1])) for array in (x, *others)]
    rows: list[Surds | None] = []
    for i, a in enumerate(decoded[0].integers):
        rest = [(one.integers[i], one.exponents[i]) for one in decoded[1:]]
        if a is None or any(integers is None for integers, _ in rest):
            rows.append(None)
        else:
            rows.append(function(statistics(a, decoded[0].exponents[i], eps), *rest))
    return Exact(rows, x.shape[-1], x.shape, form)


def map_rows(x: Array, dtype: object, function: Callable[[list[int], int], Value]) -> Array:
    """One number per row, correctly rounded; NaN for a row that is not finite."""
    form = result_format((x,)) if dtype is None else format_of(dtype)
    decoded = decode(x.reshape(-1, x.shape[-1]))
    pairs = zip(decoded.integers, decoded.exponents, strict=True)
    found = [np.nan if a is None else function(a, e).rounded(form) for a, e in pairs]
    return np.array(found, dtype=np.float64).astype(numpy_type(form)).reshape(x.shape[:-1])


def rstd_value(s: Statistics) -> Value:
    """1/sqrt(q + eps)."""
    return Value(Fraction(0), Fraction(1), Fraction(s.d**3 * s.bottom, s.top))


# ---------------------------------------------------------------- sums over rows


def column_bounds(rows: Sequence[Surds], d: int, bits: int) -> Enclosure:
    """Ends between which the sums over the rows lie."""
    enclosures = [row.enclose(bits) for row in rows]
    least = min((exponent for _, _, exponent in enclosures), default=0)
    low, high = [0] * d, [0] * d
    for first, second, exponent in enclosures:
        shift = exponent - least
        low = [total + (min(a, b) << shift) for total, a, b in zip(low, first, second, strict=True)]
        high = [total + (max(a, b) << shift) for total, a, b in zip(high, first, second, strict=True)]
    return low, high, least


def round_columns(rows: Sequence[Surds], d: int, form: Format) -> Array:
    """The correctly rounded sums over the rows, as float64."""
    result, doubt = round_enclosures([column_bounds(rows, d, ROOT_BITS)], d, form)
    for j in np.nonzero(doubt[0])[0].tolist():
        result[0, j] = round_sum([row.value(j) for row in rows], form)
    return result.reshape(d)


def split_finite(g: Array) -> tuple[Array, Array]:
    """The array with 0 for all that is not finite, and what was taken out, as float64."""
    numbers = g.astype(np.float64)
    finite = np.isfinite(numbers)
    return np.where(finite, numbers, 0.0), np.where(finite, 0.0, numbers)


def round_column_sums(g: Array, form: Format) -> Array:
    """The correctly rounded sums over the rows of an array, as float64; not finite where IEEE arithmetic says so."""
    finite, spoilt = split_finite(g)
    columns = decode(finite.T)
    totals = [[sum(column or [])] for column in columns.integers]
    enclosures = [(total, total, exponent) for total, exponent in zip(totals, columns.exponents, strict=True)]
    result, doubt = round_enclosures(enclosures, 1, form)
    for j in np.nonzero(doubt[:, 0])[0].tolist():
        result[j, 0] = round_rational(totals[j][0] * Fraction(2) ** columns.exponents[j], form)
    with quiet():
        return overrule(result[:, 0], spoilt)


def overrule(result: Array, terms: Array) -> Array:
    """The result, but what the sums over the rows of the terms are where those are not finite."""
    sums = terms.sum(axis=0)
    return np.where(np.isfinite(sums), result, sums)


def quiet() -> Any:
    """NaN and infinity are answers here, and no reason to warn."""
    return np.errstate(all="ignore")
