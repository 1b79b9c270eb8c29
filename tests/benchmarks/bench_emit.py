"""How fast the emitted NumPy code is, against plain two-pass NumPy: `python tests/benchmarks/bench_emit.py`. Not a test.

Each shape and format is measured in a process of its own, with one BLAS thread, all functions in turn; a cell is the median processor time
of the emitted function over that of the naive one. What naive code loses by taking large temporary arrays from the system counts too;
--keep-memory leaves it out on systems with glibc. To add a measurement, add a line to MEASURED.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[2]
SHAPES = ((8192, 64), (2048, 768), (512, 4096))
OTHER_SHAPES = ((8192, 63), (8192, 65), (4096, 100), (2048, 769), (2048, 1000))
TINY = ((1, 8), (4, 768))
EPS = 1e-5
SHIFT = {"float64": 1e4, "float32": 1e2}  # a mean far larger than the spread of unit normal rows


@dataclass(frozen=True)
class Measured:
    """What is measured: a function of the module of a tier, beside a naive one, on some shapes and formats."""

    tier: str
    name: str
    call: Callable[[Any, Any], object]  # of the emitted module and the arrays
    naive: Callable[[Any], object]  # of the arrays
    shapes: tuple[tuple[int, int], ...]
    formats: tuple[str, ...]
    goal: float
    aim: float | None = None


class Arrays:
    """Unit normal rows x, the same with a large mean, a cotangent, weight and bias, and cotangents of their gradients."""

    def __init__(self, n: int, d: int, fmt: str) -> None:
        """Make them from a fixed seed."""
        import numpy as np

        r = np.random.default_rng(0)
        self.x, self.dy = r.standard_normal((n, d)).astype(fmt), r.standard_normal((n, d)).astype(fmt)
        self.shifted = (self.x.astype(np.float64) + SHIFT.get(fmt, 1e2)).astype(fmt)
        self.weight, self.bias = r.standard_normal(d).astype(fmt), r.standard_normal(d).astype(fmt)
        self.ddx, self.ddweight, self.ddbias = (r.standard_normal(shape).astype(fmt) for shape in ((n, d), d, d))


# ---------------------------------------------------------------- what people write


def naive_layer_norm(x: Any, weight: Any = None, bias: Any = None) -> Any:
    """Two passes over the row."""
    import numpy as np

    mean = x.mean(-1, keepdims=True)
    c = x - mean
    u = c / np.sqrt((c * c).mean(-1, keepdims=True) + EPS)
    return u if weight is None else u * weight + bias


def naive_vjp(dy: Any, x: Any, weight: Any) -> Any:
    """All three gradients."""
    import numpy as np

    mean = x.mean(-1, keepdims=True)
    c = x - mean
    s = np.sqrt((c * c).mean(-1, keepdims=True) + EPS)
    u = c / s
    g = dy * weight
    dx = (g - g.mean(-1, keepdims=True) - u * (g * u).mean(-1, keepdims=True)) / s
    return dx, (dy * u).sum(0), dy.sum(0)


def naive_jvp(x: Any, h: Any, weight: Any) -> Any:
    """The derivative along h."""
    import numpy as np

    mean = x.mean(-1, keepdims=True)
    c = x - mean
    s = np.sqrt((c * c).mean(-1, keepdims=True) + EPS)
    u = c / s
    return (h - h.mean(-1, keepdims=True) - u * (h * u).mean(-1, keepdims=True)) / s * weight


def naive_vjp_vjp(ddx: Any, ddweight: Any, ddbias: Any, dy: Any, x: Any, weight: Any) -> Any:
    """The gradients of <ddx, dx> + <ddweight, dweight> + <ddbias, dbias> by dy, x and weight."""
    import numpy as np

    mean = x.mean(-1, keepdims=True)
    c = x - mean
    s = np.sqrt((c * c).mean(-1, keepdims=True) + EPS)
    u = c / s
    g, b = dy * weight, dy * ddweight
    h, k = ddx - ddx.mean(-1, keepdims=True), g - g.mean(-1, keepdims=True)
    hu, ku, hk = (h * u).mean(-1, keepdims=True), (k * u).mean(-1, keepdims=True), (h * k).mean(-1, keepdims=True)
    along = (h - u * hu) / s
    second = -(ku * h + hu * k + (hk - 3 * hu * ku) * u) / (s * s)
    dx = second + (b - b.mean(-1, keepdims=True) - u * (b * u).mean(-1, keepdims=True)) / s
    return weight * along + ddweight * u + ddbias, dx, (dy * along).sum(0)


# ---------------------------------------------------------------- what is measured

WIDE, ALL = ("float64", "float32"), ("float64", "float32", "float16")


def _forward(tier: str, shapes: tuple[tuple[int, int], ...], formats: tuple[str, ...], goal: float, aim: float | None = None) -> Measured:
    return Measured(
        tier,
        "layer_norm",
        lambda m, a: m.layer_norm(a.x, a.weight, a.bias, EPS),
        lambda a: naive_layer_norm(a.x, a.weight, a.bias),
        shapes,
        formats,
        goal,
        aim,
    )


def _core(tier: str, shapes: tuple[tuple[int, int], ...], formats: tuple[str, ...], goal: float, aim: float | None = None) -> Measured:
    return Measured(tier, "normalize", lambda m, a: m.normalize(a.x, EPS), lambda a: naive_layer_norm(a.x), shapes, formats, goal, aim)


def _vjp(tier: str, shapes: tuple[tuple[int, int], ...], formats: tuple[str, ...], goal: float, aim: float | None = None) -> Measured:
    return Measured(
        tier,
        "layer_norm_vjp",
        lambda m, a: m.layer_norm_vjp(a.dy, a.x, a.weight, EPS),
        lambda a: naive_vjp(a.dy, a.x, a.weight),
        shapes,
        formats,
        goal,
        aim,
    )


MEASURED = (
    _forward("safe", SHAPES + OTHER_SHAPES, ALL, 0.75, 0.40),
    _vjp("safe", SHAPES + OTHER_SHAPES, ALL, 0.85, 0.50),
    Measured(
        "safe",
        "layer_norm_jvp",
        lambda m, a: m.layer_norm_jvp(a.x, a.dy, a.weight, EPS),
        lambda a: naive_jvp(a.x, a.dy, a.weight),
        SHAPES,
        WIDE,
        0.85,
    ),
    Measured(
        "safe",
        "layer_norm_vjp_vjp",
        lambda m, a: m.layer_norm_vjp_vjp(a.ddx, a.ddweight, a.ddbias, a.dy, a.x, a.weight, EPS),
        lambda a: naive_vjp_vjp(a.ddx, a.ddweight, a.ddbias, a.dy, a.x, a.weight),
        SHAPES,
        ALL,
        1.0,
    ),
    Measured(
        "safe",
        "layer_norm, mean >> spread",
        lambda m, a: m.layer_norm(a.shifted, a.weight, a.bias, EPS),
        lambda a: naive_layer_norm(a.shifted, a.weight, a.bias),
        SHAPES,
        WIDE,
        1.6,
        0.8,
    ),
    _forward("safe", TINY, WIDE, 1.5, 1.0),
    _vjp("safe", TINY, WIDE, 1.5),
    _core("exact", SHAPES + OTHER_SHAPES, WIDE, 6.5, 3.0),
    _forward("exact", SHAPES + OTHER_SHAPES, WIDE, 6.5, 3.0),
    _core("exact", SHAPES, ("float16",), 1.0),
    _forward("exact", SHAPES, ("float16",), 1.0),
    _vjp("exact", SHAPES + OTHER_SHAPES, ALL, 10.0, 6.0),
)


# ---------------------------------------------------------------- measuring


def child(tier: str, fmt: str, n: int, d: int, repetitions: int) -> dict[str, float]:
    """In this process: the ratio of each measured function of the tier for one format and shape."""
    from lnsym.emit.build import build
    from tests.emit.loader import loaded

    module = loaded(build("numpy", ops=None, tier=tier, validate=False).source, f"emitted_{tier}")
    arrays = Arrays(n, d, fmt)
    times: dict[tuple[str, str], list[float]] = {}
    calls: dict[tuple[str, str], Callable[[], object]] = {}
    for one in MEASURED:
        if one.tier == tier and fmt in one.formats and (n, d) in one.shapes:
            calls[one.name, "naive"] = lambda one=one: one.naive(arrays)  # type: ignore[misc]
            calls[one.name, "emitted"] = lambda one=one: one.call(module, arrays)  # type: ignore[misc]
    inner = max(1, 20000 // (n * d))
    for turn in range(repetitions + 1):
        for key, call in calls.items():
            start = time.process_time()
            for _ in range(inner):
                call()
            if turn:  # the first turn warms up
                times.setdefault(key, []).append(time.process_time() - start)
    median = {key: statistics.median(found) for key, found in times.items()}
    return {name: median[name, "emitted"] / median[name, "naive"] for name, which in median if which == "naive"}


def fresh(tier: str, fmt: str, n: int, d: int, repetitions: int, keep_memory: bool) -> dict[str, float]:
    """The same in a new process."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    if keep_memory:
        env |= {"MALLOC_MMAP_THRESHOLD_": str(2**30), "MALLOC_TRIM_THRESHOLD_": str(2**32), "MALLOC_TOP_PAD_": str(2**26)}
    code = (
        f"from tests.benchmarks.bench_emit import child; import json; print(json.dumps(child({tier!r}, {fmt!r}, {n}, {d}, {repetitions})))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, cwd=ROOT)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


@click.command()
@click.option("--tier", multiple=True, type=click.Choice(["safe", "exact"]), help="Only this tier.")
@click.option("--repetitions", default=15, show_default=True, help="Turns of which the median is taken.")
@click.option("--keep-memory", is_flag=True, help="Let the allocator keep freed memory, so that only arithmetic is compared.")
def main(tier: tuple[str, ...], repetitions: int, keep_memory: bool) -> None:
    """Print the ratios as a Markdown table."""
    wanted = [one for one in MEASURED if not tier or one.tier in tier]
    click.echo("| tier, function | format | " + "shape: time over that of naive NumPy | goal | aim |\n|---|---|---|---|---|")
    cells: dict[tuple[str, str, int, int], dict[str, float]] = {}
    for one in wanted:
        for fmt in one.formats:
            found = []
            for n, d in one.shapes:
                key = (one.tier, fmt, n, d)
                if key not in cells:
                    cells[key] = fresh(*key, repetitions, keep_memory)
                found.append(f"{n}x{d}: {cells[key][one.name]:.2f}")
            click.echo(f"| {one.tier} {one.name} | {fmt} | {', '.join(found)} | {one.goal} | {one.aim or '–'} |")


if __name__ == "__main__":
    main()
