"""However many rows a block has: the exact tier gives the same bits, the safe tier the same numbers up to its rounding.

The sums of the safe tier depend on how many rows are summed at once: for few numbers one call of NumPy is the fastest, for many another.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.emit.loader import loaded
from tests.emit.modules import source

BLOCKS = ("_block_rows", "_exact_block_rows", "_gradient_rows")
PANELS = ("_panel_rows", "_gradient_panel")
SHAPES = ((1, 5), (7, 3), (40, 64), (33, 65), (12, 300), (9, 768))


def with_blocks(tier: str, rows: int, name: str) -> Any:
    """The module of a tier with blocks of so many rows."""
    module: Any = loaded(source(tier), name)
    there = [x for x in (*BLOCKS, *PANELS) if hasattr(module, x)]
    assert there
    for x in there:
        setattr(module, x, lambda *_, rows=rows * (2 if x in PANELS else 1): rows)
    return module


def same(first: Any, second: Any) -> bool:
    """Equal to the bit."""
    return all(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes() for a, b in zip(first, second, strict=True))


def rows(shape: tuple[int, int], form: str, seed: int) -> tuple[Any, Any, Any, Any]:
    """x with ordinary rows and some with a large mean, tiny, or constant; dy, weight and bias."""
    random = np.random.default_rng(seed)
    x = random.standard_normal(shape)
    x[::3] += 1000.0
    x[1::5] *= 1e-30
    x[2::7] = 3.0
    dy, weight, bias = random.standard_normal(shape), random.standard_normal(shape[1]), random.standard_normal(shape[1])
    return tuple(a.astype(form) for a in (x, dy, weight, bias))  # type: ignore[return-value]


def results(module: Any, x: Any, dy: Any, weight: Any, bias: Any) -> tuple[Any, ...]:
    """What is computed row by row: output, statistics, dx, core."""
    return (*module.layer_norm(x, weight, bias, return_stats=True), *module.layer_norm_vjp(dy, x, weight, wrt=("x",)), module.normalize(x))


@pytest.mark.parametrize("form", ["float64", "float32", "float16"])
@pytest.mark.parametrize("tier", ["safe", "exact"])
def test_the_size_of_blocks_does_not_matter(tier: str, form: str) -> None:
    whole, single, three = (with_blocks(tier, n, f"{tier}_in_blocks_of_{n}") for n in (1000, 1, 3))
    for seed, shape in enumerate(SHAPES):
        given = rows(shape, form, seed)
        expected = results(whole, *given)
        for found in (results(single, *given), results(three, *given)):
            if tier == "exact":
                assert same(expected, found), shape
            else:
                for one, other in zip(expected, found, strict=True):
                    size = np.abs(one.astype(float)).max()
                    np.testing.assert_allclose(one.astype(float), other.astype(float), rtol=0, atol=32 * np.finfo(one.dtype).eps * size)
