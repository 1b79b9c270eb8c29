"""Public bug reports, restated as small cases: inputs as arrays, right answers as fractions, and how far an answer may be from them.

The data is tests/data/bug_cases.json, whose header says how its numbers are to be read. Imports NumPy and ml_dtypes, and nothing of lnsym.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
TABLE = Path(__file__).parents[1] / "data" / "bug_cases.json"
FORMATS: dict[str, np.dtype[Any]] = {
    "float64": np.dtype(np.float64),
    "float32": np.dtype(np.float32),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "real": np.dtype(np.float64),  # the inputs of these cases are floats, so that nothing is lost
}
PRECISION = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
LEAST = {"float64": 2.0**-1074, "float32": 2.0**-149, "float16": 2.0**-24, "bfloat16": 2.0**-133}
# The constant that the safe tier is held to; a half format is computed wider and rounded once, so there it is nearly 1/2.
SAFE_K = {"float64": 16.0, "float32": 16.0, "float16": 1.0, "bfloat16": 1.0}
# What a case may ask for, in the words of the data, and where the answer has the shape of z.
QUANTITIES = ("y", "mean", "rstd", "dz", "dgamma", "dbeta")
FULL_SHAPE = ("y", "dz")


def _array(numbers: Any, kind: type[np.generic] | np.dtype[Any]) -> Array:
    """A nested list of decimals, or one of the short forms, as an array of this format."""
    match numbers:
        case {"rows": rows, "row": row}:
            return np.tile(np.array(row, np.float64).astype(kind), (int(rows), 1))
        case {"shape": shape}:
            return np.zeros(shape, kind)
        case _:
            return np.array(numbers, np.float64).astype(kind)


def _fractions(numbers: Any) -> Array:
    """A nested list of decimals as an array of fractions."""
    texts = np.array(numbers, dtype=object)
    return np.vectorize(Fraction, otypes=[object])(texts) if texts.size else texts


def format_name(array: Array) -> str:
    """float64, float32, float16 or bfloat16."""
    return array.dtype.name


@dataclass(frozen=True)
class Case:
    """One case; a case about the root-mean-square norm is restated for layer norm by the row that continues with its own negative.

    The mean of such a row is 0, its variance is the mean square of the given half, and the first half of the answer is the one asked for.
    """

    data: dict[str, Any]

    @property
    def id(self) -> str:
        """The name that the data gives it."""
        return str(self.data["id"])

    @property
    def op(self) -> str:
        """What is computed: forward, vjp, stats, ..."""
        return str(self.data["input"]["op"]).removeprefix("rms_")

    @property
    def mirrored(self) -> bool:
        """Whether the rows are continued with their negatives."""
        return str(self.data["input"]["op"]).startswith("rms_")

    @property
    def axis(self) -> tuple[int, ...]:
        """The normalized axes."""
        return tuple(self.data["input"]["axis"])

    @property
    def eps(self) -> float:
        """The constant under the root."""
        return float(self.data["input"]["eps"])

    def _input(self, name: str, kind: str, sign: int) -> Array | None:
        numbers = self.data["input"].get(name)
        if numbers is None:
            return None
        array = _array(numbers, FORMATS[self.data["input"][kind]])
        return np.concatenate([array, sign * array], axis=-1).astype(array.dtype) if self.mirrored else array

    @cached_property
    def x(self) -> Array:
        """The rows."""
        array = self._input("z", "dtype", -1)
        if array is None:
            raise ValueError(f"case {self.id} has no rows")
        return array

    @cached_property
    def dy(self) -> Array | None:
        """The cotangent of a vjp."""
        return self._input("dy", "dtype", -1)

    @cached_property
    def weight(self) -> Array | None:
        """The factor on the normalized axes."""
        return self._input("gamma", "param_dtype", 1)

    @cached_property
    def bias(self) -> Array | None:
        """The term on the normalized axes."""
        return self._input("beta", "param_dtype", 1)

    @property
    def result_format(self) -> str:
        """The format of y: the one that holds all array arguments."""
        arrays = [a for a in (self.x, self.weight, self.bias, self.dy) if a is not None]
        return format_name(np.empty(0, np.result_type(*arrays)))

    def asked(self) -> Array | slice:
        """What of the last axis was asked for."""
        return slice(0, self.x.shape[-1] // 2) if self.mirrored else slice(None)

    def expected(self, name: str) -> Array:
        """The exact answers, as fractions, to 30 digits."""
        if name == "y" and "y_row" in self.data["expected"]:
            return np.broadcast_to(_fractions(self.data["expected"]["y_row"]), self.x.shape)
        return _fractions(self.data["expected"][name])

    def quantities(self) -> list[str]:
        """The names of the answers that the emitted functions return."""
        given = self.data["expected"]
        return [name for name in QUANTITIES if name in given or (name == "y" and "y_row" in given)]

    def nearest(self, name: str, kind: str) -> Array:
        """The right answers rounded once to this format."""
        stated = self.data.get("nearest_in_dtype")
        if stated and stated["of"] == name and stated["dtype"] == kind:
            values = np.array(stated["values"], np.float64).astype(FORMATS[kind])
            return np.broadcast_to(values, self.x[..., self.asked()].shape) if name in FULL_SHAPE else values
        return self.expected(name).astype(np.float64).astype(FORMATS[kind])

    @cached_property
    def bounds(self) -> dict[str, Array]:
        """How far each answer may be from the right one for k = 1 and u = 1: the error bound's shape, without 2^-p and eta."""
        return _bounds(self)


def _rows(case: Case, array: Array) -> Array:
    """An array like x as floats (n, d), the normalized axes last."""
    last = tuple(range(array.ndim - len(case.axis), array.ndim))
    moved = np.moveaxis(array, case.axis, last)
    return np.ascontiguousarray(moved).reshape(-1, math.prod(moved.shape[k] for k in last)).astype(np.float64)


def _bounds(case: Case) -> dict[str, Array]:
    """The envelopes of the promise, from exact means and variances."""
    x = _rows(case, case.x[:1] if "y_row" in case.data["expected"] else case.x)
    n, d = x.shape
    weight = np.ones(d) if case.weight is None else np.abs(case.weight.astype(np.float64).reshape(d))
    bias = np.zeros(d) if case.bias is None else np.abs(case.bias.astype(np.float64).reshape(d))
    u, mean, q, r = np.empty((n, d)), np.empty(n), np.empty(n), np.empty(n)
    for k, row in enumerate(x):
        entries = [Fraction(v) for v in row]
        centre = sum(entries) / d
        variance = sum((v - centre) ** 2 for v in entries) / d
        root = math.sqrt(variance + Fraction(case.eps))
        u[k], mean[k], q[k], r[k] = [float(v - centre) / root for v in entries], centre, variance, 1 / root
    spread = np.abs(u) + (np.sqrt(q) * r)[:, None]
    shape = case.x.shape if "y_row" not in case.data["expected"] else (1, d)
    found = {"y": _like(case, weight * spread + bias, shape), "mean": np.abs(mean) + np.sqrt(q), "rstd": r}
    if case.dy is not None:
        dy = _rows(case, case.dy)
        g = dy * (np.ones(d) if case.weight is None else case.weight.astype(np.float64).reshape(d))
        centred = g - g.mean(axis=1, keepdims=True)
        size = np.sqrt((centred * centred).mean(axis=1, keepdims=True))
        found["dz"] = _like(case, r[:, None] * (np.abs(centred) + (1 + np.abs(u)) * size), shape)
        found["dgamma"] = (np.abs(dy) * spread).sum(axis=0)
        found["dbeta"] = np.abs(dy).sum(axis=0)
    return found


def _like(case: Case, rows: Array, shape: tuple[int, ...]) -> Array:
    """Rows (n, d) back in the shape of x."""
    last = tuple(range(len(shape) - len(case.axis), len(shape)))
    moved = np.moveaxis(np.empty(shape), case.axis, last).shape
    return np.moveaxis(rows.reshape(moved), last, case.axis)


def excess(case: Case, name: str, answer: Array) -> float:
    """The greatest error of an answer in multiples of what the promise allows: at most 1 is right, NaN and infinity are not."""
    kind = format_name(answer)
    allowed = case.bounds[name] * (SAFE_K[kind] * 2.0 ** -PRECISION[kind]) + LEAST[kind]
    found = answer.astype(np.float64)
    if not np.isfinite(found).all():
        return math.inf
    exact = case.expected(name)
    if name == "y" and exact.ndim > 1 and case.bounds[name].shape[0] == 1 < len(exact):
        if not (found == found[:1]).all():
            return math.inf
        exact, found = exact[:1], found[:1]
    if name in FULL_SHAPE:
        allowed = allowed[..., case.asked()]
    elif case.mirrored and name in ("dgamma", "dbeta"):
        allowed = allowed[case.asked()]
    error = np.vectorize(lambda a, b: abs(float(Fraction(a) - b)), otypes=[float])(found.reshape(exact.shape), exact)
    return float((error / allowed.reshape(exact.shape)).max(initial=0.0))


@cache
def cases() -> tuple[Case, ...]:
    """All cases, in the order of the data."""
    return tuple(Case(one) for one in json.loads(TABLE.read_text(encoding="utf-8"))["cases"])


def named(name: str) -> Case:
    """The case of this id."""
    return next(case for case in cases() if case.id == name)


def wrong_answers() -> Iterator[tuple[Case, str, Array]]:
    """The answers of the fault models, where the data gives numbers for a quantity that the emitted functions return."""
    for case in cases():
        name, values = case.data["wrong_model_of"], case.data["wrong_model_value"]
        if name in case.quantities() and isinstance(values, list):
            if len(values) == 2 and isinstance(values[0], list) and isinstance(values[1], str):
                values = [values[0], case.data["nearest_in_dtype"]["values"][1]]  # "second row unaffected"
            try:
                yield case, name, np.array(values, np.float64).astype(FORMATS[case.result_format])
            except ValueError:
                continue
