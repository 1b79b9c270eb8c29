"""Smaller inputs that still fail: rows and entries are dropped, numbers made simple, as long as a predicate holds. Imports the records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from lnsym.audit.call import Array
from lnsym.audit.check import Case

SIMPLE_EPS = (1.0, 0.25, 1e-3, 1e-5)


def shrink(case: Case, fails: Callable[[Case], bool], steps: int, eps_is_free: bool = True, width_is_free: bool = True) -> Case:
    """The smallest case found from this one by at most so many trials; each accepted change keeps the failure."""
    left = steps
    progress = True
    while progress and left > 0:
        progress = False
        for smaller in _candidates(case, eps_is_free, width_is_free):
            if left <= 0:
                break
            left -= 1
            if fails(smaller):
                case, progress = smaller, True
                break
    return case


def _candidates(case: Case, eps_is_free: bool, width_is_free: bool) -> Iterator[Case]:
    """Cases that are smaller or simpler than this one, the boldest change first."""
    call = case.call
    matrix = call.x.ndim == 2 and call.axes == (1,)
    if matrix:
        yield from (_rows(case, kept) for kept in _parts(call.x.shape[0]))
        if width_is_free:
            yield from (_columns(case, kept) for kept in _parts(call.x.shape[1]) if len(kept) >= 2)
    if call.bias is not None and np.any(call.bias != 0):
        yield replace(case, call=call.but(bias=np.zeros_like(call.bias)))
    if call.weight is not None and np.any(call.weight != 1):
        yield replace(case, call=call.but(weight=np.ones_like(call.weight)))
    if eps_is_free:
        yield from (replace(case, call=call.but(eps=eps)) for eps in SIMPLE_EPS[: _place(call.eps)])
    for digits in (0, 1, 2):
        yield from _rounded(case, digits)


def _place(eps: float) -> int:
    """How many of the simple values are simpler than this one."""
    return SIMPLE_EPS.index(eps) if eps in SIMPLE_EPS else len(SIMPLE_EPS)


def _parts(size: int) -> Iterator[list[int]]:
    """Index sets to keep: one half, then all but one."""
    if size <= 1:
        return
    half = size // 2
    yield list(range(half))
    yield list(range(half, size))
    if 2 < size <= 16:
        yield from ([k for k in range(size) if k != left_out] for left_out in range(size))


def _rows(case: Case, kept: list[int]) -> Case:
    n = case.call.x.shape[0]
    call = case.call.but(x=case.call.x[kept], mask=None if case.call.mask is None else case.call.mask[kept])
    return replace(
        case, call=call, dy=None if case.dy is None else case.dy[kept], more=_along(case.more, (n, case.call.x.shape[1]), kept, None)
    )


def _columns(case: Case, kept: list[int]) -> Case:
    call = case.call
    cut = call.but(
        x=np.ascontiguousarray(call.x[:, kept]),
        weight=None if call.weight is None else call.weight[kept],
        bias=None if call.bias is None else call.bias[kept],
        mask=None if call.mask is None else call.mask[:, kept],
    )
    more = _along(case.more, call.x.shape, None, kept)
    return replace(case, call=cut, dy=None if case.dy is None else case.dy[:, kept], more=more)


def _along(more: Mapping[str, Any], shape: tuple[int, ...], rows: list[int] | None, columns: list[int] | None) -> Mapping[str, Any]:
    """What a law needs besides, cut as the input is cut."""

    def cut(value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        if value.shape == shape:
            return value[rows] if rows is not None else value[:, columns]
        if columns is not None and value.shape == shape[1:]:
            return value[columns]
        return value

    return {name: cut(value) for name, value in more.items()}


def _rounded(case: Case, digits: int) -> Iterator[Case]:
    """The same with the numbers rounded to so many decimals, each array alone: never to a row that has lost all differences."""
    call = case.call
    x = _round(call.x, digits)
    if not _equal(x, call.x) and all(
        len(set(row)) > 1 or len(set(old)) == 1 for row, old in zip(call.flat(x).tolist(), call.flat(call.x).tolist(), strict=True)
    ):
        yield replace(case, call=call.but(x=x))
    for name in ("weight", "bias"):
        old = getattr(call, name)
        if old is not None and not _equal(_round(old, digits), old):
            yield replace(case, call=call.but(**{name: _round(old, digits)}))
    if case.dy is not None and not _equal(_round(case.dy, digits), case.dy):
        yield replace(case, dy=_round(case.dy, digits))


def _round(array: Array, digits: int) -> Array:
    with np.errstate(all="ignore"):
        return (np.round(array.astype(np.float64), digits) + 0.0).astype(array.dtype)  # without -0


def _equal(one: Array, other: Array) -> bool:
    return one.tobytes() == other.tobytes()
