"""What a layer norm is called with, in one vocabulary for all frameworks. Imports NumPy and lnsym.errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Gradient = Mapping[str, Array]  # by "x", "weight", "bias"


@dataclass(frozen=True, eq=False)
class Call:
    """The arguments of one call: weight and bias have the shape of the normalized axes, mask is True where an entry counts."""

    x: Array
    weight: Array | None = None
    bias: Array | None = None
    eps: float = 1e-5
    axis: tuple[int, ...] = (-1,)
    mask: Array | None = None

    @property
    def axes(self) -> tuple[int, ...]:
        """The normalized axes counted from 0, in ascending order."""
        return tuple(sorted(axis % self.x.ndim for axis in self.axis))

    @property
    def width(self) -> int:
        """d: how many entries are normalized together."""
        return int(np.prod([self.x.shape[axis] for axis in self.axes], dtype=np.int64))

    def flat(self, array: Array) -> Array:
        """An array of x's shape as rows: (n, d)."""
        kept = [axis for axis in range(self.x.ndim) if axis not in self.axes]
        return array.transpose(*kept, *self.axes).reshape(-1, self.width) if array.size else np.empty((0, self.width), array.dtype)

    def shaped(self, rows: Array) -> Array:
        """Rows (n, d) in the shape of x: the inverse of flat."""
        kept = [axis for axis in range(self.x.ndim) if axis not in self.axes]
        order = [*kept, *self.axes]
        return rows.reshape([self.x.shape[axis] for axis in order]).transpose(np.argsort(order))

    def rows(self) -> Rows:
        """The call as rows of float64, with weight and bias filled in."""
        weight = np.ones(self.width) if self.weight is None else self.weight.astype(np.float64).reshape(-1)
        bias = np.zeros(self.width) if self.bias is None else self.bias.astype(np.float64).reshape(-1)
        return Rows(self.flat(self.x).astype(np.float64), weight, bias, float(self.eps))

    def but(self, **changes: Any) -> Call:
        """The same call with some arguments replaced."""
        return replace(self, **changes)


@dataclass(frozen=True, eq=False)
class Rows:
    """A call in float64, one row per group of entries that are normalized together: x (n, d), weight and bias (d,)."""

    x: Array
    weight: Array
    bias: Array
    eps: float

    @property
    def n(self) -> int:
        return int(self.x.shape[0])

    @property
    def d(self) -> int:
        return int(self.x.shape[1])

    @property
    def mean(self) -> Array:
        """mu, (n, 1)."""
        mean: Array = self.x.mean(axis=1, keepdims=True)
        return mean

    @property
    def v(self) -> Array:
        """The deviations, (n, d)."""
        v: Array = self.x - self.mean
        return v

    @property
    def q(self) -> Array:
        """The variance with divisor d, (n, 1)."""
        q: Array = (self.v**2).mean(axis=1, keepdims=True)
        return q

    @property
    def s(self) -> Array:
        """sqrt(q + eps), (n, 1)."""
        s: Array = np.sqrt(self.q + self.eps)
        return s

    @property
    def u(self) -> Array:
        """The normalized core, (n, d)."""
        u: Array = self.v / self.s
        return u

    @property
    def y(self) -> Array:
        """The full output, (n, d)."""
        return self.affine(self.u)

    def affine(self, core: Array) -> Array:
        """weight * core + bias."""
        y: Array = self.weight * core + self.bias
        return y
