"""What several mistakes share: constants read off the answers, padded widths, arithmetic in a format. Imports NumPy and the records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lnsym.audit.call import Array, Call, Rows
from lnsym.audit.fault import Parameters, Seen

RAISES: Array = np.empty(0)  # what a model gives where the mistake ends in an error: it has the shape of no answer
BLOCKS = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)  # the widths of vectors and blocks of usual kernels


@dataclass(frozen=True, eq=False)
class Estimate:
    """What one row of an answer says of a constant: its value, and how far that may be off by the tolerance of the answer."""

    value: float
    doubt: float
    rows: Rows


def effective_eps(seen: Sequence[Seen]) -> list[Estimate]:
    """Of every row the eps that would give its answer: (v/u)^2 - q."""
    found = []
    for rows, v, q, u, doubt in _largest(seen):
        square = (v / u) ** 2
        found.append(Estimate(square - q, 2 * square * doubt / abs(u) + 1e-15 * (square + q), rows))
    return found


def excess_scale(seen: Sequence[Seen]) -> list[Estimate]:
    """Of every row how much larger than the core its answer is, relative to the core."""
    found = []
    for rows, v, q, u, doubt in _largest(seen):
        core = v / np.sqrt(q + rows.eps)
        found.append(Estimate(u / core - 1, doubt / abs(core) + 1e-15, rows))
    return found


def _largest(seen: Sequence[Seen]) -> Iterator[tuple[Rows, float, float, float, float]]:
    """Of every row that is not constant: the probe, v, q, the core that was answered, and its doubt, where |weight v| is largest."""
    for one in seen:
        if one.y is None or one.call.mask is not None or not one.rows.x.size:
            continue
        rows = one.rows
        with np.errstate(all="ignore"):
            answered = (one.y - rows.bias) / rows.weight
            doubts = one.tolerance["y"] / np.abs(rows.weight)
        for v, (q,), u, doubt in zip(rows.v, rows.q, answered, np.broadcast_to(doubts, answered.shape), strict=True):
            j = int(np.argmax(np.abs(rows.weight * v)))
            if np.isfinite(u[j]) and np.isfinite(doubt[j]) and u[j] * v[j] > 0:
                yield rows, float(v[j]), float(q), float(u[j]), float(doubt[j])


def least_doubtful(estimates: Iterable[Estimate]) -> Estimate | None:
    """The estimate that is known best, if there is any: a constant is the same in all, so this is the one to try."""
    return min(estimates, key=lambda one: one.doubt, default=None)


def shortest(one: Estimate) -> float:
    """The value with the fewest decimal digits that the estimate admits: constants in code are short decimals."""
    for digits in range(17):
        rounded = float(f"{one.value:.{digits}e}")
        if abs(rounded - one.value) <= one.doubt:
            return rounded
    return one.value


def padded(d: int, block: float) -> int:
    """The width that a row of d entries is padded to: whole blocks, or with block 0 the next power of two."""
    return -(-d // int(block)) * int(block) if block else 1 << (d - 1).bit_length()


def in_blocks(seen: Sequence[Seen]) -> Iterable[Parameters]:
    """The ways of padding that leave some row with padded lanes."""
    widths = {one.rows.d for one in seen}
    return [{"block": block} for block in (0, *BLOCKS) if any(padded(d, block) != d for d in widths)]


def affine_rows(call: Call, core: Array) -> Array:
    """weight * core + bias along the axes of the call, for a core in the shape of x."""
    return call.shaped(call.rows().affine(call.flat(core)))


def statistics(x: Array, axes: int | tuple[int, ...]) -> tuple[Array, Array]:
    """Mean and variance along axes, kept as axes of length 1; of nothing both are 0/0."""
    total = x.sum(axis=axes, keepdims=True)
    count = np.asarray(x.size / total.size if total.size else 0)
    mean = total / count
    return mean, ((x - mean) ** 2).sum(axis=axes, keepdims=True) / count


def normalized(x: Array, axes: int | tuple[int, ...], eps: float) -> Array:
    """The core along axes."""
    mean, variance = statistics(x, axes)
    core: Array = (x - mean) / np.sqrt(variance + eps)
    return core
