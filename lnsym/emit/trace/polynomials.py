"""Exact numbers for running emitted text: polynomials in symbols, each with a value that decides branches and an order of size.

Orders tell apart what a first word holds and what the words below it hold: a symbol of order k is about 2^-24k of an entry of the data.
Where a ring has a limit, products of that order and above are dropped; without one, nothing is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

Number = int | Fraction
Monomial = tuple[tuple[int, int], ...]  # (symbol, exponent), sorted; exponents may be negative
ONE: Monomial = ()
STEP = 24  # bits between two orders


def exact(x: Any) -> Number:
    """A Python or NumPy number as it is."""
    value = Fraction(x)
    return value.numerator if value.denominator == 1 else value


def order_of_size(value: float) -> int:
    """The order of a number beside entries of the data, which are near 1."""
    return max(1, round(-math.log2(abs(value)) / STEP)) if value else 1


def times(a: Monomial, b: Monomial) -> Monomial:
    """The product of two monomials."""
    if not a or not b:
        return a or b
    powers = dict(a)
    for symbol, power in b:
        powers[symbol] = powers.get(symbol, 0) + power
    return tuple(sorted(pair for pair in powers.items() if pair[1]))


class Ring:
    """The symbols of a run, and what sums over all coordinates amount to."""

    def __init__(self, d: int, limit: int | None = None) -> None:
        self.d, self.limit = d, limit
        self.names: list[str] = []
        self.values: list[float] = []
        self.orders: list[int] = []
        self.families: list[tuple[int, int] | None] = []  # of an indexed symbol: the number of its family, and its index
        self.sums: dict[Monomial, Poly] = {}  # the sum over all coordinates of a product of entries; here symbols are families
        self.known_orders: dict[Monomial, int] = {ONE: 0}
        self.count = 0
        self.zero, self.one = Poly(self, {}), Poly(self, {ONE: 1})

    def number(self, x: object) -> Poly:
        """A number."""
        if isinstance(x, float) and not math.isfinite(x):
            return self.symbol(str(x), x)
        value = exact(x)
        return Poly(self, {ONE: value}) if value else self.zero

    def symbol(self, name: str, value: float, order: int = 0, family: tuple[int, int] | None = None) -> Poly:
        """A new symbol, or 0 if it is of an order that is dropped."""
        if self.limit and order >= self.limit:
            return self.zero
        self.names.append(name)
        self.values.append(float(value))
        self.orders.append(order)
        self.families.append(family)
        return Poly(self, {((len(self.names) - 1, 1),): 1})

    def family(self, name: str, values: Sequence[float], orders: Sequence[int] | None = None) -> list[Poly]:
        """Symbols with one index, one for each value."""
        self.count += 1
        orders = orders or [0] * len(values)
        return [self.symbol(f"{name}[{j}]", x, orders[j], (self.count, j)) for j, x in enumerate(values)]

    def order(self, m: Monomial) -> int:
        """The order of a monomial."""
        if m not in self.known_orders:
            self.known_orders[m] = sum(self.orders[symbol] * power for symbol, power in m)
        return self.known_orders[m]

    def written(self, m: Monomial) -> str:
        """A monomial as text."""
        return "*".join(self.names[s] + (f"^{p}" if p != 1 else "") for s, p in m) or "1"

    def gathered(self, p: Poly) -> Poly:
        """The polynomial with every sum over all coordinates replaced by what it amounts to."""
        if len(p.terms) < self.d:
            return p
        orbits: dict[tuple[Monomial, Monomial, Number], list[Monomial]] = {}
        for m, c in p.terms.items():
            places = [self.families[s] for s, _ in m]
            indices = {place[1] for place in places if place}
            if len(indices) == 1:
                entry = tuple((place[0], power) for place, (_, power) in zip(places, m, strict=True) if place)
                rest = tuple(pair for place, pair in zip(places, m, strict=True) if not place)
                orbits.setdefault((entry, rest, c), []).append(m)
        complete = [(key, members) for key, members in orbits.items() if len(members) == self.d]
        if not complete:
            return p
        terms = dict(p.terms)
        for _, members in complete:
            for m in members:
                del terms[m]
        result = Poly(self, terms)
        for (entry, rest, c), members in complete:
            result = result + self.sum_of(entry, [tuple(x for x in m if self.families[x[0]]) for m in members]) * Poly(self, {rest: c})
        return result

    def sum_of(self, entry: Monomial, members: list[Monomial]) -> Poly:
        """The sum over all coordinates of a product of entries: a symbol, unless more is known of it."""
        if entry not in self.sums:
            value = math.fsum(Poly(self, {m: 1}).value for m in members)
            self.sums[entry] = self.symbol(f"sum {self.written(members[0])}", value, self.order(members[0]))
        return self.sums[entry]


class Poly:
    """A polynomial; its symbols may have negative powers."""

    __slots__ = ("ring", "terms")

    def __init__(self, ring: Ring, terms: dict[Monomial, Number]) -> None:
        self.ring, self.terms = ring, terms

    def __repr__(self) -> str:
        shown = sorted(self.terms.items())
        more = f" + {len(shown) - 6} more terms" if len(shown) > 6 else ""
        return " + ".join(f"{c}*{self.ring.written(m)}" for m, c in shown[:6]) + more or "0"

    @property
    def value(self) -> float:
        """The value at the row that decides branches."""
        values = self.ring.values
        try:
            return math.fsum(float(c) * math.prod(values[s] ** p for s, p in m) for m, c in self.terms.items())
        except OverflowError:  # by way of numbers of any size
            return float(sum(c * math.prod(Fraction(values[s]) ** p for s, p in m) for m, c in self.terms.items()))

    @property
    def constant(self) -> Number | None:
        """The number, if it is one."""
        return 0 if not self.terms else self.terms[ONE] if len(self.terms) == 1 and ONE in self.terms else None

    def has(self, symbol: int) -> bool:
        """Whether a symbol occurs."""
        return any(s == symbol for m in self.terms for s, _ in m)

    # ------------------------------------------------------------ arithmetic

    def __add__(self, other: Any) -> Poly:
        if not isinstance(other, Poly):
            if getattr(other, "shape", ()):
                return NotImplemented  # an array: NumPy goes through it
            other = self.ring.number(other)
        small, large = sorted((self.terms, other.terms), key=len)
        terms = dict(large)
        for m, c in small.items():
            total = terms.get(m, 0) + c
            if total:
                terms[m] = total
            else:
                del terms[m]
        return Poly(self.ring, terms)

    def __neg__(self) -> Poly:
        return Poly(self.ring, {m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Any) -> Poly:
        if not isinstance(other, Poly):
            return self.__add__(-other)
        terms = dict(self.terms)
        for m, c in other.terms.items():
            total = terms.get(m, 0) - c
            if total:
                terms[m] = total
            else:
                del terms[m]
        return Poly(self.ring, terms)

    def __rsub__(self, other: Any) -> Poly:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Poly:
        if not isinstance(other, Poly):
            if getattr(other, "shape", ()):
                return NotImplemented  # an array: NumPy goes through it
            factor = exact(other)
            return self if factor == 1 else Poly(self.ring, {m: c * factor for m, c in self.terms.items()} if factor else {})
        ring, limit, terms = self.ring, self.ring.limit, dict[Monomial, Number]()
        ordered = [(n, e, ring.order(n)) for n, e in other.terms.items()] if limit else [(n, e, 0) for n, e in other.terms.items()]
        for m, c in self.terms.items():
            room = limit - ring.order(m) if limit else 1
            for n, e, order in ordered:
                if order < room:
                    key = times(m, n)
                    terms[key] = terms.get(key, 0) + c * e
        return Poly(ring, {m: c for m, c in terms.items() if c})

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> Poly:
        if not isinstance(other, Poly):
            if getattr(other, "shape", ()):
                return NotImplemented  # an array: NumPy goes through it
            return self * (1 / Fraction(exact(other)))
        return self * other.power(Fraction(-1)) if self.terms else self

    def __rtruediv__(self, other: Any) -> Poly:
        return self.ring.number(other) / self

    def __floordiv__(self, other: Any) -> Poly:
        value = self.constant
        return self.ring.symbol("half", self.value // other) if value is None else self.ring.number(value // other)

    def __pow__(self, n: int) -> Poly:
        result = self.ring.one
        for _ in range(n):
            result = result * self
        return result

    def sqrt(self) -> Poly:
        """The root that is not negative."""
        return self.power(Fraction(1, 2)) if self.terms else self

    def power(self, power: Fraction) -> Poly:
        """The binomial series about the part of order 0; a new symbol where that part is no single monomial of which the power is one."""
        ring = self.ring
        leading = [(m, c) for m, c in self.terms.items() if not (ring.limit and ring.order(m))]
        root = _power_of(leading[0], power) if len(leading) == 1 else None
        if root is None:
            return ring.symbol("a root" if power > 0 else "a quotient", abs(self.value) ** float(power) * math.copysign(1, self.value))
        inverse = Poly(ring, dict([_power_of(leading[0], Fraction(-1)) or leading[0]]))
        rest = self * inverse - 1
        result, term, n = ring.one, ring.one, 0
        while term.terms:
            term = term * rest * ((power - n) / (n + 1))
            result, n = result + term, n + 1
        return result * Poly(ring, dict([root]))

    # ------------------------------------------------------------ comparisons, decided by the values

    def difference(self, other: Any) -> float:
        """The sign of self - other: 0 only if the two are identical."""
        rest = self - other
        return rest.value if rest.terms else 0.0

    def __eq__(self, other: object) -> bool:
        return not (self - other).terms

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Any) -> bool:
        return self.difference(other) < 0

    def __le__(self, other: Any) -> bool:
        return self.difference(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self.difference(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self.difference(other) >= 0

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __abs__(self) -> Poly:
        return -self if self.value < 0 else self

    def conjugate(self) -> Poly:
        """Itself: it is real."""
        return self


def _power_of(term: tuple[Monomial, Number], power: Fraction) -> tuple[Monomial, Number] | None:
    """The power of a monomial with its coefficient, None if it is none."""
    m, c = term
    if power == -1:
        return tuple((s, -p) for s, p in m), exact(1 / Fraction(c))
    n, k = Fraction(c).numerator, Fraction(c).denominator
    if n < 0 or math.isqrt(n) ** 2 != n or math.isqrt(k) ** 2 != k or any(p % 2 for _, p in m):
        return None
    return tuple((s, p // 2) for s, p in m), exact(Fraction(math.isqrt(n), math.isqrt(k)))


def total(parts: Iterable[Poly], ring: Ring) -> Poly:
    """A sum of polynomials."""
    terms: dict[Monomial, Number] = {}
    for part in parts:
        for m, c in part.terms.items():
            terms[m] = terms.get(m, 0) + c
    return Poly(ring, {m: c for m, c in terms.items() if c})
