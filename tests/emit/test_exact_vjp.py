"""The exact tier's gradients: dx and dbias are bit for bit what the integers of lnsym.oracle say, dweight keeps its bound."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lnsym import oracle
from tests.emit import families
from tests.emit.boundaries import gradient_rows
from tests.emit.loader import row_functions

Array = NDArray[Any]
EXACT = row_functions("exact")
QUICK_DIMS = (1, 2, 3, 7, 63, 64, 65, 129)
EPSILONS = families.EPS + families.MORE_EPS


@pytest.fixture(autouse=True)
def _as_called() -> Iterator[None]:
    """The public functions call those of rows with NumPy's warnings off."""
    with np.errstate(all="ignore"):
        yield


def result_format(*arrays: Array | None) -> Any:
    """The format of the results; the halves meet in float32."""
    formats = {v.dtype for v in arrays if v is not None}
    return np.result_type(*formats) if formats != {np.dtype(families.TYPES[f]) for f in ("float16", "bfloat16")} else np.dtype(np.float32)


def gradients(dy: Array, x: Array, weight: Array | None, eps: float, wanted: str = "xwb") -> tuple[Array, Array, Array]:
    """dx, dweight and dbias of the emitted rows; those that are not wanted are left at 7."""
    form = result_format(dy, x, weight)
    found = np.full(x.shape, 7, form), np.full(x.shape[1], 7, form), np.full(x.shape[1], 7, form)
    EXACT._vjp_rows(dy, x, weight, eps, *(part if name in wanted else None for part, name in zip(found, "xwb", strict=True)))
    return found


def gradient(dy: Array, x: Array, weight: Array | None, eps: float) -> Array:
    """dx alone."""
    return gradients(dy, x, weight, eps, "x")[0]


def differing(got: Array, expected: Array) -> int:
    """How many entries differ in a bit; NaN equals NaN, -0 does not equal 0."""
    bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[got.itemsize]
    assert got.dtype == expected.dtype
    return int(((got.view(bits) != expected.view(bits)) & ~(np.isnan(got) & np.isnan(expected))).sum())


def mismatches(dy: Array, x: Array, weight: Array | None, eps: float) -> int:
    """How many components of dx are not the correctly rounded ones."""
    dx = gradient(dy, x, weight, eps)
    return differing(dx, oracle.vjp(dy, x, weight, eps, dx.dtype))


def cotangent(fmt: str, kind: str, x: Array, eps: float) -> Array:
    """A cotangent of this kind."""
    return families.cotangent(fmt, kind, x, oracle.normalize(x, eps) if kind == "output" else None)


# ---------------------------------------------------------------- dx against the oracle


@pytest.mark.parametrize("fmt", families.FORMATS)
def test_families(fmt: str) -> None:
    """A few rows of each family; cotangents, weights and eps in turn."""
    turn = 0
    for name in families.names(fmt):
        for d in QUICK_DIMS:
            x, eps = families.rows(fmt, name, d, 3), EPSILONS[turn % len(EPSILONS)]
            dy = cotangent(fmt, families.COTANGENTS[turn % 4], x, eps)
            weight = families.weight(fmt, families.WEIGHTS[turn % 5], d)
            assert mismatches(dy, x, None, eps) == 0, (name, d, eps)
            assert mismatches(dy, x, weight, eps) == 0, (name, d, eps)
            turn += 1


@pytest.mark.full
@pytest.mark.parametrize("fmt", families.FORMATS)
def test_all_families(fmt: str) -> None:
    """More rows of all families, every cotangent, every eps for short rows: 6 million components in all."""
    turn = 0
    for name in families.names(fmt):
        for d in families.DIMS + families.MORE_DIMS:
            x = families.rows(fmt, name, d, 8 if d < 200 else 2)
            for eps in EPSILONS if d < 64 else EPSILONS[turn % 3 :: 3]:
                for kind in families.COTANGENTS:
                    weight = families.weight(fmt, families.WEIGHTS[turn % 5], d) if turn % 3 else None
                    assert mismatches(cotangent(fmt, kind, x, eps), x, weight, eps) == 0, (name, d, eps, kind)
                    turn += 1


def fuzz(seed: int, components: int) -> None:
    """Random rows, cotangents and weights of any kind, with any eps."""
    r = np.random.default_rng(seed)
    while components > 0:
        fmt = str(r.choice(families.FORMATS))
        d = int(r.choice([1, 2, 3, 5, 8, 31, 33, 64, 65, 100, 128, 130, 192, 300]))
        n = max(1, 256 // d)
        x, dy, eps = families.fuzz_rows(r, fmt, n, d), families.fuzz_rows(r, fmt, n, d), families.fuzz_eps(r)
        weight = None if r.random() < 0.3 else families.fuzz_rows(r, fmt, 1, d)[0]
        assert mismatches(dy, x, weight, eps) == 0, (fmt, d, eps)
        components -= x.size


def test_fuzz() -> None:
    """A hundred thousand components."""
    fuzz(0, 100_000)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1, 5))
def test_long_fuzz(seed: int) -> None:
    """Half a million each."""
    fuzz(seed, 500_000)


@pytest.mark.parametrize("fmt", ["float64", "float32"])
@pytest.mark.parametrize("shape", [(300, 64), (30, 768), (30, 770), (6, 4096), (2, 5000)])
def test_ordinary_rows(fmt: str, shape: tuple[int, int]) -> None:
    """The shapes that matter, and lengths that no group of columns divides."""
    r = np.random.default_rng(1)
    x, dy = (r.standard_normal(shape).astype(fmt) for _ in range(2))
    assert mismatches(dy, x, None, 1e-5) == 0
    assert mismatches(dy, x, families.weight(fmt, "normal", shape[1]), 1e-5) == 0


@pytest.mark.full
@pytest.mark.parametrize("fmt", families.FORMATS)
def test_many_ordinary_rows(fmt: str) -> None:
    """A million and a half components, with means of several sizes in x and in the cotangent."""
    r = np.random.default_rng(2)
    for n, d in ((8192, 64), (640, 768), (120, 4096)):
        x, dy = ((r.standard_normal((n, d)) + r.choice([0, 3, 1000], (n, 1))).astype(families.TYPES[fmt]) for _ in range(2))
        assert mismatches(dy, x, families.weight(fmt, "normal", d), 1e-5) == 0


@pytest.mark.parametrize("form", families.FORMATS)
def test_near_boundaries(form: str) -> None:
    """Rows whose dx_0 lies next to the middle of two floats, at every distance."""
    r = np.random.default_rng(4)
    for d in (5, 24):
        dy, x = r.standard_normal((2, 60, d)).astype(families.TYPES[form])
        assert mismatches(gradient_rows(dy, x, 1e-5, form, range(2, 32)), x, None, 1e-5) == 0


@pytest.mark.parametrize("x_format", families.FORMATS)
@pytest.mark.parametrize("other_format", families.FORMATS)
def test_mixed_formats(x_format: str, other_format: str) -> None:
    """Rows, cotangents and weights of other formats are taken exactly."""
    x, y = families.rows(x_format, "normal", 65, 4), families.rows(other_format, "normal", 65, 4)
    assert mismatches(y, x, families.weight(x_format, "normal", 65), 1e-5) == 0
    assert mismatches(x, y, families.weight(x_format, "normal", 65), 1e-5) == 0
    assert mismatches(x, x, families.weight(other_format, "normal", 65), 1e-5) == 0


BOUNDS = ("_U", "_TAIL_ERROR", "_WORDS_ERROR")
# The bounds of all stages together times 2^-k, and the least k with a mismatch: the room between what is derived and what was ever seen.
FIRST_MISMATCH = {"float64": 5, "float32": 5}


@pytest.mark.parametrize(("form", "distances"), [("float64", range(12, 26)), ("float32", range(22, 32))])
def test_slack(form: str, distances: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing fails with the bounds as they are, and something does once they are small enough: the test has teeth."""
    r, cases = np.random.default_rng(5), []
    for d in (5, 12, 40):
        noise, dy = r.standard_normal((2, 96, d)).astype(form)
        rows = [(noise * scale + shift).astype(form) for shift, scale in ((0, 1), (0.4, 0.2), (5, 1))]
        cases += [(gradient_rows(dy, x, 1e-5, form, distances), x) for x in rows]
    before = {name: getattr(EXACT, name) for name in BOUNDS}
    for k in range(FIRST_MISMATCH[form] + 1):
        for name in BOUNDS:
            monkeypatch.setattr(EXACT, name, before[name] * 2.0**-k)
        wrong = sum(mismatches(dy, x, None, 1e-5) for dy, x in cases)
        assert (wrong > 0) == (k == FIRST_MISMATCH[form]), (k, wrong)


# ---------------------------------------------------------------- what is hard


@pytest.mark.parametrize("fmt", families.FORMATS)
def test_exact_zeros(fmt: str) -> None:
    """A constant cotangent, a row of one entry and no cotangent at all give +0."""
    for d in (1, 3, 64, 300):
        for name in ("normal", "constant", "wide", "outlier"):
            x = families.rows(fmt, name, d, 4)
            zeros = bytes(x.nbytes)
            for size in (1.0, -3.0, 0.1, 60000.0):
                assert gradient(np.full_like(x, size), x, None, 1e-12).tobytes() == zeros
                assert gradient(np.full_like(x, size), x, np.full_like(x[0], 5), 5e-324).tobytes() == zeros
            assert gradient(np.zeros_like(x), x, families.weight(fmt, "normal", d), 1e-5).tobytes() == zeros
    x = families.rows(fmt, "normal", 1, 4)
    assert gradient(x, x, x[0], 1e-5).tobytes() == bytes(x.nbytes)


@pytest.mark.parametrize("fmt", families.FORMATS)
def test_products_that_are_all_but_equal(fmt: str) -> None:
    """A cotangent that nearly undoes the weight: what is left of weight * dy is its rounding errors."""
    r = np.random.default_rng(8)
    for d in (2, 5, 64, 100):
        x, weight = r.standard_normal((20, d)).astype(families.TYPES[fmt]), r.uniform(1, 2, d).astype(families.TYPES[fmt])
        dy = (r.uniform(1, 2, (20, 1)) / weight.astype(np.float64)).astype(x.dtype)
        assert mismatches(dy, x, weight, 1e-5) == 0
        assert mismatches(-dy, x, weight, 1e-12) == 0


def test_range_of_results() -> None:
    """Results that overflow, or are subnormal, from ordinary and from extreme rows, cotangents and weights."""
    r = np.random.default_rng(3)
    for fmt in families.FORMATS:
        f = oracle.FORMATS[fmt]
        for d in (3, 64, 130):
            x, dy = r.standard_normal((2, 6, d))
            for up in (f.largest - 3, f.largest - 1, f.least + f.precision, f.least + 3, f.least):
                big = families.in_format(np.ldexp(dy, up), fmt)
                for eps in (5e-324, 1e-5, 1e300):
                    assert mismatches(big, families.in_format(x, fmt), None, eps) == 0
                    assert mismatches(families.in_format(dy, fmt), families.in_format(x, fmt), big[0], eps) == 0
                    assert mismatches(big, families.in_format(np.ldexp(x, up // 2), fmt), None, eps) == 0


def test_rows_that_are_not_finite() -> None:
    """They become NaN, and no other row is touched."""
    for fmt in families.FORMATS:
        x = families.rows(fmt, "normal", 65, 6)
        dy = cotangent(fmt, "normal", x, 1e-5)
        clean = gradient(dy, x, None, 1e-5)
        x[1, 3], x[3, 0], dy[4, 64] = np.nan, np.inf, -np.inf
        for weight in (None, np.ones_like(x[0])):
            dx, dweight, _ = gradients(dy, x, weight, 1e-5)
            assert np.isnan(dx[[1, 3, 4]].astype(np.float64)).all()
            assert dx[[0, 2, 5]].tobytes() == clean[[0, 2, 5]].tobytes()
            assert np.isnan(dweight.astype(np.float64)).all()
    x, weight = families.rows("float64", "normal", 65, 6), np.ones(65)
    weight[7] = np.inf
    assert np.isnan(gradient(x, x, weight, 1e-5)).all()


def test_how_often_the_slow_stages_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """On ordinary rows the fast stages settle nearly all, and integers are needed for one component in a million at most."""
    r = np.random.default_rng(0)
    for fmt, share in (("float64", 1e-3), ("float32", 5e-3)):
        retried, counted = [0], [0]
        retry, exact = EXACT._retry_gradient, EXACT._exact_gradient_components

        def watch_retry(*args: Any, retry: Any = retry, retried: list[int] = retried) -> Any:
            retried[0] += len(args[4][0])
            return retry(*args)

        def watch_exact(*args: Any, exact: Any = exact, counted: list[int] = counted) -> None:
            counted[0] += len(args[4])
            exact(*args)

        monkeypatch.setattr(EXACT, "_retry_gradient", watch_retry)
        monkeypatch.setattr(EXACT, "_exact_gradient_components", watch_exact)
        for n, d in ((2000, 64), (200, 768), (40, 4096)):
            x, dy = (r.standard_normal((n, d)).astype(fmt) for _ in range(2))
            gradient(dy, x, families.weight(fmt, "normal", d), 1e-5)
            assert 0 < retried[0] < share * x.size
            retried[0] = 0
        assert counted[0] <= 2
        monkeypatch.undo()


# ---------------------------------------------------------------- laws, at zero tolerance


@pytest.mark.parametrize("fmt", families.FORMATS)
@pytest.mark.parametrize("d", [2, 64, 130])
def test_laws(fmt: str, d: int) -> None:
    """Order, sign, scale, shift and company of a row change nothing but what they must."""
    r = np.random.default_rng(d)
    x, dy, weight = ((r.integers(-63, 64, (16, d)) / 4).astype(families.TYPES[fmt]) for _ in range(3))
    weight = weight[0]
    dx, dweight, dbias = gradients(dy, x, weight, 0.25)
    order = r.permutation(d)
    x_order, dy_order = np.ascontiguousarray(x[:, order]), np.ascontiguousarray(dy[:, order])
    assert np.array_equal(gradient(dy_order, x_order, np.ascontiguousarray(weight[order]), 0.25), dx[:, order])
    assert np.array_equal(gradient(dy, -x, weight, 0.25), dx)
    assert np.array_equal(gradient(-dy, x, weight, 0.25), -dx)
    assert gradient(dy, x, 4 * weight, 0.25).tobytes() == gradient(4 * dy, x, weight, 0.25).tobytes()
    assert np.array_equal(gradient(dy, 4 * x, weight, 4.0), dx / 4)
    assert np.array_equal(gradient(dy, x / 4, weight, 2.0**-6), 4 * dx)
    assert gradient(dy, x + x.dtype.type(16), weight, 0.25).tobytes() == dx.tobytes() or fmt == "bfloat16"  # 16 + 1/4 has more than 8 bits
    for i in range(0, len(x), 5):
        assert gradient(dy[i : i + 1], x[i : i + 1], weight, 0.25).tobytes() == dx[i : i + 1].tobytes()
    for wanted in ("x", "w", "b", "xw", "xb", "wb"):
        for part, name, all_of_them in zip(gradients(dy, x, weight, 0.25, wanted), "xwb", (dx, dweight, dbias), strict=True):
            assert part.tobytes() == all_of_them.tobytes() if name in wanted else np.all(part == 7)


# ---------------------------------------------------------------- sums over rows


def rough(value: Fraction) -> Fraction:
    """A fraction with fewer digits, within a part in 2^60."""
    scale = Fraction(2) ** (60 - value.numerator.bit_length() + value.denominator.bit_length())
    return Fraction(round(value * scale)) / scale if value else value


def sizes(dy: Array, x: Array, eps: float) -> tuple[list[Fraction], list[Fraction]]:
    """For each column: sums over rows of |dy| max |u| and of max |dy| max |u|, u in float64 from correctly rounded cores."""
    core = np.abs(oracle.normalize(x.astype(np.float64), eps))
    largest = [Fraction(float(v)) + Fraction(1, 2**1074) for v in core.max(axis=1)]
    dys = np.abs(dy.astype(np.float64))
    columns = [sum((rough(Fraction(float(v)) * u) for v, u in zip(column, largest, strict=True)), Fraction(0)) for column in dys.T]
    tops = sum((rough(Fraction(float(v)) * u) for v, u in zip(dys.max(axis=1), largest, strict=True)), Fraction(0))
    return columns, [tops] * x.shape[1]


def excess(dy: Array, x: Array, eps: float) -> float:
    """The most that an entry of dweight is off beyond rounding, over what its bound allows."""
    dweight = gradients(dy, x, None, eps, "w")[1]
    f = oracle.FORMATS[dweight.dtype.name]
    lower, upper = oracle.dweight_bounds(dy, x, eps, 160)
    limit = Fraction(2) ** (f.largest + 1) - Fraction(2) ** (f.largest - f.precision)
    worst = 0.0
    for got, low, high, column, top in zip(dweight.astype(np.float64).tolist(), lower, upper, *sizes(dy, x, eps), strict=True):
        if max(abs(low), abs(high)) >= limit:
            assert got == (np.inf if low > 0 else -np.inf)
            continue
        error = max(low - Fraction(got), Fraction(got) - high, Fraction(0))
        rounding = max(max(abs(low), abs(high)) * Fraction(2) ** -f.precision * (1 + Fraction(1, 2**30)), Fraction(2) ** (f.least - 1))
        allowed = column * Fraction(2) ** (-66 if f.precision == 53 else -38) + top * Fraction(2) ** -600
        beyond = max(error - rounding, Fraction(0))
        worst = max(worst, float(beyond / allowed) if allowed else float(beyond > 0))
    return worst


def test_weight_gradient() -> None:
    """Its bound holds on random rows of any kind, with much room."""
    r = np.random.default_rng(6)
    for _ in range(150):
        fmt = str(r.choice(families.FORMATS))
        n, d = int(r.choice([2, 3, 5, 20])), int(r.choice([1, 2, 3, 17]))
        x, dy, eps = families.fuzz_rows(r, fmt, n, d), families.fuzz_rows(r, fmt, n, d), families.fuzz_eps(r)
        assert excess(dy, x, eps) < 1, (fmt, n, d, eps)


def test_a_weight_gradient_beyond_the_range_is_infinite() -> None:
    """Also where a sum on the way is infinity less infinity; its finite neighbour is not touched."""
    top = 1.75 * 2.0**1023
    x = np.tile([1.0, 2.0, -4.0], (4, 1))
    dy = np.array([[top, -top, top], [top, -top, -top], [top, -top, -top], [-top, -top, 0.0]])
    dweight = gradients(dy, x, None, 1e-5, "w")[1]
    assert dweight.tolist() == oracle.dweight(dy, x, 1e-5).tolist()
    assert dweight[1:].tolist() == [-np.inf, np.inf]
    dy[0, 1] = np.nan
    assert np.isnan(gradients(dy, x, None, 1e-5, "w")[1][1])


def test_weight_gradient_of_many_rows() -> None:
    """Rows over several blocks and panels; on ordinary ones the sum is nearly always the correctly rounded one."""
    r = np.random.default_rng(7)
    for fmt, n, d in (("float64", 5000, 3), ("float64", 400, 700), ("float32", 5000, 3), ("float16", 5000, 3)):
        x, dy = (r.standard_normal((n, d)).astype(fmt) for _ in range(2))
        part = np.arange(min(d, 3))
        dweight = gradients(dy, x, None, 1e-5, "w")[1]
        some = dy.copy()
        some[:, len(part) :] = 0
        assert differing(dweight[part], oracle.dweight(some, x, 1e-5)[part]) == 0


@pytest.mark.parametrize("fmt", families.FORMATS)
def test_single_row(fmt: str) -> None:
    """dweight of one row is correctly rounded."""
    for name in families.names(fmt):
        for d in (1, 3, 65):
            x = families.rows(fmt, name, d, 1)
            for kind in ("normal", "wide", "ones"):
                dy = cotangent(fmt, kind, x, 1e-5)
                assert differing(gradients(dy, x, None, 1e-5, "w")[1], oracle.dweight(dy, x, 1e-5)) == 0


@pytest.mark.parametrize("fmt", families.FORMATS)
def test_bias_gradient(fmt: str) -> None:
    """dbias is correctly rounded, also where sums on the way overflow or all but cancel; what is not finite is summed as usual."""
    for name in families.names(fmt):
        for n, d in ((2, 3), (700, 3), (50, 65), (3000, 2)):
            dy = families.rows(fmt, name, d, n)
            assert differing(gradients(dy, np.ones_like(dy), None, 1e-5, "b")[2], oracle.dbias(dy)) == 0, (name, n, d)
    dy = families.rows(fmt, "normal", 4, 5)
    dy[2, :3] = np.inf, np.nan, -np.inf
    assert np.array_equal(gradients(dy, dy, None, 1e-5, "b")[2][:3].astype(np.float64), [np.inf, np.nan, -np.inf], equal_nan=True)


def test_no_rows() -> None:
    """Sums over no rows are 0."""
    x = np.zeros((0, 5))
    dx, dweight, dbias = gradients(x, x, np.ones(5), 1e-5)
    assert dx.shape == (0, 5)
    assert dweight.tobytes() == dbias.tobytes() == bytes(40)
