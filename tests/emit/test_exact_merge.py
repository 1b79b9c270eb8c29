"""The exact tier's merge of statistics: each number is the correctly rounded value of exact arithmetic on the given ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from lnsym import oracle
from tests.emit import families
from tests.emit.loader import row_functions

Array = NDArray[Any]
Shard = tuple[Array, Array, Array]
EXACT = row_functions("exact")
FORMATS = ("float64", "float32")


def merged(first: Shard, second: Shard) -> Shard:
    """What the emitted function returns."""
    with np.errstate(all="ignore"):
        found: Shard = EXACT._merge_stats(first, second)
    return found


def exact(first: tuple[float, ...], second: tuple[float, ...]) -> tuple[Fraction, Fraction, Fraction]:
    """Count, mean and sum of squared deviations of two sets from their totals, and not from the formula of the module."""
    (n, mean, m2), (k, other, k2) = ([Fraction(v) for v in shard] for shard in (first, second))
    count, total, squares = n + k, n * mean + k * other, m2 + n * mean**2 + k2 + k * other**2
    return count, total / count, squares - total**2 / count


def columns(*numbers: tuple[float, ...], fmt: str = "float64") -> Shard:
    """A list of triples as three arrays."""
    n, mean, m2 = (np.array(part) for part in zip(*numbers, strict=True))
    return n.astype(np.float64), mean.astype(fmt), m2.astype(fmt)


def assert_rounded(first: Shard, second: Shard) -> None:
    """All three numbers of each pair are the nearest ones."""
    found = merged(first, second)
    for i in range(len(found[0])):
        truth = exact(tuple(float(part[i]) for part in first), tuple(float(part[i]) for part in second))
        for part, value in zip(found, truth, strict=True):
            expected = oracle.scalar.round_rational(value, part.dtype.name)
            assert float(part[i]) == expected, (i, float(part[i]), expected)


def shard(r: np.random.Generator, fmt: str, count: int) -> Shard:
    """Counts from 1 to 2^40, means from a row of any kind and sums of squares of any size."""
    mean, m2 = families.fuzz_rows(r, fmt, 1, count)[0], np.abs(families.fuzz_rows(r, fmt, 1, count)[0])
    return np.floor(2.0 ** r.uniform(0, 40, count)), mean, m2


@pytest.mark.parametrize("fmt", FORMATS)
def test_any_numbers(fmt: str) -> None:
    """Shards of any kind, and some with means that lie close together."""
    r = np.random.default_rng(0)
    for _ in range(60):
        first, second = shard(r, fmt, 20), shard(r, fmt, 20)
        assert_rounded(first, second)
        assert_rounded(first, (second[0], np.nextafter(first[1], second[1]), second[2]))


@pytest.mark.full
@pytest.mark.parametrize("fmt", FORMATS)
def test_many_numbers(fmt: str) -> None:
    """Eighty thousand of them."""
    r = np.random.default_rng(1)
    for _ in range(800):
        assert_rounded(shard(r, fmt, 100), shard(r, fmt, 100))


def test_exact_points() -> None:
    """Whole numbers with whole results, equal means, an empty shard, and a mean halfway between two floats."""
    first = columns((2, 1, 2), (1, 5, 0), (3, 7, 1), (0, 0, 0), (1, 1, 0), (1, 1, 0))
    second = columns((1, 4, 0), (3, 1, 6), (5, 7, 2), (4, 2.5, 9), (1, 1 + 2.0**-52, 0), (1, 1 + 3 * 2.0**-52, 0))
    n, mean, m2 = merged(first, second)
    assert n.tolist() == [3, 4, 8, 4, 2, 2]
    assert mean.tolist() == [2, 2, 7, 2.5, 1, 1 + 2.0**-51]
    assert m2.tolist() == [8, 18, 3, 9, 2.0**-105, 9 * 2.0**-105]


def test_range() -> None:
    """Means whose difference overflows, squares that overflow, and subnormal numbers."""
    top = np.finfo(np.float64).max
    n, mean, m2 = merged(columns((1, top, 0), (3, 1e200, 0), (1, 5e-324, 0)), columns((1, -top, 0), (1, 0, 0), (2, 1.5e-323, 0)))
    assert n.tolist() == [2, 4, 3]
    assert mean.tolist() == [0, 7.5e199, 1e-323]
    assert m2.tolist() == [np.inf, np.inf, 0]


def test_numbers_that_are_not_finite() -> None:
    """They become NaN, and no other pair is touched."""
    first, second = columns((1, np.nan, 0), (1, 2, np.inf), (1, 2, 0)), columns((1, 0, 0), (1, 2, 0), (1, 4, 0))
    n, mean, m2 = merged(first, second)
    assert n.tolist() == [2, 2, 2]
    assert np.isnan(mean).tolist() == np.isnan(m2).tolist() == [True, True, False]
    assert (mean[2], m2[2]) == (3, 2)


@given(st.lists(st.integers(-40, 40), min_size=1, max_size=12), st.lists(st.integers(-40, 40), min_size=1, max_size=12))
def test_shards_of_integers(left: list[int], right: list[int]) -> None:
    """Merging two lists in either order gives the statistics of the longer list, wherever those of the parts are exact."""
    found = [merged(*pair) for pair in ((statistics(left), statistics(right)), (statistics(right), statistics(left)))]
    assert all(one.tobytes() == other.tobytes() for one, other in zip(*found, strict=True))
    if len(left) in (1, 2, 4, 8) and len(right) in (1, 2, 4, 8):
        assert all(got.tobytes() == want.tobytes() for got, want in zip(found[0], statistics(left + right), strict=True))


def statistics(numbers: list[int]) -> Shard:
    """Count, mean and sum of squared deviations, correctly rounded."""
    mean = Fraction(sum(numbers), len(numbers))
    return columns((len(numbers), float(mean), float(sum((v - mean) ** 2 for v in numbers))))
