"""Two mistakes at once, where none explains everything alone: one of the core, and one of what is done with it. Imports the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lnsym.audit.call import Array, Rows
from lnsym.audit.fault import Fault, Parameters, Seen, faults

# The second mistake says where eps is put, or how weight and bias are applied: its model takes the first one's variance or core.
OF_EPS = ("LN101", "LN102", "LN103", "LN104", "LN108", "LN109", "LN110", "LN113", "LN115", "LN116", "LN117", "LN129", "LN130", "LN131")
LAST_OF_EPS = "LN117"  # up to here a mistake is about eps, and no other about eps goes with it
OF_PARAMETERS = ("LN150", "LN151", "LN152", "LN153", "LN154", "LN155", "LN156", "LN158", "LN160", "LN162")
NOT_FIRST = frozenset({*OF_PARAMETERS, "LN157", "LN159", "LN161", "LN141", "LN147", "LN148"})  # about weight and bias too, or about masks
NEAR = 1e-11  # how alike the quotient and the core must be, relative to the core


@dataclass(frozen=True, eq=False)
class After(Rows):
    """Rows whose core is that of a first mistake; and where that core is w/sqrt(p + eps), whose deviations are w and variance p."""

    core: Array
    deviations: Array | None = None
    variance: Array | None = None

    @property
    def v(self) -> Array:
        """w, (n, d)."""
        return self._known(self.deviations)

    @property
    def q(self) -> Array:
        """p, (n, d)."""
        return self._known(self.variance)

    @property
    def u(self) -> Array:
        """The core, (n, d)."""
        return self.core

    def _known(self, part: Array | None) -> Array:
        assert part is not None
        return part


@dataclass(frozen=True, eq=False)
class First:
    """A mistake of the core, and the rows that it leaves to a second one, by probe."""

    fault: Fault
    parameters: Parameters
    _rows: dict[Seen, tuple[After | None, After | None]] = field(default_factory=dict)

    def rows(self, seen: Seen, parts: bool) -> After | None:
        """The rows after it, with the parts of its core if they are asked for; None where it has no such core or parts."""
        if seen not in self._rows:
            try:
                self._rows[seen] = _after(self.fault, self.parameters, seen)
            except (ArithmeticError, ValueError):  # it ends in an error
                self._rows[seen] = None, None
        return self._rows[seen][parts]


@dataclass(frozen=True, eq=False)
class Pair:
    """Two mistakes of the catalogue that were made together."""

    first: First
    second: Fault

    def models(self, seen: Seen) -> list[Array]:
        """The answers (n, d) that it admits: where an argument of the second mistake is left out, it may be as if it were not made."""
        rows = self.first.rows(seen, self.second.code in OF_EPS)
        if rows is None:
            return []
        assert self.second.model is not None
        given = {name for name in ("weight", "bias") if getattr(seen.call, name) is not None}
        return [self.second.model(rows), *([] if self.second.shown_by <= given else [rows.affine(rows.core)])]


def pairs(seen: Sequence[Seen]) -> Iterator[Pair]:
    """Every pair that can be put together."""
    seconds = [faults()[code] for code in (*OF_EPS, *OF_PARAMETERS)]
    for fault in faults().values():
        if fault.kind == "function" and fault.code not in NOT_FIRST:
            for parameters in fault.parameters(seen):
                first = First(fault, parameters)
                yield from (Pair(first, second) for second in seconds if fault.code > LAST_OF_EPS or second.code not in OF_EPS)


def _after(fault: Fault, parameters: Parameters, seen: Seen) -> tuple[After | None, After | None]:
    """The rows after a mistake of the core: as they are, and with the parts of the core."""
    rows = seen.rows
    core = _core(fault, parameters, seen, rows.eps)
    if core is None:
        return None, None
    found = After(rows.x, rows.weight, rows.bias, rows.eps, core)
    quotient = _quotient(fault, parameters, seen)
    if quotient is None:
        return found, None
    w, p = quotient
    same = np.abs(w / np.sqrt(p + rows.eps) - core) <= NEAR * np.abs(core)
    return found, replace(found, deviations=w, variance=p) if bool(same.all()) else None


def _core(fault: Fault, parameters: Parameters, seen: Seen, eps: Any) -> Array | None:
    """The core (n, d) that a mistake computes, with one eps or one for every entry; None where it gives none."""
    rows = replace(seen.rows, weight=np.ones(seen.rows.d), bias=np.zeros(seen.rows.d), eps=eps)
    if fault.whole is not None:
        if isinstance(eps, np.ndarray):
            return None
        core = fault.whole(seen.call.but(weight=None, bias=None), **parameters)
        core = seen.call.flat(core) if core.shape == seen.call.x.shape else core
    else:
        assert fault.model is not None
        core = fault.model(rows, **parameters)
    return core if core.shape == rows.x.shape else None


def _quotient(fault: Fault, parameters: Parameters, seen: Seen) -> tuple[Array, Array] | None:
    """w and p, if the core is w/sqrt(p + eps): from the core without eps, and with one near p. Where the core is 0, so is w."""
    x = seen.rows.x
    near = np.broadcast_to((x**2).mean(axis=1, keepdims=True) + np.finfo(float).tiny, x.shape)
    bare = _core(fault, parameters, seen, np.zeros(x.shape))
    p = np.zeros(x.shape)
    for _ in range(2):
        other = _core(fault, parameters, seen, near)
        if bare is None or other is None:
            return None
        ratio = (bare / other) ** 2  # (p + near)/p
        p = np.where((other == 0) | ~(ratio > 1), 0.0, near / (ratio - 1))
        near = np.where(p > 0, p, near)
    other = _core(fault, parameters, seen, near)
    p = np.where(other == 0, p.max(axis=1, keepdims=True, initial=0.0), p)  # where the core says nothing, that of its row
    return None if other is None else (other * np.sqrt(p + near), p)
