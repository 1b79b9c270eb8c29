"""Exact numbers for the refuter: sums of square roots, enclosures, and truncated power series for derivatives.

Imports the standard library and lnsym.errors only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, isqrt
from typing import Union

from lnsym.errors import LnsymError

ROOT_LIMIT = 10**15  # beyond it, splitting off the square part of a radicand costs more than an enclosure
MAX_PARTS = 16  # of a sum of roots; beyond it, enclosures are cheaper


class Irrational(LnsymError):
    """A value that this arithmetic cannot write down exactly."""


class Undefined(LnsymError):
    """A value that does not exist: division by zero, root of a negative number, derivative of a root at 0."""


# ---------------------------------------------------------------- sums of square roots


class Surd:
    """A sum of rational multiples of square roots of different squarefree integers; never rational.

    Such roots are linearly independent over the rationals, so that two surds are equal just when their parts are.
    """

    __slots__ = ("parts",)

    def __init__(self, parts: dict[int, Fraction]) -> None:
        self.parts = parts

    def __add__(self, other: object) -> Exact:
        if not isinstance(other, (Surd, Fraction, int)):
            return NotImplemented
        total = dict(self.parts)
        for n, x in _parts(other).items():
            total[n] = total.get(n, Fraction(0)) + x
        return _surd(total)

    __radd__ = __add__

    def __neg__(self) -> Surd:
        return Surd({n: -x for n, x in self.parts.items()})

    def __sub__(self, other: object) -> Exact:
        return self + -other if isinstance(other, (Surd, Fraction, int)) else NotImplemented

    def __rsub__(self, other: object) -> Exact:
        return -self + other

    def __mul__(self, other: object) -> Exact:
        if not isinstance(other, (Surd, Fraction, int)):
            return NotImplemented
        total: dict[int, Fraction] = {}
        for m, x in self.parts.items():
            for n, y in _parts(other).items():
                common = gcd(m, n)
                key = (m // common) * (n // common)
                total[key] = total.get(key, Fraction(0)) + x * y * common
        return _surd(total)

    __rmul__ = __mul__

    def inverse(self) -> Exact:
        """1/self: the roots divisible by one well-chosen factor change sign, and the product with that conjugate is simpler."""
        factor = next(n for n in self.parts if n > 1)
        for n in self.parts:
            factor = gcd(factor, n) if gcd(factor, n) > 1 else factor
        conjugate = Surd({n: x if n % factor else -x for n, x in self.parts.items()})
        return conjugate * inverse_exact(self * conjugate)

    def enclosure(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rational bounds; each root is off by at most 2^-bits."""
        low = high = Fraction(0)
        for n, x in self.parts.items():
            a, b = root_bounds(Fraction(n), bits)
            low, high = low + x * (a if x > 0 else b), high + x * (b if x > 0 else a)
        return low, high

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Surd) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(frozenset(self.parts.items()))

    def __str__(self) -> str:
        text = ""
        for n, x in sorted(self.parts.items()):
            size, shown = abs(x), f"sqrt({n})"
            if n == 1:
                shown = str(size)
            elif size != 1:
                head = "" if size.numerator == 1 else f"{size.numerator}*"
                shown = head + shown + ("" if size.denominator == 1 else f"/{size.denominator}")
            text += ("-" if x < 0 else "") + shown if not text else (" - " if x < 0 else " + ") + shown
        return text

    __repr__ = __str__


Exact = Union[Fraction, Surd]


def _parts(x: Surd | Fraction | int) -> dict[int, Fraction]:
    return x.parts if isinstance(x, Surd) else {1: Fraction(x)}


def _surd(parts: dict[int, Fraction]) -> Exact:
    kept = {n: x for n, x in parts.items() if x}
    if len(kept) > MAX_PARTS:
        raise Irrational("a sum of many roots")
    return Surd(kept) if kept.keys() - {1} else kept.get(1, Fraction(0))


def inverse_exact(x: Exact) -> Exact:
    """1/x."""
    if isinstance(x, Surd):
        return x.inverse()
    if not x:
        raise Undefined("division by zero")
    return 1 / x


def sign(x: Exact) -> int:
    """-1, 0 or 1. A surd is not 0, so that ever finer bounds settle its sign."""
    if isinstance(x, Fraction):
        return (x > 0) - (x < 0)
    bits = 32
    while True:
        low, high = x.enclosure(bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        bits *= 2


def root_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of the square root of x >= 0 that differ by at most 2^-bits."""
    scaled = (x.numerator << 2 * bits) // x.denominator
    low = isqrt(scaled)
    exact = low * low == scaled and (x.numerator << 2 * bits) % x.denominator == 0
    return Fraction(low, 1 << bits), Fraction(low if exact else low + 1, 1 << bits)


def rational_root(x: Fraction) -> Fraction | None:
    """The square root where it is rational, else None."""
    if x < 0:
        raise Undefined("square root of a negative number")
    top, bottom = isqrt(x.numerator), isqrt(x.denominator)
    return Fraction(top, bottom) if top * top == x.numerator and bottom * bottom == x.denominator else None


@lru_cache(maxsize=4096)
def _split_square(n: int) -> tuple[int, int]:
    """(a, b) with n = a^2 b and b squarefree; past the cube root at most two primes are left."""
    square, free, rest, p = 1, 1, n, 2
    while p * p * p <= rest:
        power = 0
        while rest % p == 0:
            rest, power = rest // p, power + 1
        square, free = square * p ** (power // 2), free * p ** (power % 2)
        p += 1 if p == 2 else 2
    last = isqrt(rest)
    return (square * last, free) if last * last == rest else (square, free * rest)


def exact_root(x: Exact) -> Exact:
    """The square root as a rational or a surd; a nested root is refused as Irrational."""
    if isinstance(x, Surd):
        if sign(x) < 0:
            raise Undefined("square root of a negative number")
        raise Irrational("a root under a root")
    plain = rational_root(x)
    if plain is not None:
        return plain
    product = x.numerator * x.denominator
    if product > ROOT_LIMIT:
        raise Irrational("a root of a large number")
    square, free = _split_square(product)
    return Surd({free: Fraction(square, x.denominator)})


# ---------------------------------------------------------------- enclosures


@dataclass(frozen=True, slots=True)
class Interval:
    """All real numbers from low to high; results are rounded outward to multiples of 2^-bits."""

    low: Fraction
    high: Fraction
    bits: int

    def _new(self, low: Fraction, high: Fraction) -> Interval:
        unit = 1 << self.bits
        return Interval(Fraction(low * unit // 1, unit), Fraction(-(-high * unit // 1), unit), self.bits)

    def __add__(self, other: object) -> Interval:
        if isinstance(other, Interval):
            return Interval(self.low + other.low, self.high + other.high, self.bits)
        return self._new(self.low + other, self.high + other) if isinstance(other, (Fraction, int)) else NotImplemented

    __radd__ = __add__

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low, self.bits)

    def __sub__(self, other: object) -> Interval:
        return self + -other if isinstance(other, (Interval, Fraction, int)) else NotImplemented

    def __rsub__(self, other: object) -> Interval:
        return -self + other

    def __mul__(self, other: object) -> Interval:
        if not isinstance(other, (Interval, Fraction, int)):
            return NotImplemented
        others = (other.low, other.high) if isinstance(other, Interval) else (Fraction(other),)
        products = [x * y for x in (self.low, self.high) for y in others]
        return self._new(min(products), max(products))

    __rmul__ = __mul__

    def inverse(self) -> Interval:
        """1/self, where 0 lies outside."""
        if self.low <= 0 <= self.high:
            raise Irrational("a denominator that may be 0")
        return self._new(1 / self.high, 1 / self.low)

    def __str__(self) -> str:
        digits = 12
        scaled = (self.low * 10**digits // 1, -(-self.high * 10**digits // 1))
        low, high = (f"{'-' if n < 0 else ''}{abs(n) // 10**digits}.{abs(n) % 10**digits:0{digits}d}" for n in scaled)
        return f"[{low}, {high}]"


# ---------------------------------------------------------------- derivatives

Plain = Union[Fraction, Surd, Interval]


class Jet:
    """An element of Q[t_0, t_1, ...]/(t_i^2): `parts` maps a set of tags, as a bit mask, to its coefficient.

    The coefficient of t_i is the derivative along the i-th seed. A jet stays a jet even where its derivative
    vanishes, so that a root that depends on a seed is not mistaken for a constant at 0.
    """

    __slots__ = ("parts",)

    def __init__(self, parts: dict[int, Plain]) -> None:
        self.parts = parts

    def __add__(self, other: object) -> Jet:
        total = dict(self.parts)
        for tags, x in (other.parts if isinstance(other, Jet) else {0: other}).items():
            total[tags] = total[tags] + x if tags in total else x  # type: ignore[operator,assignment]
        return Jet(total)

    __radd__ = __add__

    def __neg__(self) -> Jet:
        return Jet({tags: -x for tags, x in self.parts.items()})

    def __sub__(self, other: object) -> Jet:
        return self + -other  # type: ignore[operator,no-any-return]

    def __rsub__(self, other: object) -> Jet:
        return -self + other

    def __mul__(self, other: object) -> Jet:
        if not isinstance(other, Jet):
            return Jet({tags: x * other for tags, x in self.parts.items()})  # type: ignore[operator]
        total: dict[int, Plain] = {}
        for a, x in self.parts.items():
            for b, y in other.parts.items():
                if not a & b:
                    total[a | b] = total[a | b] + x * y if a | b in total else x * y
        return Jet(total)

    __rmul__ = __mul__

    def coefficient(self, tag: int) -> Jet:
        """The coefficient of one tag, a mask with a single bit."""
        found = {tags & ~tag: x for tags, x in self.parts.items() if tags & tag}
        return Jet({0: Fraction(0), **found})

    def power_series(self, at_base: Callable[[Plain], Plain], ratio: Callable[[int], Fraction]) -> Jet:
        """f(self) for f(a + n) = f(a) sum_k c_k (n/a)^k, where c_(k+1)/c_k = ratio(k)."""
        base = self.parts[0]
        start = at_base(base)
        step = Jet({tags: x for tags, x in self.parts.items() if tags}) * inverse(base)
        result, term, k = Jet({0: Fraction(1)}), Jet({0: Fraction(1)}), 0
        while term.parts:
            term = term * step * ratio(k)
            result, k = result + term, k + 1
        return result * start


Value = Union[Fraction, Surd, Interval, Jet]


def inverse(x: Value) -> Value:
    """1/x."""
    if isinstance(x, Jet):
        return x.power_series(inverse, lambda _k: Fraction(-1))  # type: ignore[arg-type]
    return x.inverse() if isinstance(x, Interval) else inverse_exact(x)


Root = Callable[[Plain], Plain]


def root(x: Value, plain_root: Root) -> Value:
    """The nonnegative square root; with a derivative, 0 is refused."""
    if not isinstance(x, Jet):
        return plain_root(x)
    if x.parts[0] == 0:
        raise Undefined("derivative of a root at 0")
    return x.power_series(plain_root, lambda k: (Fraction(1, 2) - k) / (k + 1))


def enclosing_root(bits: int) -> Root:
    """A square root that answers with an Interval where the root is irrational."""

    def enclose(x: Plain) -> Plain:
        if isinstance(x, Surd):
            x = Interval(*x.enclosure(bits), bits)
        if isinstance(x, Interval):
            if x.high < 0:
                raise Undefined("square root of a negative number")
            if x.low < 0:
                raise Irrational("a radicand that may be negative")
            return Interval(root_bounds(x.low, bits)[0], root_bounds(x.high, bits)[1], bits)
        plain = rational_root(x)
        return Interval(*root_bounds(x, bits), bits) if plain is None else plain

    return enclose
