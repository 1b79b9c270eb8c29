"""Inputs of the checks, made to fit what a subject takes. Imports the audit's records."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.session import Session
from lnsym.audit.subject import SubjectFailed

AT_ONCE = 0.05  # seconds for an input that is a hundredth of a large one

# ---------------------------------------------------------------- numbers


def mixed(n: int, d: int, start: int = 0) -> Array:
    """Rows of quarters from -9/4 to 13/4 that follow no line: all different, and exact in every format, sums with small numbers too."""
    i, j = np.arange(n)[:, None] + start, np.arange(d)
    rows: Array = ((5 * i * i + 3 * j * j + 7 * i * j + 11 * j + 2 * (j % 3)) % 23 - 9) / 4
    return rows


def normal(session: Session, n: int, d: int, *key: int) -> Array:
    """Rows of random numbers, made again from the seed and the key alone."""
    rows: Array = session.random(86, *key).standard_normal((n, d))
    return rows


def gains(d: int) -> Array:
    """A weight with numbers of both signs and of different sizes, and a zero."""
    return np.resize([1.5, -0.5, 2.0, 0.0, -3.0, 0.25, 1.0], d)


def offsets(d: int) -> Array:
    """A bias of numbers that differ."""
    return np.resize([0.5, -1.0, 0.25, 3.0, -2.0], d)


def number_type(fmt: str) -> np.dtype[Any]:
    """The NumPy type of a format."""
    if fmt != "bfloat16":
        return np.dtype(fmt)
    import ml_dtypes

    bfloat16: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    return bfloat16


# ---------------------------------------------------------------- inputs that fit the subject


def width_of(session: Session, wanted: int) -> int:
    """The wanted width, or the only one that the subject takes."""
    for built_in in (session.about.weight, session.about.bias):
        if built_in is not None:
            return len(built_in)
    return session.about.width or wanted


def make(
    session: Session, rows: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, fmt: str = "",
    batch: tuple[int, ...] | None = None, axis: tuple[int, ...] | None = None,
) -> Call:  # fmt: skip
    """A call of these rows (n, d) with the layout, parameters and eps that the subject takes; `batch` holds the sizes of the other axes."""
    form, d = number_type(fmt or session.format), width_of(session, rows.shape[1])
    rows = rows if rows.shape[1] == d else np.resize(rows, (rows.shape[0], d))
    along = session.axis if axis is None else axis
    x, shape = laid_out(rows.astype(form), along, _batch(session, rows.shape[0]) if batch is None else batch)
    given = {}
    for name, values in (("weight", weight), ("bias", bias)):
        if name not in session.about.takes:
            built_in = getattr(session.about, name)
            values = None if built_in is None else np.array(built_in)
        given[name] = None if values is None else np.resize(values, d).astype(form).reshape(shape)
    return Call(x, given["weight"], given["bias"], session.eps_for(eps), along)


def _batch(session: Session, n: int) -> tuple[int, ...]:
    """Sizes of the other axes: n and then ones, as many as the subject takes and the session's axes need."""
    least = max(axis + 1 if axis >= 0 else -axis for axis in session.axis)
    others = (session.about.rank or max(len(session.axis) + 1, least)) - len(session.axis)
    return (n, *[1] * (others - 1)) if others > 0 else ()


def laid_out(rows: Array, axis: tuple[int, ...], batch: tuple[int, ...]) -> tuple[Array, tuple[int, ...]]:
    """Rows as an array that is normalized along `axis`, its other axes of sizes `batch`; and the sizes of the normalized axes."""
    rank = len(batch) + len(axis)
    along = sorted(one % rank for one in axis)
    order = [*(one for one in range(rank) if one not in along), *along]
    sizes = _factors(rows.shape[1], len(along))
    grid = rows[: prod(batch)].reshape(*batch, *sizes)
    return np.ascontiguousarray(grid.transpose(np.argsort(order))), sizes


def _factors(d: int, count: int) -> tuple[int, ...]:
    """d as a product of so many sizes, the smaller ones first."""
    sizes: list[int] = []
    for left in range(count, 1, -1):
        sizes.append(max(k for k in range(1, d + 1) if d % k == 0 and k**left <= d))
        d //= sizes[-1]
    return (*sizes, d)


def one_row(call: Call, k: int) -> Call:
    """The k-th row as a batch of one, in the same layout."""
    kept = [axis for axis in range(call.x.ndim) if axis not in call.axes]
    place = np.unravel_index(k, [call.x.shape[axis] for axis in kept])
    at = dict(zip(kept, place, strict=True))
    return call.but(x=call.x[tuple(slice(at[axis], at[axis] + 1) if axis in at else slice(None) for axis in range(call.x.ndim))])


def like(call: Call, rows: Array) -> Array:
    """Rows in the shape and the format of x."""
    return call.shaped(rows.astype(call.x.dtype))


class TooSlow(Exception):
    """At its speed the subject would not come back from a large input in time."""


def at_once(session: Session, small: Call, large: str) -> None:
    """TooSlow where a smaller input takes so long that the large one would take minutes. The first call may compile: the second counts."""
    try:
        session.forward(small)
        before = session.seconds
        session.forward(small)
    except SubjectFailed:
        return  # the large input will show it
    if session.seconds - before > AT_ONCE:
        raise TooSlow(f"an input of shape {small.x.shape} takes too long to try {large}")


def require(holds: object) -> None:
    """A smaller case that is none of this check's is passed over."""
    if not holds:
        raise ValueError("not an input of this check")
