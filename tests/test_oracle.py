"""The oracle against itself (fast against slow), ball arithmetic, mpmath, exact points, and boundaries built on purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import copysign, fsum, inf, ldexp, nan, pi
from pathlib import Path
from typing import Any

import flint
import ml_dtypes
import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lnsym
from lnsym import oracle
from lnsym.oracle import Format, OracleError, Value, measure, rows, scalar
from tests.emit import families
from tests.exhaustive import float16_pairs

FORMATS = tuple(oracle.FORMATS)
F = Fraction
Array = Any


def fractions(row: Iterable[Any]) -> list[Fraction]:
    return [F(float(x)) for x in row]


def same(got: Array, want: Array) -> bool:
    """Equal entry by entry, with the sign of zero; NaN equals NaN."""
    a, b = np.asarray(got).astype(np.float64), np.asarray(want, dtype=np.float64)
    return a.shape == b.shape and bool(
        np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a) & (a == a), np.signbit(b) & (b == b))
    )


def largest(f: Format) -> Fraction:
    return (2 - F(2) ** (1 - f.precision)) * F(2) ** f.largest


def neighbours(f: Format, count: int, place: int) -> tuple[Fraction, Fraction, Fraction]:
    """A number count 2^place of the format, the next one, and the boundary between them."""
    low = count * F(2) ** place
    high = (count + 1) * F(2) ** place
    return low, high, (low + high) / 2


def boundaries(f: Format) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Neighbours with even and odd last digits: ordinary, at a power of two, the least normal, subnormal, the least of all."""
    p = f.precision
    ordinary = [neighbours(f, 2 ** (p - 1) + n, 1 - p + shift) for n in (0, 1, 2, 5, 2 ** (p - 1) - 1) for shift in (0, -1, -5)]
    return ordinary + [neighbours(f, n, f.least) for n in (0, 1, 2, 3, 2 ** (p - 1) - 1, 2 ** (p - 1))]


def even(low: Fraction, high: Fraction, f: Format) -> Fraction:
    """Of two neighbours the one whose last digit is even."""
    place = F(2) ** max(f.ulp_exponent(scalar._exponent(low)) if low else f.least, f.least)
    return low if int(low / place) % 2 == 0 else high


# ---------------------------------------------------------------- formats and scalars


@pytest.mark.parametrize("name", FORMATS)
def test_formats_are_what_their_libraries_say(name: str) -> None:
    f, info = oracle.FORMATS[name], ml_dtypes.finfo(families.TYPES[name])  # type: ignore[no-untyped-call]
    assert (f.precision, largest(f), F(2) ** f.least) == (info.nmant + 1, F(float(info.max)), F(float(info.smallest_subnormal)))
    assert [oracle.format_of(x) for x in (f, name, families.TYPES[name], np.dtype(families.TYPES[name]))] == [f] * 4


def test_rationals_are_rounded_as_the_language_and_numpy_round_them() -> None:
    r = np.random.default_rng(1)
    for _ in range(3000):
        value = F(int(r.integers(-(2**62), 2**62)), int(r.integers(1, 2**62))) * F(2) ** int(r.integers(-1140, 1030))
        try:
            expected = value.numerator / value.denominator
        except OverflowError:
            expected = inf if value > 0 else -inf
        got = scalar.round_rational(value, "float64")
        assert (got, copysign(1, got)) == (expected, -1.0 if value < 0 else 1.0)
    for name in ("float32", "float16"):
        x = np.ldexp(r.uniform(-1, 1, 500), r.integers(-160, 130, 500).astype(np.int32))
        with np.errstate(all="ignore"):
            assert same([scalar.round_rational(v, name) for v in x], x.astype(name).astype(np.float64))


@pytest.mark.parametrize("name", FORMATS)
def test_roots_a_hair_beside_a_boundary_are_told_from_it(name: str) -> None:
    """p - q sqrt(2) is tiny and of known sign for the convergents p/q; it moves a boundary to one side."""
    f = oracle.FORMATS[name]
    p, q = 1, 1
    for _ in range(900):  # p^2 - 2 q^2 alternates between -1 and 1
        p, q = p + 2 * q, p + q
    for _ in range(2):
        p, q = p + 2 * q, p + q
        above = p * p > 2 * q * q
        for low, high, middle in boundaries(f):
            assert scalar.round_rational(middle, name) == float(even(low, high, f))
            value = Value(middle + p, F(-q), F(2))
            assert value.compare(middle) == (1 if above else -1)
            assert value.rounded(name) == float(high if above else low)
            assert Value(-middle - p, F(q), F(2)).rounded(name) == -float(high if above else low)
            root = oracle.round_value(0, 1, middle * middle, name), oracle.round_value(0, 1, middle**2 + F(1, 2**6000), name)
            assert root == (float(even(low, high, f)), float(high))


@pytest.mark.parametrize("name", FORMATS)
def test_overflow_begins_half_a_step_beyond_the_largest(name: str) -> None:
    f = oracle.FORMATS[name]
    top = largest(f)
    edge = top + F(2) ** (f.largest - f.precision)
    assert scalar.round_rational(edge, name) == inf
    assert scalar.round_rational(-edge, name) == -inf
    assert scalar.round_rational(edge - F(1, 2**2000), name) == float(top)


def test_zero_is_positive_and_underflow_keeps_its_sign() -> None:
    tiny = F(1, 2**3000)
    assert [copysign(1, scalar.round_rational(x, "float64")) for x in (F(0), tiny, -tiny)] == [1, 1, -1]
    assert copysign(1, Value(F(-3), F(1), F(9)).rounded("float16")) == 1


def test_the_sign_of_a_value_is_decided_in_every_case() -> None:
    signs = {(a, b, r): Value(F(a), F(b), F(r)).sign() for a in (-3, 0, 3) for b in (-2, -1, 0, 1, 2) for r in (0, 2, 9)}
    for (a, b, r), sign in signs.items():
        number = a + b * {0: 0, 2: 1.4142135, 9: 3}[r]
        assert sign == (number > 0) - (number < 0), (a, b, r)


def test_bounds_hold_the_value_and_are_narrow() -> None:
    for value in (Value(F(1, 3), F(-2, 7), F(5, 11)), Value(F(0), F(1), F(2) ** -3000 * 3), Value(F(-1), F(1), F(2) ** 3001)):
        low, high = value.bounds(100)
        assert value.compare(low) >= 0 >= value.compare(high)
        assert high - low <= abs(value.factor) * F(2) ** -99 * (value.radicand + 1 if value.radicand > 1 else 1)
    assert Value(F(1), F(2), F(9, 4)).bounds(64) == (F(4), F(4))


# ---------------------------------------------------------------- sums of roots


def test_sums_of_roots_that_cancel_are_found_out() -> None:
    root = [Value(F(0), F(b), F(r)) for b, r in ((3, 2), (-1, 18), (5, F(1, 3)), (F(-5, 2), F(4, 3)))]
    assert scalar.round_sum(root, "float64") == 0.0
    assert [copysign(1, scalar.round_sum(root, name)) for name in FORMATS] == [1] * 4
    assert scalar.round_sum([*root, Value(F(1, 3), F(0), F(7))], "float32") == scalar.round_rational(F(1, 3), "float32")
    assert scalar.round_sum([*root, Value(F(0), F(1), F(5)), Value(F(0), F(1), F(7))], "float64") == pytest.approx(
        5**0.5 + 7**0.5, rel=1e-15
    )


def test_sums_of_rational_roots_on_a_boundary_are_decided() -> None:
    """3 sqrt(1/9) + 3 2^-12 sqrt(4/9) = 1 + 2^-11: no finite bounds tell it from the boundary."""
    values = [Value(F(0), F(3), F(1, 9)), Value(F(0), F(3, 2**12), F(4, 9))]
    assert scalar.round_sum(values, "float16") == 1.0
    assert scalar.round_sum([*values, Value(F(0), F(1, 2**600), F(2))], "float16") == 1 + 2**-10


def test_long_integers_become_floats_by_one_rounding() -> None:
    """2^54 + 2 is half-way between two floats, and a single unit far below decides."""
    tie = (2**54 + 2) << 1100
    numbers, exponents = rows.floats([tie, tie + 1, tie - 1, -tie, -tie - 1, 1 - tie, 3])
    assert exponents is not None
    assert [F(x) * F(2) ** k for x, k in zip(numbers, exponents, strict=True)] == [
        n * F(2) ** 1100 for n in (2**54, 2**54 + 4, 2**54, -(2**54), -(2**54) - 4, -(2**54))
    ] + [3]


def test_sums_of_roots_on_a_boundary_are_decided() -> None:
    """sqrt(2) + sqrt(3) - t close to a boundary of float16, from either side."""
    total = mpmath.mp
    total.prec = 400
    exact = mpmath.sqrt(2) + mpmath.sqrt(3)
    for side in (-1, 1):
        middle = F(1) + F(1, 2**11)
        near = F(int(mpmath.floor(exact * 2**300)), 2**300) + (side > 0) * F(1, 2**300)
        values = [Value(middle - near, F(1), F(2)), Value(F(0), F(1), F(3))]  # middle plus less than 2^-300, above or below it
        assert scalar.round_sum(values, "float16") == (1.0 if side > 0 else 1 + 2**-10)


# ---------------------------------------------------------------- against ball arithmetic and mpmath


def case(r: np.random.Generator, name: str, wild: bool) -> dict[str, Any]:
    """Rows, cotangents, weights and an eps of one format, moderate or over its whole range."""
    f, d = oracle.FORMATS[name], int(r.choice([1, 2, 3, 5, 8, 17]))

    def numbers(shape: tuple[int, ...]) -> Array:
        if not wild:
            return families.in_format(r.standard_normal(shape), name)
        kind = int(r.integers(0, 3))
        exponents = r.integers(f.least, f.largest, shape) if kind == 0 else int(r.integers(f.least, f.largest))
        return families.in_format(np.ldexp(r.standard_normal(shape), exponents) + (kind == 1) * 1000.0, name)

    return {"x": numbers((2, d)), "dy": numbers((2, d)), "ddx": numbers((2, d)), "weight": numbers((d,)), "bias": numbers((d,)),
            "ddweight": numbers((d,)), "ddbias": numbers((d,)), "eps": families.fuzz_eps(r), "dtype": name}  # fmt: skip


class Textbook:
    """The formulas as a textbook has them, over any numbers with + - * / and a root."""

    def __init__(self, number: Callable[[float], Any], root: Callable[[Any], Any], c: dict[str, Any], row: int) -> None:
        self.number, self.d = number, c["x"].shape[1]
        named = {
            name: [number(float(x)) for x in (c[name][row] if c[name].ndim == 2 else c[name])] for name in c if name not in ("eps", "dtype")
        }
        self.x, self.dy, self.w, self.b = named["x"], named["dy"], named["weight"], named["bias"]
        self.a, self.dw, self.db = named["ddx"], named["ddweight"], named["ddbias"]
        mean = self.mean(self.x)
        v = [x - mean for x in self.x]
        s = root(self.mean([x * x for x in v]) + number(c["eps"]))
        self.u, self.r = [x / s for x in v], 1 / s

    def mean(self, row: list[Any]) -> Any:
        return sum(row, self.number(0.0)) / self.d

    def along(self, h: list[Any]) -> list[Any]:
        """J h."""
        common, tilt = self.mean(h), self.mean([a * b for a, b in zip(h, self.u, strict=True)])
        return [self.r * (a - common - b * tilt) for a, b in zip(h, self.u, strict=True)]

    def answers(self) -> dict[str, list[Any]]:
        u = self.u
        g = [w * t for w, t in zip(self.w, self.dy, strict=True)]
        ja = self.along(self.a)
        pa, pg = ([t - self.mean(h) for t in h] for h in (self.a, g))
        ug, ua, ag = (self.mean([m * n for m, n in zip(*pair, strict=True)]) for pair in ((u, g), (u, self.a), (pa, pg)))
        bend = [-self.r * self.r * (ug * pa[i] + ua * pg[i] + (ag - ua * ug * 3) * u[i]) for i in range(self.d)]
        turn = self.along([b * t for b, t in zip(self.dw, self.dy, strict=True)])
        return {
            "layer_norm": [w * t + b for w, t, b in zip(self.w, u, self.b, strict=True)],
            "normalize": u,
            "vjp": self.along(g),
            "jvp": [w * t for w, t in zip(self.w, ja, strict=True)],
            "mean": [self.mean(self.x)],
            "rstd": [self.r],
            "dweight": [t * q for t, q in zip(self.dy, u, strict=True)],
            "to dy": [w * j + b * t + c for w, j, b, t, c in zip(self.w, ja, self.dw, u, self.db, strict=True)],
            "to x": [p + q for p, q in zip(bend, turn, strict=True)],
            "to weight": [t * j for t, j in zip(self.dy, ja, strict=True)],
        }


def rounded(c: dict[str, Any], row: int) -> dict[str, list[float]]:
    """What the oracle answers for one row of a case."""
    x, dy, a, name, eps = c["x"][row : row + 1], c["dy"][row : row + 1], c["ddx"][row : row + 1], c["dtype"], c["eps"]
    to_dy, to_x, to_weight = oracle.vjp_vjp(a, c["ddweight"], c["ddbias"], dy, x, c["weight"], eps, name)
    arrays = {
        "layer_norm": oracle.layer_norm(x, c["weight"], c["bias"], eps, name),
        "normalize": oracle.normalize(x, eps, name),
        "vjp": oracle.vjp(dy, x, c["weight"], eps, name),
        "jvp": oracle.jvp(x, a, c["weight"], eps, name),
        "mean": oracle.mean(x, name),
        "rstd": oracle.rstd(x, eps, name),
        "dweight": oracle.dweight(dy, x, eps, name),
        "to dy": to_dy,
        "to x": to_x,
        "to weight": to_weight,
    }
    return {key: np.asarray(array).astype(np.float64).ravel().tolist() for key, array in arrays.items()}


def cell(y: float, f: Format) -> tuple[Fraction | None, Fraction | None]:
    """The boundaries between which a number must lie to be rounded to y; None for no boundary."""
    if y == inf or y == -inf:
        edge = largest(f) + F(2) ** (f.largest - f.precision)
        return (edge, None) if y > 0 else (None, -edge)
    size = F(abs(y))
    exponent = scalar._exponent(size) if size else f.least
    step = F(2) ** f.ulp_exponent(exponent)
    power = size == F(2) ** (exponent - 1)
    below = F(2) ** f.ulp_exponent(exponent - 1) if power else step
    low, high = size - below / 2, size + step / 2
    return (low, high) if y >= 0 else (-high, -low)


def check_cells(
    c: dict[str, Any], row: int, number: Callable[[float], Any], exact: Callable[[Fraction], Any], root: Callable[[Any], Any]
) -> int:
    """Every answer's cell holds the textbook's value; returns how many were looked at."""
    f, count = oracle.FORMATS[c["dtype"]], 0
    expected, got = Textbook(number, root, c, row).answers(), rounded(c, row)
    for key, values in expected.items():
        for value, y in zip(values, got[key], strict=True):
            low, high = cell(y, f)
            # a comparison of balls is true only where it is certain, so that a wrong answer makes it false
            assert low is None or not value < exact(low), (key, c, y)
            assert high is None or not value > exact(high), (key, c, y)
            count += 1
    return count


def ball(value: Fraction) -> Any:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("wild", [False, True])
def test_ball_arithmetic_finds_every_value_in_its_cell(name: str, wild: bool) -> None:
    r, count = np.random.default_rng(len(name) + wild), 0
    precision, flint.ctx.prec = flint.ctx.prec, 9000 if wild else 400
    try:
        for _ in range(15 if wild else 60):
            count += check_cells(case(r, name, wild), 0, lambda x: flint.arb(float(x)), ball, lambda x: x.sqrt())
    finally:
        flint.ctx.prec = precision
    assert count > (400 if wild else 2000)


@pytest.mark.parametrize("name", FORMATS)
def test_mpmath_finds_every_value_in_its_cell(name: str) -> None:
    r, count = np.random.default_rng(len(name) + 10), 0
    with mpmath.workprec(3000):
        for _ in range(40):
            count += check_cells(
                case(r, name, False), 1, lambda x: mpmath.mpf(float(x)), lambda q: mpmath.mpf(q.numerator) / q.denominator, mpmath.sqrt
            )
    assert count > 1500


def test_a_value_outside_its_cell_would_be_seen() -> None:
    c = case(np.random.default_rng(3), "float32", False)
    flint.ctx.prec, precision = 400, flint.ctx.prec
    try:
        for side in (-9, 9):
            value = Textbook(lambda x: flint.arb(float(x)), lambda x: x.sqrt(), c, 0).answers()["vjp"][0]
            low, high = cell(float(np.nextafter(np.float32(rounded(c, 0)["vjp"][0]), np.float32(side))), oracle.FORMATS["float32"])
            assert low is not None
            assert high is not None
            assert value < ball(low) or value > ball(high)
    finally:
        flint.ctx.prec = precision


# ---------------------------------------------------------------- fast rows against slow scalars


def slow(values: Sequence[Sequence[Value]], name: str) -> list[list[float]]:
    return [[value.rounded(name) for value in row] for row in values]


def compare_with_scalars(x: Array, dy: Array, weight: Array, bias: Array, eps: float | Fraction, name: str) -> None:
    z, g, w, b, e = [fractions(row) for row in x], [fractions(row) for row in dy], fractions(weight), fractions(bias), F(eps)
    assert same(oracle.normalize(x, eps, name), slow([scalar.core(row, e) for row in z], name))
    assert same(oracle.layer_norm(x, weight, bias, eps, name), slow([scalar.output(row, w, b, e) for row in z], name))
    assert same(oracle.vjp(dy, x, weight, eps, name), slow([scalar.vjp(t, row, w, e) for t, row in zip(g, z, strict=True)], name))
    assert same(oracle.jvp(x, dy, weight, eps, name), slow([scalar.jvp(row, t, w, e) for t, row in zip(g, z, strict=True)], name))
    ddx = [g[-1], *g[:-1]]  # the cotangents of another row
    to_dy, to_x, to_weight = oracle.vjp_vjp(np.roll(dy, 1, axis=0), bias, weight, dy, x, weight, eps, name)
    assert same(to_dy, slow([scalar.vjp_vjp_dy(a, b, w, row, w, e) for a, row in zip(ddx, z, strict=True)], name))
    assert same(to_x, slow([scalar.vjp_vjp_x(a, b, t, row, w, e) for a, t, row in zip(ddx, g, z, strict=True)], name))
    terms = [scalar.vjp_vjp_weight(a, t, row, e) for a, t, row in zip(ddx, g, z, strict=True)]
    assert same(to_weight, [scalar.round_sum(column, name) for column in zip(*terms, strict=True)])
    parts = [scalar.dweight(t, row, e) for t, row in zip(g, z, strict=True)]
    assert same(oracle.dweight(dy, x, eps, name), [scalar.round_sum(column, name) for column in zip(*parts, strict=True)])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("d", [1, 2, 3, 7, 16])
def test_fast_rows_agree_with_scalars_on_every_family(name: str, d: int) -> None:
    for n, family in enumerate(families.names(name)):
        x = families.rows(name, family, d, 2)
        eps = (*families.EPS, *families.MORE_EPS)[n % 8]
        u = oracle.normalize(x, eps)
        weight = families.weight(name, families.WEIGHTS[n % 5], d)
        bias = families.bias(name, families.BIASES[n % 4], d, oracle.layer_norm(x[:1], weight, None, eps)[0])
        compare_with_scalars(x, families.cotangent(name, families.COTANGENTS[n % 4], x, u), weight, bias, eps, name)


@pytest.mark.parametrize("name", FORMATS)
def test_fast_rows_agree_with_scalars_on_random_rows(name: str) -> None:
    r = np.random.default_rng(len(name) + 30)
    for _ in range(120):
        d = int(r.integers(1, 12))
        rows = [families.fuzz_rows(r, name, 2, d) for _ in range(3)]
        compare_with_scalars(rows[0], rows[1], rows[2][0], rows[2][1], families.fuzz_eps(r), str(r.choice(FORMATS)))


numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(numbers, numbers, numbers, numbers), min_size=1, max_size=6), st.floats(5e-324, 1e308), st.sampled_from(FORMATS))
def test_fast_rows_agree_with_scalars_on_any_row(rows: list[tuple[float, ...]], eps: float, name: str) -> None:
    x, dy, weight, bias = (np.array(column) for column in zip(*rows, strict=True))
    compare_with_scalars(x[None], dy[None], weight, bias, eps, name)


# ---------------------------------------------------------------- exact points of the catalogue


def root(n: int) -> Value:
    return Value(F(0), F(1), F(n))


def times(factors: Sequence[int | Fraction], radicand: Fraction | int = 1) -> list[Value]:
    """Each factor times the root of one number."""
    return [Value(F(0), F(x), F(radicand)) for x in factors]


THIRD, HALF = F(1, 3), F(1, 2)
CORES: dict[str, tuple[tuple[int, ...], Fraction, list[Value]]] = {
    "X01": ((1, 2, 3), THIRD, times((-1, 0, 1))),
    "X02": ((1, 3), F(3), times((-HALF, HALF))),
    "X03": ((0, 1, 2, 3, 4), F(1, 4), times([F(2 * n, 3) for n in (-2, -1, 0, 1, 2)])),
    "X04": ((1, 1, -1, -1), F(5, 4), times([F(2 * n, 3) for n in (1, 1, -1, -1)])),
    "X05": ((0, 11, -11), THIRD, times([F(11 * n, 9) for n in (0, 1, -1)])),
    "X06": ((1, 2, 4), F(11, 9), times([F(n, 5) for n in (-4, -1, 5)])),
    "S09": ((1, 2, 3), F(4, 3), times((-1, 0, 1), HALF)),
    "S15": ((1, 2, 3), THIRD, times((-1, 0, 1))),
    "S16": ((11, 12, 13), THIRD, times((-1, 0, 1))),
    "S17": ((101, 102, 103), THIRD, times((-1, 0, 1))),
    "S18": ((1, 2, 4), THIRD, times((-4, -1, 5), F(1, 17))),
    "S26": ((2, 4, 6), THIRD, times((-2, 0, 2), THIRD)),
    "S27": ((1, 2, 3), F(0), times((-1, 0, 1), F(3, 2))),
    "S27 twice": ((2, 4, 6), F(0), times((-1, 0, 1), F(3, 2))),
    "S43": ((2, 6), F(1), times((-2, 2), F(1, 5))),
    "S48 step": ((2, 6), F(1), times((-2, 2), F(1, 5))),
    "S48 pooled": ((2, 6, -100, 100), F(1), times((0, 4, -102, 98), F(1, 5007))),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("point", CORES)
def test_exact_points_of_the_core(name: str, point: str) -> None:
    z, eps, expected = CORES[point]
    assert [value.compare(F(0)) for value in scalar.core([F(x) for x in z], eps)] == [value.sign() for value in expected]
    assert same(oracle.normalize([z], eps, name), slow([expected], name))
    assert same(oracle.normalize(np.array(z, dtype=families.TYPES[name]), eps), slow([expected], name)[0])


@pytest.mark.parametrize("companion", [(-100, 100), (1000, 2000), (nan, inf)])
def test_a_companion_changes_nothing(companion: tuple[float, float]) -> None:
    """Catalogue S44."""
    for name in FORMATS:
        pair = oracle.normalize(np.array([(2, 6), companion], dtype=float), 1, name)
        assert same(pair[0], slow([times((-2, 2), F(1, 5))], name)[0])
        assert np.isnan(pair[1].astype(float)).all() == (companion[0] != companion[0])


@pytest.mark.parametrize("name", FORMATS)
def test_exact_points_of_gradients(name: str) -> None:
    z, unit = [[1, 2, 3]], [[1, 0, 0]]

    def rounded_to(*row: Fraction | int) -> list[float]:
        return [scalar.round_rational(x, name) for x in row]

    assert same(oracle.vjp([[1, 2, 3]], z, None, THIRD, name), [rounded_to(-THIRD, 0, THIRD)])  # X07
    assert same(oracle.vjp_vjp(unit, None, None, unit, z, None, THIRD, name)[1], [rounded_to(THIRD, F(-2, 9), F(-1, 9))])
    third = [[F(x, 3) for x in row] for row in ((1, -1, 0), (-1, 2, -1), (0, -1, 1))]
    assert same(oracle.jacobian([1, 2, 3], THIRD, name), [rounded_to(*row) for row in third])
    assert same(oracle.jvp(z, unit, None, THIRD, name), [rounded_to(*third[0])])
    assert scalar.round_rational(F(40, 2187), name) == float(oracle.jacobian([0, 11, -11], THIRD, name)[1, 2])
    assert same(oracle.vjp([[1, 1, 1]], z, None, 1e-5, name), [[0, 0, 0]])
    assert same(oracle.dweight([[1, 1]], [[1, 3]], 3, name), [-0.5, 0.5])
    assert (float(oracle.mean([1, 2, 4], name)), float(oracle.rstd([1, 2, 4], F(11, 9), name))) == tuple(rounded_to(F(7, 3), F(3, 5)))


def test_composition_at_two_points() -> None:
    """Catalogue X07, T15: u_{3/4} of u_3 at (1, 3)."""
    assert same(oracle.normalize(oracle.normalize([[1, 3]], 3), 0.75), [[-0.5, 0.5]])


def test_merged_statistics() -> None:
    """Catalogue X07, T64."""
    assert list(scalar.merge_stats((2, 4, 8), (2, 0, 20000))) == [4, 2, 20024]
    assert list(scalar.merge_stats((0, 7, 0), (3, 2, 2))) == [3, 2, 2]
    assert list(scalar.merge_stats((0, 7, 0), (0, 2, 0))) == [0, 0, 0]


def test_double_backward_is_a_derivative() -> None:
    """Central differences of the exact input gradient, and the value that a public report got wrong (catalogue T32)."""
    t, quarter = F(7, 10), F(1, 4)
    found = scalar.vjp_vjp_x([F(1), F(0)], [F(0)] * 2, [F(1)] * 2, [t, F(0)], [F(1), F(2)], quarter)
    assert found[0].rounded("float64") == pytest.approx(0.7749142079590942, rel=1e-15)
    r = np.random.default_rng(5)
    for d in (2, 3, 5):
        check_double_backward([fractions(r.integers(-9, 10, d) / 4) for _ in range(6)], quarter)


def midpoint(value: Value) -> Fraction:
    low, high = value.bounds(200)
    return (low + high) / 2


def check_double_backward(six: Sequence[list[Fraction]], eps: Fraction) -> None:
    """The answers are the slopes of a . dx + b . dweight + c . dbias in z, dy and w."""
    z, dy, w, a, b, c = six

    def paired(z: list[Fraction], dy: list[Fraction], w: list[Fraction]) -> Fraction:
        dx, dw = map(midpoint, scalar.vjp(dy, z, w, eps)), map(midpoint, scalar.dweight(dy, z, eps))
        return sum((p * q + s * t + k * g for p, q, s, t, k, g in zip(a, dx, b, dw, c, dy, strict=True)), F(0))

    answers = (scalar.vjp_vjp_x(a, b, dy, z, w, eps), scalar.vjp_vjp_dy(a, b, c, z, w, eps), scalar.vjp_vjp_weight(a, dy, z, eps))
    step = F(1, 10**12)
    for which, answer in enumerate(answers):
        for i, value in enumerate(answer):
            ends = []
            for move in (step, -step):
                moved = [list(row) for row in (z, dy, w)]
                moved[which][i] += move
                ends.append(paired(*moved))
            assert abs((ends[0] - ends[1]) / (2 * step) - midpoint(value)) < F(1, 10**14)


# ---------------------------------------------------------------- ties and boundaries


@pytest.mark.parametrize("name", FORMATS)
def test_cores_on_a_boundary_and_beside_it(name: str) -> None:
    """With z = (a, -a) the core is a/sqrt(a^2 + eps): eps = a^2 (1/m^2 - 1) puts it on any boundary m below 1."""
    f = oracle.FORMATS[name]
    hair = F(1, 10**50)
    for low, high, middle in boundaries(f):
        if middle < 1:
            for a in (1, 3):
                eps = a * a * (1 / middle**2 - 1)
                z = [[a, -a]]
                tie = float(even(low, high, f))
                assert same(oracle.normalize(z, eps, name), [[tie, -tie]])
                assert same(oracle.normalize(z, eps * (1 + hair), name), [[float(low), -float(low)]])
                assert same(oracle.normalize(z, eps * (1 - hair), name), [[float(high), -float(high)]])


@pytest.mark.parametrize("name", FORMATS)
def test_outputs_on_a_boundary_and_beside_it(name: str) -> None:
    """The core of (1, -1) with eps = 3 is (1/2, -1/2): weight/2 + bias is a tie, and a hair of eps decides it."""
    step = ldexp(1.0, 1 - oracle.FORMATS[name].precision)
    hair = F(1, 10**40)
    for bias, tie in ((1.0, 1.0), (1.0 + step, 1.0 + 2 * step)):
        for eps, y in ((F(3), tie), (3 + hair, bias), (3 - hair, bias + step)):
            assert same(oracle.layer_norm([[1, -1]], [step, step], [bias, -bias], eps, name), [[y, -y]])


@pytest.mark.parametrize("name", FORMATS)
def test_gradients_on_the_edge_of_overflow(name: str) -> None:
    """At a constant row dx = (g - mean g)/sqrt(eps)."""
    f = oracle.FORMATS[name]
    edge = largest(f) + F(2) ** (f.largest - f.precision)
    for eps, expected in ((1 / edge**2, inf), ((1 / edge**2) * (1 + F(1, 10**50)), float(largest(f)))):
        assert same(oracle.vjp([[2, 0]], [[5, 5]], None, eps, name), [[expected, -expected]])


@pytest.mark.parametrize("name", FORMATS)
def test_cancellation_to_zero_and_to_a_hair(name: str) -> None:
    """1/2 weight + bias = 0 gives +0; with the root irrational what is left of a cancellation is still right."""
    assert same(oracle.layer_norm([[1, -1]], [1, 1], [-0.5, 0.5], 3, name), [[0.0, 0.0]])
    got = oracle.layer_norm([[1, -1]], [1, 1], [-0.5, 0.5], 3 + F(1, 10**400), name)
    assert same(got, slow([scalar.output([F(1), F(-1)], [F(1)] * 2, [F(-1, 2), HALF], 3 + F(1, 10**400))], name))
    assert np.signbit(got.astype(float)).tolist() == [[True, False]]


def test_eps_is_taken_exactly() -> None:
    x = np.array([[0.0, 5e-324]])
    assert not same(oracle.normalize(x, 5e-324), oracle.normalize(x, F(1, 10**330)))
    assert same(oracle.normalize(x, 0), [[-1.0, 1.0]])
    assert same(oracle.normalize([[3.0, 3.0]], 5e-324), [[0.0, 0.0]])
    assert np.signbit(oracle.normalize([[-1.0, 1.0]], 1e300, "float16").astype(float)).tolist() == [[True, False]]


# ---------------------------------------------------------------- arrays


def test_rows_that_are_not_finite_are_nan_and_touch_no_other() -> None:
    x = np.array([[1.0, 2.0, 4.0], [1.0, nan, 2.0], [inf, 1.0, 2.0]])
    dy = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
    for got, alone in (
        (oracle.normalize(x), oracle.normalize(x[:1])),
        (oracle.layer_norm(x, dy[0], dy[0]), oracle.layer_norm(x[:1], dy[0], dy[0])),
        (oracle.vjp(dy, x), oracle.vjp(dy[:1], x[:1])),
        (oracle.vjp(x, dy * [1, 2, 3]), oracle.vjp(x[:1], dy[:1] * [1, 2, 3])),
        (oracle.jvp(dy, x), oracle.jvp(dy[:1], x[:1])),
        (oracle.vjp_vjp(dy, None, None, dy, x)[1], oracle.vjp_vjp(dy[:1], None, None, dy[:1], x[:1])[1]),
        (oracle.mean(x)[:, None], oracle.mean(x[:1])[:, None]),
        (oracle.rstd(x)[:, None], oracle.rstd(x[:1])[:, None]),
    ):
        assert same(got[:1], alone)
        assert np.isnan(got[1:]).all()
    assert np.isnan(oracle.dweight(dy, x)).all()
    assert np.isnan(oracle.vjp_vjp(dy, None, None, dy, x)[2]).all()


def test_sums_over_rows_are_not_finite_only_where_a_term_is() -> None:
    x = np.array([[1.0, 2.0, 4.0], [3.0, 1.0, 1.0]])
    dy = np.array([[1.0, inf, 3.0], [-1.0, 2.0, nan]])
    assert same(oracle.dbias(dy), [0.0, inf, nan])
    clean = np.array([[1.0, 0.0, 3.0], [-1.0, 2.0, 0.0]])
    assert same(oracle.dweight(dy, x), [oracle.dweight(clean, x)[0], -inf, nan])
    assert np.isnan(oracle.jacobian([1.0, inf])).all()


def test_sums_over_rows_are_correctly_rounded() -> None:
    r = np.random.default_rng(8)
    x, dy = r.standard_normal((300, 5)), r.standard_normal((300, 5)) * 10.0 ** r.integers(-20, 20, (300, 5))
    assert same(oracle.dbias(dy), [fsum(column) for column in dy.T])
    lower, upper = oracle.dweight_bounds(dy, x)
    with mpmath.workprec(500):
        for j in range(5):
            total = mpmath.mpf(0)
            for row, g in zip(x, dy, strict=True):
                z = [mpmath.mpf(float(t)) for t in row]
                mean = mpmath.fsum(z) / 5
                total += (
                    mpmath.mpf(float(g[j])) * (z[j] - mean) / mpmath.sqrt(mpmath.fsum([(t - mean) ** 2 for t in z]) / 5 + mpmath.mpf(1e-5))
                )
            low, high = (mpmath.mpf(t[j].numerator) / t[j].denominator for t in (lower, upper))
            assert low <= total <= high
            assert high - low < abs(total) * mpmath.mpf(2) ** -80
            assert float(oracle.dweight(dy, x)[j]) == float(total)
    for name in FORMATS:
        assert same(oracle.dbias(np.array([[1.0], [ldexp(1.0, -oracle.FORMATS[name].precision)]]), name), [1.0])
        assert same(
            oracle.dbias(np.array([[1.0], [ldexp(1.0, -oracle.FORMATS[name].precision)], [1e-300]]), name),
            [1 + ldexp(2.0, -oracle.FORMATS[name].precision)],
        )


def test_opposite_rows_cancel_to_zero() -> None:
    x = np.array([[1.0, 2.0, 4.0], [1.0, 2.0, 4.0], [2.0, 4.0, 8.0]])
    dy = np.array([[1.0, 0.1, 1e300], [-1.0, -0.1, -1e300], [0.0, 0.0, 0.0]])
    assert same(oracle.dweight(dy, x, 0.25), [0.0, 0.0, 0.0])
    assert same(oracle.dweight([[1.0] * 3, [-1.0] * 3], x[1:], 0), [0.0] * 3)  # different rows, the same core


def test_formats_of_results() -> None:
    half, brain, single = (np.ones((1, 2), dtype=families.TYPES[name]) for name in ("float16", "bfloat16", "float32"))
    assert [oracle.normalize(x).dtype.name for x in (half, brain, single, [[1, 2]])] == ["float16", "bfloat16", "float32", "float64"]
    assert oracle.layer_norm(half, single[0]).dtype == np.float32
    assert oracle.vjp(half, brain).dtype == np.float32
    assert oracle.layer_norm(half, None, np.ones(2)).dtype == np.float64
    assert oracle.mean(single).dtype == oracle.rstd(half, dtype=np.float32).dtype == np.float32


def test_shapes() -> None:
    x = np.arange(24.0).reshape(2, 3, 4) ** 2
    y = oracle.normalize(x)
    assert y.shape == x.shape
    assert same(y[1, 2], oracle.normalize(x[1, 2]))
    assert oracle.mean(x).shape == oracle.rstd(x).shape == (2, 3)
    assert oracle.dweight(x, x).shape == oracle.dbias(x).shape == (4,)
    assert oracle.normalize(np.zeros((0, 4))).shape == (0, 4)
    assert oracle.vjp(np.zeros((0, 4)), np.zeros((0, 4))).shape == (0, 4)
    assert same(oracle.dweight(np.zeros((0, 4)), np.zeros((0, 4))), [0.0] * 4)
    assert same(oracle.dbias(np.zeros((0, 4))), [0.0] * 4)
    assert same(oracle.normalize(x.astype(">f8")[::-1]), y[::-1])


def test_eps_of_any_type_counts_with_its_exact_value() -> None:
    assert scalar.epsilon(Decimal("0.1")) == F(1, 10)
    assert scalar.epsilon(np.float16(0.1)) == F(float(np.float16(0.1)))
    assert scalar.epsilon(ml_dtypes.bfloat16(0.5)) == scalar.epsilon(np.array(0.5)) == F(1, 2)
    tiny = np.ldexp(np.longdouble(1), np.finfo(np.longdouble).minexp)
    assert scalar.epsilon(tiny) == F(2) ** int(np.finfo(np.longdouble).minexp)


ONE = [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: oracle.normalize(ONE, -1e-5), "expected eps >= 0, got -1e-05"),
        (lambda: oracle.normalize(ONE, nan), "expected eps, a number that is finite, got nan"),
        (lambda: oracle.normalize(ONE, "1e-5"), "expected eps, a number, got '1e-5'"),  # type: ignore[arg-type]
        (lambda: oracle.normalize(ONE, np.longdouble("inf")), "expected eps, a number that is finite, got inf"),
        (lambda: oracle.normalize(ONE, np.array([1.0])), r"expected eps, a number, got array\(\[1.\]\)"),
        (lambda: oracle.normalize([[1, 2], [3]]), "x: expected an array, got nested sequences of unequal lengths"),
        (lambda: oracle.layer_norm(ONE, [[1, 2], [3]]), "weight: expected an array, got nested sequences of unequal lengths"),
        (lambda: oracle.normalize(np.ma.masked_array(ONE, [[True, False]])), "x: expected an array without a mask, got a masked one"),
        (lambda: oracle.normalize([[2.0, 2.0]], 0), "a constant row has no core at eps = 0: use eps > 0"),
        (lambda: scalar.core([F(1)], F(0)), "a constant row has no core at eps = 0: use eps > 0"),
        (lambda: oracle.normalize(ONE, dtype="float8"), "expected one of the formats float64, float32, float16, bfloat16, got 'float8'"),
        (lambda: oracle.normalize([[1j]]), "x: expected an array of float64, float32, float16, bfloat16, got complex128"),
        (lambda: oracle.normalize([["a"]]), "x: expected an array of float64, float32, float16, bfloat16, got <U1"),
        (lambda: oracle.normalize(3.0), r"x: expected rows of at least one number, got the shape \(\)"),
        (lambda: oracle.normalize(np.zeros((3, 0))), r"x: expected rows of at least one number, got the shape \(3, 0\)"),
        (lambda: oracle.vjp([[1.0]], ONE), r"dy: expected the shape \(1, 2\) of x, got \(1, 1\)"),
        (lambda: oracle.layer_norm(ONE, [1.0]), r"weight: expected the shape \(2,\), got \(1,\)"),
        (lambda: oracle.layer_norm(ONE, None, [1.0, nan]), "bias: expected finite numbers, got NaN or infinity"),
        (lambda: oracle.jacobian([ONE[0], ONE[0]]), r"x: expected one row, got the shape \(2, 2\)"),
        (lambda: oracle.dweight_bounds([[nan, 1.0]], ONE), "expected finite rows, got NaN or infinity: no bounds hold them"),
        (lambda: oracle.round_value(1, 1, -2, "float64"), "expected a radicand >= 0, got -2"),
        (
            lambda: oracle.agrees([1.0, 2.0], oracle.exact_layer_norm(ONE)),
            r"got: expected the shape \(1, 2\) of the exact numbers, got \(2,\)",
        ),
        (lambda: measure.ulp_error(np.ones(2), oracle.exact_layer_norm(ONE)), r"expected an array of the shape \(1, 2\) that the exact"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(call: Callable[[], object], message: str) -> None:
    with pytest.raises(OracleError, match=f"^{message}") as caught:
        call()
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, lnsym.LnsymError)


# ---------------------------------------------------------------- measures


def test_agreement_is_found_component_by_component() -> None:
    x = np.array([[1.0, 2.0, 3.0], [nan, 1.0, 1.0]])
    exact = oracle.exact_layer_norm(x, eps=THIRD)
    got = exact.rounded()
    assert oracle.agrees(got, exact).all()
    got[0, 0] = np.nextafter(got[0, 0], 0)
    got[0, 1] = -0.0
    got[1, 0] = 1.0
    assert oracle.agrees(got, exact).tolist() == [[False, False, True], [False, True, True]]


@pytest.mark.parametrize("name", FORMATS)
def test_ulp_errors_are_those_of_rational_arithmetic(name: str) -> None:
    f, r = oracle.FORMATS[name], np.random.default_rng(len(name) + 40)
    for _ in range(60):
        c = case(r, name, True)
        exact = oracle.exact_vjp(c["dy"], c["x"], c["weight"], c["eps"])
        right = exact.rounded(name)
        assert measure.ulp_error(right, exact).max() <= 0.5
        got = families.in_format(right.astype(float) * (1 + r.standard_normal(right.shape) * 2.0 ** -r.integers(0, f.precision)), name)
        error = measure.ulp_error(got, exact)
        for i, j in np.ndindex(*got.shape):
            value = exact.value(i, j)
            assert value is not None
            low, high = value.bounds(3000)
            place = F(2) ** f.ulp_exponent(scalar._exponent(max(abs(low), abs(high)))) if value.sign() else F(2) ** f.least
            gap = abs(F(float(got[i, j])) - low) / place
            assert float(error[i, j]) == pytest.approx(float(min(gap, F(10**300))) if gap < 10**300 else inf, rel=1e-9, abs=1e-12), (
                c,
                i,
                j,
            )


def test_measures_of_what_is_not_finite() -> None:
    x = np.array([[1.0, 2.0, 3.0], [nan, 1.0, 1.0]])
    exact = oracle.exact_layer_norm(x, eps=THIRD)
    got = np.array([[nan, inf, 1.0], [nan, 0.0, nan]])
    assert measure.ulp_error(got, exact).tolist() == [[inf, inf, 0.0], [0.0, inf, 0.0]]
    assert measure.safe_constant(got, x, eps=THIRD).tolist() == [[inf, inf, 0.0], [0.0, inf, 0.0]]
    huge = oracle.exact_vjp([[1e300, 0.0]], [[5.0, 5.0]], eps=1e-300)
    assert measure.ulp_error(huge.rounded(), huge).tolist() == [[0.0, 0.0]]
    assert measure.vjp_constant(huge.rounded(), np.array([[1e300, 0.0]]), np.array([[5.0, 5.0]]), eps=1e-300).tolist() == [[0.0, 0.0]]
    assert measure.vjp_constant(np.array([[1e308, nan]]), np.array([[1e300, 0.0]]), np.array([[5.0, 5.0]]), eps=1e-300).min() > 1e15


def test_errors_are_right_where_little_is_left_of_a_cancellation() -> None:
    exact = oracle.exact_layer_norm([[1, -1]], [1, 1], [-0.5, 0.5], 3 + F(1, 10**60))
    right = exact.rounded()
    assert 0 < abs(right[0, 0]) < 1e-60
    assert measure.ulp_error(right, exact).max() <= 0.5
    assert 0.5 <= measure.ulp_error(np.nextafter(right, 1), exact).max() <= 1.5


def test_the_constants_are_those_of_their_formulas() -> None:
    r = np.random.default_rng(50)
    x, g, h = r.standard_normal((3, 4, 9))
    w, b, eps, p = r.standard_normal(9), r.standard_normal(9), 0.3, 2.0**-53
    u, y, dx, j = oracle.normalize(x, eps), oracle.layer_norm(x, w, b, eps), oracle.vjp(g, x, w, eps), oracle.jvp(x, h, w, eps)

    def away(t: Array) -> Array:
        return abs(t - t.mean(1, keepdims=True)) + (1 + abs(u)) * t.std(1, keepdims=True)

    s = np.sqrt(x.var(1, keepdims=True) + eps)
    rho = np.sqrt((u * u).mean(1, keepdims=True))
    wg = w * g
    off = 1e-10
    for got, envelope in (
        (measure.safe_constant(u + off, x, eps=eps), abs(u) + rho),
        (measure.safe_constant(y + off, x, w, b, eps), abs(w) * (abs(u) + rho) + abs(y)),
        (measure.safe_constant(y - b + off, x, w, eps=eps), abs(w) * (abs(u) + rho) + abs(y - b)),
        (measure.vjp_constant(dx + off, g, x, w, eps), (away(wg) + abs(wg) + abs(wg).mean(1, keepdims=True)) / s),
        (measure.vjp_constant(oracle.vjp(g, x, None, eps) + off, g, x, None, eps), away(g) / s),
        (measure.jvp_constant(j + off, x, h, w, eps), abs(w) * away(h) / s),
    ):
        assert got == pytest.approx(off / (p * envelope), rel=1e-4)


def test_the_least_subnormal_is_allowed_for() -> None:
    x = np.array([[0.0, 5e-324]])
    assert measure.safe_constant(np.array([[-5e-324, 5e-324]]), x, eps=1.0).tolist() == [[0.0, 0.0]]
    assert measure.safe_constant(np.array([[-1.5e-323, 5e-324]]), x, eps=1.0)[0, 0] > 1e15


def test_correctly_rounded_answers_need_constants_below_one() -> None:
    for name in FORMATS:
        for n, family in enumerate(families.names(name)):
            x, eps = families.rows(name, family, 7, 4), (1e-5, 1e-300, 5e-324, 1e300)[n % 4]
            w, b, g = families.weight(name, "wide", 7), families.bias(name, "normal", 7), families.cotangent(name, "wide", x)
            assert measure.safe_constant(oracle.normalize(x, eps), x, eps=eps).max() < 1
            assert measure.safe_constant(oracle.layer_norm(x, w, b, eps), x, w, b, eps).max() < 1
            assert measure.vjp_constant(oracle.vjp(g, x, w, eps), g, x, w, eps).max() < 1
            assert measure.vjp_constant(oracle.vjp(g, x, None, eps), g, x, None, eps).max() < 1
            assert measure.jvp_constant(oracle.jvp(x, g, w, eps), x, g, w, eps).max() < 1


# ---------------------------------------------------------------- families


@pytest.mark.parametrize("name", FORMATS)
def test_families_are_finite_and_fixed(name: str) -> None:
    for family in families.names(name):
        for d in (1, 2, 65):
            x = families.rows(name, family, d)
            assert np.isfinite(x.astype(np.float64)).all()
            assert x.dtype == families.TYPES[name]
            assert x.shape == (families.default_rows(d), d)
            assert x.tobytes() == families.rows(name, family, d).tobytes()


def test_families_are_as_hard_as_their_names_say() -> None:
    x = {family: families.rows("float64", family, 64) for family in families.names("float64")}
    with np.errstate(all="ignore"):
        assert not np.isfinite((x["squares overflow"] ** 2).sum(1)).any()
        assert not np.isfinite(x["all max but one"].sum(1)).any()
        assert ((x["squares underflow"] ** 2) == 0).any()
    assert all(len(set(row)) == 2 for row in x["one ulp spike"].tolist())
    assert all(len(set(row)) == 1 for row in x["constant"].tolist())
    assert (np.abs(x["subnormal"]) < 2.0**-1022).all()
    assert np.signbit(x["signs and zeros"][0]).all()
    assert pi < float(families.weight("float64", "wide", 64).max())


# ---------------------------------------------------------------- the exhaustive script


def test_thresholds_of_float16_pairs_are_those_of_the_oracle() -> None:
    r = np.random.default_rng(60)
    values, multiples = float16_pairs.finite()
    assert len(values) == 63488
    i, j = r.integers(0, len(values), (2, 4000))
    j[::2] = np.clip(i[::2] + r.integers(-40, 41, 2000), 0, len(values) - 1)
    for eps in (1e-5, 3.0, 2.0**-30):
        got = float16_pairs.answers(multiples[i] - multiples[j], float16_pairs.thresholds(F(eps)))
        want = oracle.normalize(np.stack([values[i], values[j]], axis=1), eps)
        assert got.tobytes() == want.tobytes()


def test_thresholds_of_float16_pairs_know_ties() -> None:
    """With 4 eps 2^48 = n^2 (1/m^2 - 1) the core of D = n 2^-24 is the boundary m itself."""
    for rank in (0, 1, 6, 7, 5000, 5001):
        m, n = (float16_pairs.number(rank) + float16_pairs.number(rank + 1)) / 2, 3 * 2**20
        eps = F(n**2, 2**50) * (1 / m**2 - 1)
        assert float16_pairs.threshold(rank, eps) == (n if rank % 2 else n + 1)
        bits = oracle.normalize(np.array([[n * 2.0**-24, 0.0]]), eps, "float16").view(np.uint16)[0, 0]
        assert bits == rank + rank % 2


def test_the_exhaustive_script_finds_a_wrong_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = float16_pairs.thresholds(F(1e-5))
    assert float16_pairs.mismatches(lambda x, _: truth(x, table), 1e-5, table, 40000) == []

    def wrong(x: Array, _: float) -> Array:
        y = truth(x, table)
        y[7, 1] = -y[7, 1]
        return y

    ((a, b, _),) = float16_pairs.mismatches(wrong, 1e-5, table, 40000)
    assert [a, b] == [float(float16_pairs.finite()[0][k]) for k in (40000, 7)]
    module = tmp_path / "emitted.py"
    module.write_text("def normalize(x, eps):\n    return x * 0\n")
    assert float16_pairs.main([str(module), "--fraction", "1/63488"]) == 1
    assert "63488 of 4030726144 pairs" in capsys.readouterr().out


def truth(x: Array, table: Array) -> Array:
    """What a module that is right returns."""
    multiples = (x.astype(np.float64) * 2.0**24).astype(np.int64)
    return float16_pairs.answers(multiples[:, 0] - multiples[:, 1], table).view(np.float16)
