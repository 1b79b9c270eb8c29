"""One row of exact numbers: every formula as it is defined, in rational arithmetic, and rounding decided by comparing squares.

Slow and plain on purpose: the fast rows are tested against it. Imports the standard library and lnsym.errors only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import copysign, inf, isqrt, ldexp
from typing import SupportsFloat, Union

from lnsym.errors import LnsymError

Number = Union[int, Fraction, SupportsFloat]


class OracleError(LnsymError):
    """The oracle was asked for something that has no answer, or in a form that it does not read."""


# ---------------------------------------------------------------- formats


@dataclass(frozen=True)
class Format:
    """A binary format: digits of the significand, exponent of the least subnormal, largest exponent of a finite number."""

    name: str
    precision: int
    least: int
    largest: int

    def ulp_exponent(self, exponent: int) -> int:
        """The exponent of the last place of a number m 2^exponent with 1/2 <= m < 1."""
        return max(exponent - self.precision, self.least)


FORMATS = {
    "float64": Format("float64", 53, -1074, 1023),
    "float32": Format("float32", 24, -149, 127),
    "float16": Format("float16", 11, -24, 15),
    "bfloat16": Format("bfloat16", 8, -133, 127),
}


def format_of(dtype: object) -> Format:
    """The format of a name such as "float32", of a NumPy dtype or of a scalar type.

    Formula:
        none.

    Shapes:
        none.

    Units:
        none.

    Args:
        dtype: a name, or anything with a name: a dtype, a scalar type, a Format.

    Returns:
        Format.

    Raises:
        OracleError: a format that is not one of the four.

    Source:
        IEEE 754 binary64, binary32, binary16; bfloat16 is binary32 with 8 digits.

    >>> format_of("float16").precision
    11
    """
    if isinstance(dtype, Format):
        return dtype
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", "")
    if name not in FORMATS:
        raise OracleError(f"expected one of the formats {', '.join(FORMATS)}, got {dtype!r}")
    return FORMATS[name]


def rational(value: Number, what: str = "a number") -> Fraction:
    """The exact value of an int, a Fraction, a Decimal or anything that is a float of any format."""
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    try:
        if not isinstance(value, SupportsFloat):
            raise TypeError
        # a longdouble or a Decimal need not be a float64
        return Fraction(*value.as_integer_ratio()) if hasattr(value, "as_integer_ratio") else Fraction(float(value))
    except TypeError:
        raise OracleError(f"expected {what}, got {value!r}") from None
    except (OverflowError, ValueError):
        raise OracleError(f"expected {what} that is finite, got {value}") from None


def epsilon(eps: Number) -> Fraction:
    """The exact value of eps, which may not be negative."""
    value = rational(eps, "eps, a number")
    if value < 0:
        raise OracleError(f"expected eps >= 0, got {eps}")
    return value


# ---------------------------------------------------------------- values a + b sqrt(r)


@dataclass(frozen=True, slots=True)
class Value:
    """The real number rational + factor * sqrt(radicand), with radicand >= 0."""

    rational: Fraction
    factor: Fraction
    radicand: Fraction

    def compare(self, other: Fraction) -> int:
        """The sign of self - other, decided by comparing squares."""
        left, right = self.factor, other - self.rational  # sign of left * sqrt(radicand) - right
        sign = ((left > 0) - (left < 0)) if self.radicand else 0
        if (sign > 0) != (right > 0) or (sign < 0) != (right < 0):
            return sign or ((right < 0) - (right > 0))
        square, limit = left * left * self.radicand, right * right
        return sign * ((square > limit) - (square < limit))

    def sign(self) -> int:
        """-1, 0 or 1."""
        return self.compare(Fraction(0))

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rational bounds; the root is off by less than 2^-bits of its own size, and exact where it is dyadic and short enough."""
        numerator, denominator = self.radicand.numerator, self.radicand.denominator
        shift = bits - (numerator.bit_length() - denominator.bit_length()) // 2 + 1
        scaled, rest = divmod(numerator << max(2 * shift, 0), denominator << max(-2 * shift, 0))
        low = isqrt(scaled)
        high = low if low * low == scaled and not rest else low + 1
        ends = [self.rational + self.factor * end * Fraction(2) ** -shift for end in (low, high)]
        return min(ends), max(ends)

    def rounded(self, dtype: object) -> float:
        """The nearest number of a format, ties to even, as a float: +0.0 for 0, a zero with its sign where it underflows."""
        form, sign = format_of(dtype), self.sign()
        if not sign:
            return 0.0
        size = self if sign > 0 else Value(-self.rational, -self.factor, self.radicand)
        bits = form.precision + 8
        low, high = size.bounds(bits)
        while low <= 0 or (high - low) * 2 ** (form.precision + 2) > low:
            bits *= 2
            low, high = size.bounds(bits)
        place = form.ulp_exponent(_exponent(low))
        unit = Fraction(2) ** place
        count = low // unit  # the value is less than a quarter of a unit above low
        half = size.compare((count + Fraction(1, 2)) * unit)
        count += half > 0 or (half == 0 and count % 2)
        return sign * _float(count, place, form)


def _exponent(value: Fraction) -> int:
    """The e with 2^(e-1) <= value < 2^e, for value > 0."""
    e = value.numerator.bit_length() - value.denominator.bit_length()
    return e + 1 if value >= Fraction(2) ** e else e


def _float(count: int, place: int, form: Format) -> float:
    return inf if count.bit_length() + place - 1 > form.largest else ldexp(count, place)


def round_value(rational_part: Number, factor: Number, radicand: Number, dtype: object) -> float:
    """The number a + b sqrt(r), correctly rounded to a format.

    Formula:
        RN(a + b sqrt(r)).

    Shapes:
        scalars.

    Units:
        none.

    Args:
        rational_part: a, an int, a Fraction or a float.
        factor: b, the same.
        radicand: r >= 0, the same.
        dtype: the format.

    Returns:
        float that is a number of the format: the nearest one, ties to even; +0.0 for 0, infinite where that overflows.

    Raises:
        OracleError: a number that is not finite, r < 0, or a format that is not one of the four.

    Source:
        comparison of squares.

    >>> round_value(-1, 1, 2, "float32")
    0.4142135679721832
    """
    root = rational(radicand)
    if root < 0:
        raise OracleError(f"expected a radicand >= 0, got {radicand}")
    return Value(rational(rational_part), rational(factor), root).rounded(dtype)


def round_sum(values: Sequence[Value], dtype: object) -> float:
    """The sum of values with any radicands, correctly rounded.

    Roots whose ratio is rational are put together. What is left is linearly independent over the rationals, so the sum is either
    rational, and then known, or irrational, and then never on a boundary: finer and finer bounds decide.
    """
    form = format_of(dtype)
    found = _decided(values, 400, form)
    if found is not None:
        return found
    terms = _independent(values)
    plain = sum((value.rational for value in terms), Fraction(0))
    rooted = [value for value in terms if value.factor]
    if not rooted:
        return round_rational(plain, form)
    bits = 800
    while found is None:
        found = _decided([Value(plain, Fraction(0), Fraction(0)), *rooted], bits, form)
        bits *= 2
    return found


def _decided(values: Sequence[Value], bits: int, form: Format) -> float | None:
    """The rounded sum, if bounds of so many bits decide it."""
    ends = [value.bounds(bits) for value in values]
    low, high = (round_rational(sum((end[side] for end in ends), Fraction(0)), form) for side in (0, 1))
    return low if low == high and copysign(1, low) == copysign(1, high) else None


def _independent(values: Sequence[Value]) -> list[Value]:
    """Values with the same sum whose roots are irrational and have irrational ratios."""
    plain = Fraction(0)
    classes: list[tuple[Fraction, Fraction]] = []  # a radicand and the factor of its root
    totals: dict[Fraction, Fraction] = {}
    for value in values:
        plain += value.rational
        totals[value.radicand] = totals.get(value.radicand, Fraction(0)) + value.factor
    for radicand, factor in totals.items():
        root = rational_root(radicand)
        if root is not None:
            plain += factor * root
            continue
        for i, (other, total) in enumerate(classes):
            ratio = rational_root(radicand / other)
            if ratio is not None:
                classes[i] = (other, total + factor * ratio)
                break
        else:
            classes.append((radicand, factor))
    return [Value(plain, Fraction(0), Fraction(0)), *(Value(Fraction(0), factor, radicand) for radicand, factor in classes)]


def rational_root(value: Fraction) -> Fraction | None:
    """The square root of a number >= 0 where it is rational, else None."""
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    return Fraction(top, bottom) if top * top == value.numerator and bottom * bottom == value.denominator else None


def round_rational(value: Number, dtype: object) -> float:
    """A rational number, correctly rounded."""
    return round_value(value, 0, 0, dtype)


# ---------------------------------------------------------------- the formulas, for one row

Row = Sequence[Fraction]


@dataclass(frozen=True)
class Statistics:
    """What every formula starts from: mean, deviations v, variance q, and 1/(q + eps)."""

    mean: Fraction
    deviations: Row
    variance: Fraction
    square_rstd: Fraction


def mean_of(row: Row) -> Fraction:
    """The mean of the entries."""
    return sum(row, Fraction(0)) / len(row)


def mean_product(one: Row, other: Row) -> Fraction:
    """The mean of the products of the entries."""
    return mean_of([x * y for x, y in zip(one, other, strict=True)])


def centred(row: Row) -> Row:
    """The entries less their mean."""
    mean = mean_of(row)
    return [x - mean for x in row]


def statistics(z: Row, eps: Fraction) -> Statistics:
    """Mean, deviations, variance and 1/(q + eps) of a row."""
    v = centred(z)
    q = mean_product(v, v)
    if q + eps == 0:
        raise OracleError("a constant row has no core at eps = 0: use eps > 0")
    return Statistics(mean_of(z), v, q, 1 / (q + eps))


def core(z: Row, eps: Fraction) -> list[Value]:
    """u = v / sqrt(q + eps)."""
    s = statistics(z, eps)
    return [Value(Fraction(0), v, s.square_rstd) for v in s.deviations]


def output(z: Row, weight: Row, bias: Row, eps: Fraction) -> list[Value]:
    """y = weight * u + bias."""
    s = statistics(z, eps)
    return [Value(b, w * v, s.square_rstd) for w, v, b in zip(weight, s.deviations, bias, strict=True)]


def rstd(z: Row, eps: Fraction) -> Value:
    """1 / sqrt(q + eps)."""
    return Value(Fraction(0), Fraction(1), statistics(z, eps).square_rstd)


def _jacobian_factors(s: Statistics, h: Row) -> Row:
    """J h without its factor r: h - mean(h) - r^2 v mean(h v)."""
    along = s.square_rstd * mean_product(h, s.deviations)
    return [x - v * along for x, v in zip(centred(h), s.deviations, strict=True)]


def jvp(z: Row, h: Row, weight: Row, eps: Fraction) -> list[Value]:
    """weight * J h, J the Jacobian of the core."""
    s = statistics(z, eps)
    return [Value(Fraction(0), w * x, s.square_rstd) for w, x in zip(weight, _jacobian_factors(s, h), strict=True)]


def vjp(dy: Row, z: Row, weight: Row, eps: Fraction) -> list[Value]:
    """J (weight * dy)."""
    s = statistics(z, eps)
    g = [w * x for w, x in zip(weight, dy, strict=True)]
    return [Value(Fraction(0), x, s.square_rstd) for x in _jacobian_factors(s, g)]


def dweight(dy: Row, z: Row, eps: Fraction) -> list[Value]:
    """dy * u: what one row adds to the gradient of the weight."""
    s = statistics(z, eps)
    return [Value(Fraction(0), x * v, s.square_rstd) for x, v in zip(dy, s.deviations, strict=True)]


def jacobian(z: Row, eps: Fraction) -> list[list[Value]]:
    """J_ij = r (delta_ij - 1/d - u_i u_j / d)."""
    d = len(z)
    unit = [[Fraction(i == j) for j in range(d)] for i in range(d)]
    return [jvp(z, column, [Fraction(1)] * d, eps) for column in unit]  # J is symmetric


def vjp_vjp_dy(ddx: Row, ddweight: Row, ddbias: Row, z: Row, weight: Row, eps: Fraction) -> list[Value]:
    """Double backward, to dy: weight * J ddx + ddweight * u + ddbias."""
    s = statistics(z, eps)
    along = _jacobian_factors(s, ddx)
    parts = zip(weight, along, ddweight, s.deviations, ddbias, strict=True)
    return [Value(c, w * a + b * v, s.square_rstd) for w, a, b, v, c in parts]


def vjp_vjp_weight(ddx: Row, dy: Row, z: Row, eps: Fraction) -> list[Value]:
    """Double backward, to the weight, what one row adds: dy * J ddx."""
    return jvp(z, ddx, dy, eps)


def vjp_vjp_x(ddx: Row, ddweight: Row, dy: Row, z: Row, weight: Row, eps: Fraction) -> list[Value]:
    """Double backward, to x: T[ddx, weight * dy] + J (ddweight * dy), T the second derivative of the core."""
    d, s = len(z), statistics(z, eps)
    v, square = s.deviations, s.square_rstd
    a = centred(ddx)
    k = centred([w * x for w, x in zip(weight, dy, strict=True)])
    va, vk, ak = mean_product(v, a), mean_product(v, k), mean_product(a, k)
    bend = [-square * (vk * a[i] + va * k[i] + (ak - 3 * square * va * vk) * v[i]) for i in range(d)]
    turn = _jacobian_factors(s, [b * x for b, x in zip(ddweight, dy, strict=True)])
    return [Value(Fraction(0), x + y, square) for x, y in zip(bend, turn, strict=True)]


def merge_stats(first: tuple[Number, Number, Number], second: tuple[Number, Number, Number]) -> tuple[Fraction, Fraction, Fraction]:
    """Count, mean and sum of squared deviations of two shards together; an empty shard changes nothing."""
    (n, mean, m2), (count, other, more) = ([rational(x) for x in triple] for triple in (first, second))
    if n + count == 0:
        return Fraction(0), Fraction(0), Fraction(0)
    total = n + count
    return total, (n * mean + count * other) / total, m2 + more + n * count / total * (other - mean) ** 2
