"""The exact tier, forward: every component, mean and 1 / sqrt(q + eps) is bit for bit what the integers of lnsym.oracle say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lnsym import oracle
from tests.emit import families
from tests.emit.boundaries import biases, core_rows
from tests.emit.loader import row_functions

Array = NDArray[Any]
EXACT = row_functions("exact")
QUICK_DIMS = (1, 2, 3, 7, 63, 64, 65, 129)
AFFINE = (("normal", "normal"), ("wide", "wide"), ("signs", "zeros"), ("zeros", "normal"), ("normal", None), (None, "normal"))


def result_format(*arrays: Array | None) -> Any:
    """The format of the results; the halves meet in float32."""
    formats = {v.dtype for v in arrays if v is not None}
    return np.result_type(*formats) if formats != {np.dtype(families.TYPES[f]) for f in ("float16", "bfloat16")} else np.dtype(np.float32)


def layer_norm(x: Array, eps: float, weight: Array | None = None, bias: Array | None = None) -> tuple[Array, Array, Array]:
    """Output, mean and rstd of the emitted rows, in the result format of the arrays."""
    out = np.full(x.shape, 7, result_format(x, weight, bias))
    return out, *EXACT._layer_norm_rows(x, weight, bias, eps, out)


def differing(got: Array, expected: Array) -> int:
    """How many entries differ in a bit; NaN equals NaN, -0 does not equal 0."""
    bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[got.itemsize]
    assert got.dtype == expected.dtype
    return int(((got.view(bits) != expected.view(bits)) & ~(np.isnan(got) & np.isnan(expected))).sum())


def mismatches(x: Array, eps: float, weight: Array | None = None, bias: Array | None = None) -> int:
    """How many components of the output are not the correctly rounded ones."""
    out = layer_norm(x, eps, weight, bias)[0]
    return differing(out, oracle.layer_norm(x, weight, bias, eps, out.dtype))


def assert_rows(x: Array, eps: float) -> None:
    """Core and statistics are correctly rounded."""
    out, mean, rstd = layer_norm(x, eps)
    assert differing(out, oracle.normalize(x, eps)) == 0
    assert differing(mean, oracle.mean(x, mean.dtype)) == 0
    assert differing(rstd, oracle.rstd(x, eps, rstd.dtype)) == 0


def parameters(fmt: str, d: int) -> Iterator[tuple[Array | None, Array | None]]:
    """Pairs of weight and bias."""
    for weight, bias in AFFINE:
        yield None if weight is None else families.weight(fmt, weight, d), None if bias is None else families.bias(fmt, bias, d)


# ---------------------------------------------------------------- against the oracle


@pytest.mark.parametrize("fmt", families.FORMATS)
def test_families(fmt: str) -> None:
    """A few rows of each family, with the eps in turn."""
    turn = 0
    for name in families.names(fmt):
        for d in QUICK_DIMS:
            x = families.rows(fmt, name, d, 3)
            epsilons = families.EPS + families.MORE_EPS
            assert_rows(x, epsilons[turn % len(epsilons)])
            weight, bias = list(parameters(fmt, d))[turn % len(AFFINE)]
            assert mismatches(x, families.EPS[turn % 3], weight, bias) == 0, (name, d)
            turn += 1


@pytest.mark.full
@pytest.mark.parametrize("fmt", families.FORMATS)
def test_all_families(fmt: str) -> None:
    """More rows of all families with every eps, and a third of the weights and biases: 12 million components in all."""
    turn = 0
    for name in families.names(fmt):
        for d in families.DIMS + families.MORE_DIMS:
            x = families.rows(fmt, name, d, 16 if d < 200 else 6 if d < 1000 else 2)
            assert_rows(x, families.EPS[turn % 3])
            for eps in families.EPS + (families.MORE_EPS if d < 64 else ()):
                assert mismatches(x, eps) == 0, (name, d, eps)
            for weight, bias in list(parameters(fmt, d))[turn % 3 :: 3]:
                assert mismatches(x, 1e-5, weight, bias) == 0, (name, d)
            turn += 1


def fuzz(seed: int, components: int) -> None:
    """Random rows of any kind, with any eps, and weights and biases of the same kinds."""
    r = np.random.default_rng(seed)
    while components > 0:
        fmt = str(r.choice(families.FORMATS))
        d = int(r.choice([1, 2, 3, 5, 8, 31, 33, 64, 65, 100, 128, 130, 192, 300]))
        x, eps = families.fuzz_rows(r, fmt, max(1, 256 // d), d), families.fuzz_eps(r)
        assert_rows(x, eps)
        weight, bias = (None if r.random() < 0.2 else families.fuzz_rows(r, fmt, 1, d)[0] for _ in range(2))
        assert mismatches(x, eps, weight, bias) == 0, (fmt, d, eps)
        components -= 2 * x.size


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
    x = np.random.default_rng(1).standard_normal(shape).astype(fmt)
    assert_rows(x, 1e-5)
    assert mismatches(x, 1e-5, families.weight(fmt, "normal", shape[1]), families.bias(fmt, "normal", shape[1])) == 0


@pytest.mark.full
@pytest.mark.parametrize("fmt", families.FORMATS)
def test_many_ordinary_rows(fmt: str) -> None:
    """A million and a half components."""
    r = np.random.default_rng(2)
    for shape in ((8192, 64), (640, 768), (120, 4096)):
        x = (r.standard_normal(shape) + r.choice([0, 3, 1000], (shape[0], 1))).astype(families.TYPES[fmt])
        assert_rows(x, 1e-5)


@pytest.mark.parametrize("x_format", families.FORMATS)
@pytest.mark.parametrize("weight_format", families.FORMATS)
def test_mixed_formats(x_format: str, weight_format: str) -> None:
    """Rows, weight and bias of other formats are taken exactly."""
    x = families.rows(x_format, "normal", 65, 4)
    weight, bias = families.weight(weight_format, "normal", 65), families.bias(x_format, "normal", 65)
    assert mismatches(x, 1e-5, weight, bias) == 0


def test_rows_that_are_not_finite() -> None:
    """They become NaN, and no other row is touched."""
    for fmt in families.FORMATS:
        x = families.rows(fmt, "normal", 65, 6)
        clean, mean, rstd = layer_norm(x, 1e-5)
        x[1, 3], x[3, 0], x[4, 64] = np.nan, np.inf, -np.inf
        results = layer_norm(x, 1e-5)
        for got, before in zip(results, (clean, mean, rstd), strict=True):
            assert np.isnan(got[[1, 3, 4]].astype(np.float64)).all()
            assert got[[0, 2, 5]].tobytes() == before[[0, 2, 5]].tobytes()


def test_exact_cancellation() -> None:
    """Where weight * u + bias is exactly 0 or half-way, and where it overflows."""
    x = np.array([[1.0, 2.0, 3.0]])
    core = oracle.normalize(x, 1 / 3)
    assert mismatches(x, 1 / 3, np.array([1.0, 5.0, 1.0]), -core[0]) == 0
    row = np.array([[1.0, -1.0, 1.0, -1.0]])
    for eps in (0.0, 5e-324, 1e-300):
        bias = np.array([-3.0, 3.0, 0.5, 2.0**-53])
        assert mismatches(row, eps, np.full(4, 3.0), bias) == 0
        assert mismatches(row, eps, np.full(4, np.finfo(float).max), np.array([2.0**970, 2.0**969, 2.0**971, 0])) == 0
        for fmt in ("float32", "float16", "bfloat16"):
            half = 2.0 ** -{"float32": 24, "float16": 11, "bfloat16": 8}[fmt]
            weight, bias = np.ones(4).astype(families.TYPES[fmt]), np.array([half, -half, 3 * half, -3 * half]).astype(families.TYPES[fmt])
            assert mismatches(row.astype(families.TYPES[fmt]), eps, weight, bias) == 0


# ---------------------------------------------------------------- laws, at zero tolerance


def short_rows(fmt: str, d: int) -> Array:
    """Rows whose shifts by small integers and whose scalings are exact: multiples of 1/4 below 16."""
    return (np.random.default_rng(d).integers(-63, 64, (16, d)) / 4).astype(families.TYPES[fmt])


@pytest.mark.parametrize("fmt", families.FORMATS)
@pytest.mark.parametrize("d", [2, 64, 130])
def test_laws(fmt: str, d: int) -> None:
    """Order, sign, scale, shift and company of a row change nothing but what they must."""
    x, r = short_rows(fmt, d), np.random.default_rng(0)
    out, _, _ = layer_norm(x, 0.25)
    order = r.permutation(d)
    assert layer_norm(np.ascontiguousarray(x[:, order]), 0.25)[0].tobytes() == np.ascontiguousarray(out[:, order]).tobytes()
    assert np.array_equal(layer_norm(-x, 0.25)[0], -out)
    assert layer_norm(4 * x, 4.0)[0].tobytes() == out.tobytes()
    assert layer_norm(x / 4, 2.0**-6)[0].tobytes() == out.tobytes()
    assert layer_norm(x + x.dtype.type(16), 0.25)[0].tobytes() == out.tobytes() or fmt == "bfloat16"  # 16 + 1/4 has more than 8 bits
    for i in range(0, len(x), 5):
        assert layer_norm(x[i : i + 1], 0.25)[0].tobytes() == out[i : i + 1].tobytes()


@pytest.mark.parametrize("fmt", families.FORMATS)
def test_constant_rows(fmt: str) -> None:
    """They become +0, and the bias if there is one."""
    for d in (1, 3, 64, 300):
        x = families.rows(fmt, "constant", d)
        assert layer_norm(x, 5e-324)[0].tobytes() == bytes(x.nbytes)
        bias = families.bias(fmt, "normal", d)
        assert np.array_equal(layer_norm(x, 1e-5, families.weight(fmt, "signs", d), bias)[0], np.broadcast_to(bias, x.shape))


LEAST, HUGE = 2.0**-1074, 1.75 * 2.0**1023


@pytest.mark.parametrize(
    "row",
    [
        (0.25, 0.5, 0.25, LEAST),  # the mean is 1/4 and a quarter of the least number: u_0 is not 0
        (0.75, 2.0**-54, LEAST, 0.0),  # the mean is half-way between two numbers but for that
        (0.5 + 2.0**-53, 2.0**-54, -LEAST, 0.0),
        (1.0, HUGE, -HUGE),  # divided by the power of two above the row, a third of 1 has few digits
        (HUGE, -HUGE, 3.0, 0.0, 4.0),
        (HUGE, 2 * LEAST, -HUGE),  # the mean is two thirds of the least number
    ],
)
def test_a_part_of_the_mean_that_sinks_below_the_least_number(row: tuple[float, ...]) -> None:
    """It counts all the same."""
    for x in (np.array([row]), -np.array([row]), np.array([row[::-1]])):
        assert_rows(x, 1e-5)
        assert_rows(x, 1e-300)


@pytest.mark.parametrize("d", [3, 4, 7, 65])
def test_means_of_numbers_at_both_ends_of_the_range(d: int) -> None:
    """Eighths beside multiples of the least number, and largest numbers of opposite sign that cancel."""
    r = np.random.default_rng(d)
    x = r.integers(-8, 9, (40, d)) / 8
    x[:, 0] = np.ldexp(r.integers(-3, 4, 40).astype(float), -1074)
    assert_rows(x, 5e-324)
    x[:, 1], x[:, 2] = HUGE, -HUGE
    assert_rows(x, 1e-5)


# ---------------------------------------------------------------- how much slack the error bounds have

DIGITS = {"float64": 53, "float32": 24}
BOUNDS = ("_PART_SLACK", "_VARIANCE_SLACK", "_WEIGHT_SLACK", "_BIAS_SLACK", "_PLAIN_SLACK", "_DRIFT_SLACK", "_WORDS_SLACK", "_growth")
# How often all constants of the error bounds can be halved together without one mismatch on the rows below, and with them so, how often
# each of these in all until there is one. (The growth of sums is derived for any order of the additions.) The others are covered by these.
HALVINGS = {
    "float64": (3, {"_PART_SLACK": 4, "_VARIANCE_SLACK": 4}),
    "float32": (8, {"_PLAIN_SLACK": 10, "_growth": 9}),
}


def near_boundaries(form: str, distances: range) -> Iterator[tuple[Array, Array | None, Array | None]]:
    """Rows with a component close to the middle of two floats."""
    r = np.random.default_rng(5)
    for d in (5, 12, 40):
        noise, outlier = r.standard_normal((2, 96, d))
        outlier[:, 1] = 1000
        for start in (noise, 3.5 + noise, 0.4 + 0.2 * noise, outlier, np.sign(noise) * r.uniform(0.9, 1, noise.shape)):
            yield core_rows(start, 1e-5, form, distances), None, None
    for _ in range(20):
        x, weight = r.standard_normal((1, 64)).astype(form), (1 + 0.3 * r.standard_normal(64)).astype(form)
        yield x, weight, biases(x[0], weight, 1e-5, form, distances)
        with np.errstate(divide="ignore"):
            half = 2.0 ** (1 - DIGITS[form]) / 2 / oracle.normalize(x, 1e-5).astype(np.float64)[0]
        yield x, half.astype(form), np.ones(64, form)  # 1 + half a last place, but for the rounding of the weight


def halved(name: str, times: int) -> Any:
    """The constant, or the function that gives it, after so many halvings."""
    value = getattr(EXACT, name)
    return (lambda d: value(d) * 2.0**-times) if callable(value) else value * 2.0**-times


@pytest.mark.full
@pytest.mark.parametrize(("form", "distances"), [("float64", range(18, 26)), ("float32", range(22, 31))])
def test_slack(form: str, distances: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing fails with the bounds as they are, and something does once they are small enough: the rounding test is needed and tested."""
    cases = list(near_boundaries(form, distances))

    def wrong() -> int:
        return sum(mismatches(x, 1e-5, weight, bias) for x, weight, bias in cases)

    assert wrong() == 0
    common, first = HALVINGS[form]
    steps = {name: range(first[name], first[name] + 6) for name in first}
    smaller = {name: {times: halved(name, times) for times in (common, *steps.get(name, ()))} for name in BOUNDS}

    def wrong_with(name: str, times: int) -> int:
        monkeypatch.setattr(EXACT, name, smaller[name][times])
        return wrong()

    for name in BOUNDS:
        monkeypatch.setattr(EXACT, name, smaller[name][common])
    assert wrong() == 0
    # Sums differ in their last digits from processor to processor, and with them which constant shows first.
    showed = []
    for name, several in steps.items():
        showed.append(any(wrong_with(name, times) for times in several))
        monkeypatch.setattr(EXACT, name, smaller[name][common])
    assert any(showed)
