"""All pairs of finite float16 numbers at d = 2: an emitted exact module against thresholds found by integers. Not in CI.

usage: python tests/exhaustive/float16_pairs.py reports/code/layer_norm_exact.py [--processes 2] [--fraction 1/64] [--eps 1e-5]

The core of (a, b) is D/sqrt(D^2 + 4 eps) and its negative, D = a - b. D is an integer times 2^-24, and the core grows with it: its
float16 answer changes at certain integers, which are computed once, exactly. Looking up a pair is then a search in a sorted table.
"""

from __future__ import annotations

import argparse
import importlib.util
import multiprocessing
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from fractions import Fraction
from functools import partial
from math import isqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Normalize = Callable[[Array, float], Array]

LEAST = Fraction(1, 2**24)  # the least subnormal number, of which every float16 number is a multiple
ONE = 0x3C00  # the bits of 1.0; the bits of positive numbers are their ranks
SIGN = 0x8000


def number(bits: int) -> Fraction:
    """The float16 number >= 0 of these bits."""
    exponent, digits = divmod(bits, 1024)
    return LEAST * digits if exponent == 0 else LEAST * (1024 + digits) * 2 ** (exponent - 1)


def threshold(rank: int, eps: Fraction) -> int:
    """The least n > 0 for which the core of a pair with D = n 2^-24 is rounded beyond the float16 number of this rank.

    Beyond the boundary m: n^2 (1 - m^2) > 4 eps m^2 2^48; on it, when the number is odd (ties go to even).
    """
    m = (number(rank) + number(rank + 1)) / 2
    square = 4 * eps * m * m / LEAST**2 / (1 - m * m)
    floor = isqrt(square.numerator // square.denominator)
    return floor if floor * floor == square and rank % 2 else floor + 1


def thresholds(eps: Fraction) -> Array:
    """The threshold of every number below 1; a pair that has passed k of them gets the number of rank k."""
    return np.array([min(threshold(rank, eps), 2**62) for rank in range(ONE)], dtype=np.int64)  # no pair comes near 2^62


def finite() -> tuple[Array, Array]:
    """Every finite float16 number in rising order (-0 before +0), and the same as multiples of 2^-24."""
    bits = np.arange(0x7C00, dtype=np.uint16)
    numbers = np.concatenate([(bits[::-1] | SIGN), bits]).view(np.float16)
    return numbers, (numbers.astype(np.float64) * 2.0**24).astype(np.int64)


def answers(differences: Array, table: Array) -> Array:
    """The bits of the two components, correctly rounded, for pairs with D = differences * 2^-24."""
    size = np.searchsorted(table, np.abs(differences), side="right").astype(np.uint16)
    negative, positive = np.where(differences < 0, SIGN, 0), np.where(differences > 0, SIGN, 0)
    return np.stack([size | negative.astype(np.uint16), size | positive.astype(np.uint16)], axis=-1)


def mismatches(normalize: Normalize, eps: float, table: Array, first: int) -> list[tuple[float, float, Array]]:
    """The pairs (number of rank `first`, any number) on which the module is wrong, with its answers."""
    numbers, multiples = finite()
    x = np.empty((len(numbers), 2), dtype=np.float16)
    x[:, 0], x[:, 1] = numbers[first], numbers
    got = np.ascontiguousarray(normalize(x, eps))
    if got.dtype != np.float16 or got.shape != x.shape:
        raise ValueError(f"expected a float16 array of the shape {x.shape} from normalize, got {got.dtype} {got.shape}")
    wrong = np.nonzero((got.view(np.uint16) != answers(multiples[first] - multiples, table)).any(axis=1))[0]
    return [(float(x[i, 0]), float(x[i, 1]), got[i]) for i in wrong.tolist()]


def load(path: Path) -> Normalize:
    """The function normalize of a module given by its path."""
    spec = importlib.util.spec_from_file_location("emitted", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SystemExit(f"expected the path of an emitted Python module, got {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "normalize"):
        raise SystemExit(f"{path} has no function normalize: emit it with `lnsym emit numpy --tier exact`")
    normalize: Normalize = module.normalize
    return normalize


def work(path: Path, eps: float, table: Array, first: int) -> list[tuple[float, float, Array]]:
    """One task of a process: loads the module once."""
    if path not in LOADED:
        LOADED[path] = load(path)
    return mismatches(LOADED[path], eps, table, first)


LOADED: dict[Path, Normalize] = {}


def main(arguments: list[str] | None = None) -> int:
    """Go through the pairs; 0 if all are right, else 1."""
    parser = argparse.ArgumentParser(description="All pairs of finite float16 numbers at d = 2, against exact thresholds.")
    parser.add_argument("module", type=Path, help="path of an emitted exact module with a function normalize")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--fraction", type=Fraction, default=Fraction(1), help="of the first numbers, such as 1/64; all second numbers")
    parser.add_argument("--eps", type=float, default=1e-5)
    given = parser.parse_args(arguments)
    if not 0 < given.fraction <= 1 or given.processes < 1 or not given.eps > 0:
        parser.error("expected 0 < fraction <= 1, processes >= 1 and eps > 0")
    load(given.module)
    table, count, started = thresholds(Fraction(given.eps)), len(finite()[0]), time.monotonic()
    firsts = [int(k / given.fraction) for k in range(int(count * given.fraction))]
    task, wrong = partial(work, given.module, given.eps, table), 0
    with multiprocessing.get_context("spawn").Pool(given.processes) if given.processes > 1 else nullcontext() as pool:
        results = map(task, firsts) if pool is None else pool.imap_unordered(task, firsts, chunksize=8)
        for done, found in enumerate(results, 1):
            wrong += len(found)
            for a, b, got in found[:3]:
                sys.stdout.write(f"wrong: normalize of ({a!r}, {b!r}) is {got.tolist()}\n")
            if done % 256 == 0:
                rate = done / (time.monotonic() - started)
                sys.stderr.write(f"{done} of {len(firsts)}, {wrong} wrong, {(len(firsts) - done) / rate:.0f} s left\n")
    pairs, seconds = len(firsts) * count, time.monotonic() - started
    sys.stdout.write(
        f"float16 pairs, d = 2, eps = {given.eps!r}: {pairs} of {count**2} pairs, {wrong} wrong, "
        f"{seconds:.0f} s in {given.processes} process{'es' if given.processes > 1 else ''}\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
