"""Families of inputs, by name and with fixed seeds: where layer-normalization code loses digits, overflows, or must give exact zeros."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from lnsym.oracle import FORMATS as BY_NAME
from lnsym.oracle import Format

Array = NDArray[Any]
Generator = np.random.Generator
Family = Callable[[Generator, Format, int, int], Array]

FORMATS = tuple(BY_NAME)
DIMS = (1, 2, 3, 7, 64, 768, 4096)
MORE_DIMS = (63, 65, 129)  # one off a block of 64, and one off two
EPS = (1e-5, 1e-12, 1e-300)
MORE_EPS = (5e-324, 2.0**-1022, 0.25, 3.0, 1e300)  # the least of all, the least normal, comparable to q, larger than any variance of these
WEIGHTS = ("ones", "normal", "signs", "zeros", "wide")
BIASES = ("zeros", "normal", "wide", "cancelling")
COTANGENTS = ("normal", "ones", "output", "wide")

TYPES = {"float64": np.float64, "float32": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
MEANS = {
    "float64": (1e4, 1e6, 1e8, 1e15),
    "float32": (1e4, 1e6, 1e8),
    "float16": (1e2, 1e3, 6e4),
    "bfloat16": (1e1, 1e3, 1e4),
}


def default_rows(d: int) -> int:
    """How many rows a family has: fewer where they are long."""
    return 8 if d == 1 else 64 if d < 64 else 48 if d < 200 else 12 if d < 2000 else 4


# ---------------------------------------------------------------- building blocks


def _normal(r: Generator, n: int, d: int) -> Array:
    return r.standard_normal((n, d))


def _signs(r: Generator, shape: tuple[int, ...]) -> Array:
    return np.where(r.random(shape) < 0.5, -1.0, 1.0)


def _binades(r: Generator, low: int, high: int, shape: tuple[int, ...]) -> Array:
    """Numbers of either sign whose binary exponents are spread evenly from low to high."""
    return _times_power(_signs(r, shape) * r.uniform(1, 2, shape), r.integers(low, high, shape).astype(np.int32))


def _spike(d: int, at: int = 0) -> Array:
    """1 in one place, 0 elsewhere."""
    return np.where(np.arange(d) == at % d, 1.0, 0.0)


def _largest(f: Format) -> float:
    return float(np.ldexp(2.0 - 2.0 ** (1 - f.precision), f.largest))


def _ulp(f: Format) -> float:
    """The spacing of the numbers from 1 to 2."""
    return float(2.0 ** (1 - f.precision))


def _times_power(x: Array, exponent: int | Array) -> Array:
    scaled: Array = np.ldexp(x, exponent)
    return scaled


# ---------------------------------------------------------------- the families


def _few_ulps(r: Generator, f: Format, n: int, d: int) -> Array:
    return 1.0 + r.integers(0, 4, (n, d)) * _ulp(f)


def _one_ulp_spike(r: Generator, f: Format, n: int, d: int) -> Array:
    """Constant but for one step in one entry: the mean is no number of the format."""
    common = 1.0 + np.floor(r.random((n, 1)) / _ulp(f)) * _ulp(f) * (1 - _ulp(f))
    return np.floor(common / _ulp(f)) * _ulp(f) + _ulp(f) * _spike(d, -1)


def _outlier(r: Generator, f: Format, n: int, d: int) -> Array:
    return _normal(r, n, d) + 2.0 ** min(20, f.largest - 2) * _spike(d)


def _cancelling(r: Generator, f: Format, n: int, d: int) -> Array:
    """Large pairs of opposite sign that leave small numbers in the sum."""
    x = _normal(r, n, d)
    third = d // 3
    large = _normal(r, n, third) * 2.0 ** min(f.precision + 3, f.largest - 3)
    x[:, :third] = large
    x[:, third : 2 * third] = -large
    return x


def _constant(r: Generator, f: Format, n: int, d: int) -> Array:
    choices = [0.1, -7.3, 1234.5, 0.9 * _largest(f), float(np.ldexp(5.0, f.least)), 0.0]
    return np.repeat(r.choice(choices, (n, 1)), d, axis=1)


def _constant_but_one(r: Generator, f: Format, n: int, d: int) -> Array:
    return np.repeat(_normal(r, n, 1), d, axis=1) + np.ldexp(_spike(d), -r.integers(0, f.precision + 2, (n, 1)).astype(np.int32))


def _near_max(r: Generator, f: Format, n: int, d: int) -> Array:
    return _signs(r, (n, d)) * r.uniform(0.9, 1.0, (n, d)) * _largest(f)


def _alternating_max(r: Generator, f: Format, n: int, d: int) -> Array:
    """The largest number and its opposite in turn; some rows with one entry left out."""
    x = np.where(np.arange(d) % 2, -1.0, 1.0) * _largest(f) * np.ones((n, 1))
    x[1::2, r.integers(0, d)] = 0.0
    return x


def _all_max_but_one(r: Generator, f: Format, n: int, d: int) -> Array:
    """The largest number everywhere, and one step less in one place: the sum overflows, the spread is one ulp."""
    return _largest(f) - np.ldexp(_spike(d, int(r.integers(0, d))), f.largest + 1 - f.precision) * np.ones((n, 1))


def _subnormal_spread(r: Generator, f: Format, n: int, d: int) -> Array:
    """A mean at the least normal numbers and a spread below them."""
    return float(np.ldexp(1.0, f.least + f.precision + 1)) + _times_power(_normal(r, n, d), f.least + f.precision - 5)


def _least_steps(r: Generator, f: Format, n: int, d: int) -> Array:
    """The least subnormal number times small integers."""
    return _times_power(r.integers(-3, 4, (n, d)).astype(np.float64), f.least)


def _least_steps_on_mean(r: Generator, f: Format, n: int, d: int) -> Array:
    """Numbers with full significands in the lowest normal binade that differ by a few of the least subnormal."""
    return _times_power(2.0 ** (f.precision - 1) + 77 + r.integers(0, 3, (n, d)), f.least)


def _signs_and_zeros(r: Generator, f: Format, n: int, d: int) -> Array:
    """Zeros of either sign and units of either sign; the first row is all -0."""
    x = r.choice([0.0, -0.0, 1.0, -1.0], (n, d))
    x[0] = -0.0
    return x


def _small_integers(r: Generator, f: Format, n: int, d: int) -> Array:
    """Deviations that are exactly 0, means that are exact."""
    return r.integers(-4, 5, (n, d)).astype(np.float64)


def _short_fractions(r: Generator, f: Format, n: int, d: int) -> Array:
    """Integers over powers of two: rows whose shifts by integers are exact."""
    return _times_power(r.integers(-31, 32, (n, d)).astype(np.float64), r.integers(-3, 4, (n, 1)).astype(np.int32))


def _ramp(r: Generator, f: Format, n: int, d: int) -> Array:
    """An offset and a rising line, like positions."""
    line: Array = np.arange(d) * r.choice([1.0, 0.5, 3.0], (n, 1)) + r.choice([0.0, 1000.0], (n, 1))
    return line


def _wide(r: Generator, f: Format, n: int, d: int) -> Array:
    """Binary exponents over nearly the whole range of the format."""
    return _binades(r, f.least + 1, f.largest, (n, d))


def _normal_and_subnormal(r: Generator, f: Format, n: int, d: int) -> Array:
    """A few ordinary numbers among subnormal ones: tiny outputs beside large ones."""
    return np.where(r.random((n, d)) < 0.2, _normal(r, n, d), np.ldexp(_normal(r, n, d), f.least + 4))


FAMILIES: dict[str, Family] = {
    "normal": lambda r, _, n, d: _normal(r, n, d),
    "few ulps": _few_ulps,
    "one ulp spike": _one_ulp_spike,
    "outlier": _outlier,
    "cancelling": _cancelling,
    "constant": _constant,
    "constant but one": _constant_but_one,
    "squares overflow": lambda r, f, n, d: _times_power(_normal(r, n, d), f.largest // 2 + 1),
    "sums overflow": lambda r, f, n, d: _times_power(np.clip(_normal(r, n, d), -3.9, 3.9), f.largest - 2),
    "upper half": lambda r, f, n, d: _binades(r, f.largest // 2, f.largest, (n, d)),
    "near max": _near_max,
    "alternating max": _alternating_max,
    "all max but one": _all_max_but_one,
    "squares underflow": lambda r, f, n, d: _times_power(_normal(r, n, d), f.least // 2 - 5),
    "subnormal": lambda r, f, n, d: _times_power(_normal(r, n, d), f.least + f.precision - 4),
    "subnormal spread": _subnormal_spread,
    "least steps": _least_steps,
    "least steps on mean": _least_steps_on_mean,
    "signs and zeros": _signs_and_zeros,
    "small integers": _small_integers,
    "short fractions": _short_fractions,
    "ramp": _ramp,
    "wide": _wide,
    "normal and subnormal": _normal_and_subnormal,
}


def _with_mean(mean: float) -> Family:
    def family(r: Generator, f: Format, n: int, d: int) -> Array:
        step = mean * _ulp(f)  # the spread is at least a few steps of the format, so that the rows are not constant
        return mean + _normal(r, n, d) * max(1.0, 2 * step)

    return family


def _table(fmt: str) -> dict[str, Family]:
    return FAMILIES | {f"mean {mean:.0e}".replace("e+0", "e").replace("e+", "e"): _with_mean(mean) for mean in MEANS[fmt]}


def _generator(*words: object) -> Generator:
    return np.random.default_rng(zlib.crc32("/".join(map(str, words)).encode()))


def in_format(x: Array, fmt: str) -> Array:
    """The numbers rounded to the format, those that overflow cut to its largest."""
    limit = _largest(BY_NAME[fmt])
    return np.clip(x, -limit, limit).astype(TYPES[fmt])


# ---------------------------------------------------------------- what tests ask for


def names(fmt: str) -> tuple[str, ...]:
    """The families of a format."""
    return tuple(_table(fmt))


def rows(fmt: str, name: str, d: int, n: int | None = None) -> Array:
    """n finite rows of a family."""
    count = default_rows(d) if n is None else n
    return in_format(_table(fmt)[name](_generator(fmt, name, d), BY_NAME[fmt], count, d), fmt)


def _wide_exponents(fmt: str) -> tuple[int, int]:
    """For weights and cotangents: wide, but a product of two does not always leave the format."""
    f = BY_NAME[fmt]
    return f.least // 3, f.largest // 3


def weight(fmt: str, kind: str, d: int) -> Array:
    """A weight of one of the kinds in WEIGHTS."""
    r = _generator("weight", fmt, kind, d)
    if kind == "ones":
        return in_format(np.ones(d), fmt)
    if kind == "normal":
        return in_format(1 + 0.5 * r.standard_normal(d), fmt)
    if kind == "signs":
        return in_format(_signs(r, (d,)), fmt)
    if kind == "zeros":
        return in_format(np.where(np.arange(d) % 3 == 1, 0.0, r.standard_normal(d)), fmt)
    if kind == "wide":
        return in_format(_binades(r, *_wide_exponents(fmt), (d,)), fmt)
    raise ValueError(kind)


def bias(fmt: str, kind: str, d: int, y: Array | None = None) -> Array:
    """A bias of one of the kinds in BIASES; "cancelling" takes a row y = weight * u and is its opposite."""
    r = _generator("bias", fmt, kind, d)
    if kind == "zeros":
        return in_format(np.zeros(d), fmt)
    if kind == "normal":
        return in_format(r.standard_normal(d), fmt)
    if kind == "wide":
        return in_format(_binades(r, *_wide_exponents(fmt), (d,)), fmt)
    if kind == "cancelling" and y is not None:
        return in_format(-np.asarray(y).astype(np.float64), fmt)
    raise ValueError(kind)


def cotangent(fmt: str, kind: str, x: Array, y: Array | None = None) -> Array:
    """A cotangent for the rows x of one of the kinds in COTANGENTS; "output" takes their output y."""
    r = _generator("cotangent", fmt, kind, x.shape[-1])
    if kind == "normal":
        return in_format(r.standard_normal(x.shape), fmt)
    if kind == "ones":
        return in_format(np.ones(x.shape), fmt)
    if kind == "wide":
        return in_format(_binades(r, *_wide_exponents(fmt), x.shape), fmt)
    if kind == "output" and y is not None:
        return in_format(np.asarray(y).astype(np.float64), fmt)
    raise ValueError(kind)


def fuzz_rows(r: Generator, fmt: str, n: int, d: int) -> Array:
    """Structured rows at random: a family, a power of two, and at times a few entries replaced by others of the row."""
    f = BY_NAME[fmt]
    table = _table(fmt)
    kind = int(r.integers(0, len(table) + 4))
    if kind < len(table):
        x = list(table.values())[kind](r, f, n, d)
    elif kind == len(table):  # one exponent, anywhere
        x = np.ldexp(r.uniform(-1, 1, (n, d)), int(r.integers(f.least, f.largest + 1)))
    elif kind == len(table) + 1:  # few bits, any exponent
        x = np.ldexp(r.integers(-15, 16, (n, d)).astype(np.float64), r.integers(f.least, f.largest - 4, (n, d)).astype(np.int32))
    elif kind == len(table) + 2:  # a common part of any size in front of a spread of any size
        x = np.ldexp(1 + np.ldexp(r.uniform(-1, 1, (n, d)), -int(r.integers(0, f.precision))), int(r.integers(f.least // 2, f.largest)))
    else:  # neighbours cancel
        x = np.ldexp(_normal(r, n, d), int(r.integers(0, f.largest - 2)))
        x[:, 1::2] = -x[:, 0 : d - d % 2 : 2]
        x += (r.random((n, d)) < 0.1) * _normal(r, n, d)
    if r.random() < 0.2:
        x = np.where(r.random((n, d)) < 0.5, x, x[:, :1])
    return in_format(x, fmt)


def fuzz_eps(r: Generator) -> float:
    """An eps at random: any power of two, a short fraction, any size, or one of the usual ones."""
    kind = int(r.integers(0, 4))
    if kind == 0:
        return float(np.ldexp(1.0, int(r.integers(-1074, 1000))))
    if kind == 1:
        return float(r.integers(1, 9)) / 8
    if kind == 2:
        return float(10.0 ** r.uniform(-300, 300))
    return float(r.choice([*EPS, *MORE_EPS]))
