"""Emitted text run on arrays of exact polynomials: NumPy itself moves the entries about, branches go as they do for a witness row.

Where the text relies on rounding, the tracer rounds by a symbol that nothing is known of: what an anchor cuts off, and the errors that
the functions in ROUNDED catch. A result must then be right whatever these errors are.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, wraps
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from lnsym.emit.trace.polynomials import Poly, Ring, order_of_size

# The operations of a function that round, by name of the ufunc: the first so many. Others are exact, or lose what the bound has.
ROUNDED: dict[str, dict[str, int]] = {
    "_two_sum": {"add": 1, "subtract": 1},
    "_fast_two_sum": {"add": 1},
    "_split": {"multiply": 1, "subtract": 1},
    "_two_product": {"multiply": 1},
    "_two_square": {"multiply": 1},
    "_halves": {"multiply": 1, "subtract": 1},
    "_divide_words": {"divide": 1},
    "_divide_by_count": {"divide": 2},
    "_reciprocal_root_words": {"divide": 2},
    "_cut_cotangent": {"multiply": 1000},
    "_add_to_parts": {"add": 1, "subtract": 1},
    "_moved": {"divide": 1},
    "_plain_words": {"divide": 2},
}
UNIT = 2.0**-53
COMPARISONS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"}


class Machine:
    """What the arrays of one run share: the ring, the anchor, and which function of the text is running."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.anchor = ring.symbol("anchor", 1.0)
        self.anchor_symbol = len(ring.names) - 1
        self.frames: list[tuple[str, dict[str, int]]] = [("", {})]
        self.powers: dict[int, Poly] = {}  # by the symbol of an exponent, 2 to that power
        self.named: dict[tuple[str, frozenset[Any]], Poly] = {}
        self.draws = 0
        self.rounded = dict(ROUNDED)

    def inside(self, name: str) -> bool:
        """Whether a function of the text is running."""
        return any(name == frame for frame, _ in self.frames)

    def draw(self) -> float:
        """A number from 1/4 to 1 in size that looks like chance."""
        self.draws += 1
        x = self.draws * 0.6180339887498949 % 1.0
        return 0.25 + 0.75 * x if self.draws % 2 else -0.25 - 0.75 * x

    def rounds(self, ufunc: str) -> bool:
        """Whether the operation that comes now rounds."""
        budget = self.frames[-1][1]
        if budget.get(ufunc, 0) < 1:
            return False
        budget[ufunc] -= 1
        return True

    # ------------------------------------------------------------ what NumPy's functions do with an entry

    def name(self, what: str, x: Poly, value: float) -> Poly:
        """A symbol for a number that depends on x: the same whenever it is asked for."""
        key = what, frozenset(x.terms.items())
        if key not in self.named:
            self.named[key] = self.ring.symbol(what, value)
        return self.named[key]

    def power(self, exponent: Any) -> Poly:
        """2^exponent, for a sum of symbols and a number."""
        poly = exponent if isinstance(exponent, Poly) else self.ring.number(int(exponent))
        result = self.ring.one
        for m, c in poly.terms.items():
            if not m:
                result = result * (Fraction(2) ** int(c))
                continue
            (symbol, _), n = m[0], int(c)
            if symbol not in self.powers:
                self.powers[symbol] = self.ring.symbol(f"2^{self.ring.names[symbol]}", 2.0 ** self.ring.values[symbol])
            ((base, _),) = next(iter(self.powers[symbol].terms))
            result = result * Poly(self.ring, {((base, n),): 1})
        return result

    def ldexp(self, x: Any, exponent: Any) -> Poly:
        """np.ldexp."""
        return self.power(exponent).__mul__(x)

    def frexp(self, x: Any) -> tuple[Poly, Poly]:
        """np.frexp."""
        poly = x if isinstance(x, Poly) else self.ring.number(x)
        if poly.constant is not None:
            mantissa, exponent = math.frexp(poly.value)
            return self.ring.number(mantissa), self.ring.number(exponent)
        exponent_symbol = self.name("exponent", poly, math.frexp(poly.value)[1])
        return self.power(-exponent_symbol) * poly, exponent_symbol

    def error(self, size: float, place: tuple[int, int] | None) -> Poly:
        """A rounding error of this size, as a symbol."""
        return self.ring.symbol("error", size * self.draw(), order_of_size(size), place)

    def cut(self, result: np.ndarray[Any, Any], sizes: Sequence[float]) -> np.ndarray[Any, Any]:
        """An array with an unknown error in each entry; errors in a row of coordinates have an index, so that their sum has a name."""
        self.ring.count += 1
        first, flat = self.ring.count, result.reshape(-1)
        columns = result.shape[-1] if result.ndim > 1 and result.shape[-1] == self.ring.d else 0
        if columns:
            self.ring.count += len(flat) // columns
        places = [(first + k // columns, k % columns) if columns else None for k in range(len(flat))]
        errors = [self.error(size, place) if size else self.ring.zero for size, place in zip(sizes, places, strict=True)]
        made = np.empty(len(flat), object)
        made[:] = [x + e for x, e in zip(flat, errors, strict=True)]
        return made.reshape(result.shape)

    def anchored(self, x: Any) -> Any:
        """The entries of an array, if the first of them holds the anchor."""
        array = np.asarray(x, object) if isinstance(x, (Poly, np.ndarray)) else None
        if array is None or not array.size:
            return None
        first = array.flat[0]
        return array if isinstance(first, Poly) and first.has(self.anchor_symbol) else None

    def lifted(self, x: Any) -> Any:
        """An array of objects whose every entry is a polynomial."""
        array = np.asarray(x)
        result = np.frompyfunc(lambda e: e if isinstance(e, Poly) else self.ring.number(e), 1, 1)(array)
        return np.asarray(result, object)

    def wrap(self, x: Any, form: Any = np.float64) -> Any:
        """An array of polynomials from anything."""
        made = self.lifted(x).view(Entries)
        made.machine, made.form = self, np.dtype(form)
        return made


def _flat(x: Any) -> Any:
    return x.view(np.ndarray) if isinstance(x, Entries) else x


def _sum_of_products(a: Any, b: Any) -> Any:
    return np.add.reduce(np.multiply(a, b), axis=-1)


class Entries(np.ndarray[Any, Any]):
    """An array of polynomials that says it holds floats."""

    machine: Machine
    form: Any

    def __array_finalize__(self, source: Any) -> None:
        if isinstance(source, Entries):
            self.machine, self.form = source.machine, source.form

    @property
    def dtype(self) -> Any:
        """The format that the text sees."""
        return self.form

    @property
    def itemsize(self) -> int:
        """Bytes of an entry in that format."""
        return int(self.form.itemsize)

    def astype(self, dtype: Any, copy: bool = True, **_: Any) -> Any:  # type: ignore[override]
        """The same entries."""
        return self.machine.wrap(_flat(self).copy() if copy else _flat(self), dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        np.ndarray.__setitem__(self, key, _flat(value) if isinstance(value, Entries) else self.machine.lifted(value))

    # ------------------------------------------------------------ ufuncs

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        machine = next(x.machine for x in (*inputs, *options.get("out", ())) if isinstance(x, Entries))
        out = options.pop("out", (None,))
        plain = [_flat(x) for x in inputs]
        result = _calculated(machine, ufunc, method, plain, options)
        if isinstance(result, tuple):
            return tuple(machine.wrap(x) for x in result)
        if out[0] is not None:
            target = _flat(out[0])
            target[...] = result if target.dtype.kind == "b" else machine.lifted(result)
            return out[0]
        if np.asarray(result).dtype.kind == "b":
            return result
        form = next((x.form for x in inputs if isinstance(x, Entries)), np.float64)
        return machine.wrap(result, form)

    # ------------------------------------------------------------ other functions of NumPy

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        name = function.__name__
        if name in ("empty_like", "zeros_like", "ones_like", "full_like"):
            return _made(self.machine, name, *args, **kwargs)
        if name == "copyto":
            target, source = args
            where = kwargs.get("where", True)
            np.copyto(_flat(target), self.machine.lifted(_flat(source)), where=where)
            return None
        result = function(*_plain(args), **_plain(kwargs))
        return tuple(map(self._again, result)) if isinstance(result, tuple) else self._again(result)

    def _again(self, x: Any) -> Any:
        return self.machine.wrap(x, self.form) if isinstance(x, np.ndarray) and x.dtype == object else x


def _plain(x: Any) -> Any:
    if isinstance(x, (tuple, list)):
        return type(x)(map(_plain, x))
    if isinstance(x, dict):
        return {key: _plain(value) for key, value in x.items()}
    return _flat(x)


def _made(machine: Machine, name: str, like: Any, *fill: Any, shape: Any = None, dtype: Any = None, **_: Any) -> Any:
    form = np.dtype(dtype if dtype is not None else like.dtype)
    shape = like.shape if shape is None else shape
    if form.kind == "b":
        return np.zeros(shape, bool)
    start = {"zeros_like": 0, "ones_like": 1}.get(name, fill[0] if fill else None)
    made = np.empty(shape, object)
    made[...] = machine.ring.symbol("unwritten", 1e3) if start is None else machine.lifted(start)
    return machine.wrap(made, form)


def _calculated(machine: Machine, ufunc: np.ufunc, method: str, inputs: list[Any], options: Mapping[str, Any]) -> Any:
    """A ufunc on arrays of polynomials."""
    name = ufunc.__name__
    if method == "reduce" and name in ("maximum", "minimum"):
        best = np.asarray(ufunc.reduce(inputs[0], **options), object)
        named = np.frompyfunc(lambda x: x if isinstance(x, Poly) and x.constant is not None else machine.name(name, x, x.value), 1, 1)
        return named(best)
    if method != "__call__":
        result = getattr(ufunc, method)(*inputs, **options)
        return _gathered(machine, result) if name == "add" else result
    if name in ("ldexp", "frexp"):
        return np.frompyfunc(getattr(machine, name), ufunc.nin, ufunc.nout)(*inputs)
    if name == "sqrt":
        return np.frompyfunc(lambda x: x.sqrt(), 1, 1)(inputs[0])
    if name in ("isfinite", "isnan"):
        holds = getattr(math, name)
        return np.frompyfunc(lambda x: holds(x.value), 1, 1)(inputs[0]).astype(bool)
    if name == "vecdot":
        return _gathered(machine, _sum_of_products(*inputs))
    if name in COMPARISONS:
        return np.asarray(ufunc(*inputs, dtype=object)).astype(bool)
    result = ufunc(*(np.asarray(x, object) if isinstance(x, Poly) else x for x in inputs), **options)
    if name in ("add", "subtract"):
        held = [machine.anchored(x) for x in inputs]
        if sum(x is not None for x in held) == 1:
            grid = next(x for x in held if x is not None)
            return _cut_by_anchor(machine, np.asarray(result, object), grid)
    if machine.rounds(name):
        values = [x.value for x in np.asarray(result, object).flat]
        return machine.cut(np.asarray(result, object), [abs(x) * UNIT for x in values])
    if name == "matmul" or (name in ("add", "subtract") and np.ndim(result) < 2):
        return _gathered(machine, result)
    return result


def _cut_by_anchor(machine: Machine, result: Any, grid: Any) -> Any:
    """x + anchor, rounded: an unknown part of the size of the grid is cut off from each x but 0."""
    size = lambda p: abs(Poly(p.ring, {m: c for m, c in p.terms.items() if _holds(m, machine)}).value)  # noqa: E731
    sizes = np.broadcast_to(np.frompyfunc(size, 1, 1)(grid), result.shape)
    nothing = [all(_holds(m, machine) for m in x.terms) for x in result.flat]
    return machine.cut(result, [0.0 if zero else s for zero, s in zip(nothing, sizes.flat, strict=True)])


def _holds(m: Any, machine: Machine) -> bool:
    return any(s == machine.anchor_symbol for s, _ in m)


def _gathered(machine: Machine, x: Any) -> Any:
    return np.frompyfunc(lambda p: machine.ring.gathered(p) if isinstance(p, Poly) else p, 1, 1)(x)


# ---------------------------------------------------------------- the text


class Numpy:
    """The module np for the text: arrays that it creates hold polynomials."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def _filled(self, shape: Any, value: Any, dtype: Any) -> Any:
        if np.dtype(dtype).kind != "f":
            return np.full(shape, value or 0, dtype)
        return _made(self._machine, "full_like", None, value, shape=shape, dtype=dtype)

    def empty(self, shape: Any, dtype: Any = float) -> Any:
        """np.empty."""
        return self._filled(shape, None, dtype)

    def zeros(self, shape: Any, dtype: Any = float) -> Any:
        """np.zeros."""
        return self._filled(shape, 0, dtype)

    def array(self, x: Any, *args: Any, **options: Any) -> Any:
        """np.array."""
        return x.copy() if isinstance(x, Entries) else np.array(x, *args, **options)

    def asarray(self, x: Any, *args: Any, **options: Any) -> Any:
        """np.asarray."""
        return x if isinstance(x, Entries) else np.asarray(x, *args, **options)


@cache
def compiled(source: str, given: tuple[str, ...]) -> CodeType:
    """The text with some of its constants looked up in a table."""
    tree = ast.parse(source)
    for statement in tree.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(statement, ast.Assign) and isinstance(target, ast.Name) and target.id in given:
            statement.value = ast.copy_location(ast.Subscript(ast.Name("__given", ast.Load()), ast.Constant(target.id), ast.Load()), target)
    return compile(ast.fix_missing_locations(tree), "<emitted>", "exec")


class Text:
    """Emitted text with _U = 0, its anchor a symbol, and its functions watched, so that the machine knows where it is."""

    def __init__(self, source: str, machine: Machine, constants: Mapping[str, object] | None = None) -> None:
        self.machine = machine
        given = {"_U": 0, "_ANCHOR": machine.anchor, **(constants or {})}
        self.names: dict[str, Any] = {"__name__": "emitted", "__given": given}
        exec(compiled(source, tuple(given)), self.names)
        stand_in = Numpy(machine)
        for name, value in list(self.names.items()):
            if value is np:
                self.names[name] = stand_in
            elif isinstance(value, FunctionType) and value.__module__ == "emitted":
                self.names[name] = self.watched(name, value)

    def watched(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function; while it runs, the machine knows."""
        frames, rounded = self.machine.frames, self.machine.rounded.get(name, {})

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            frames.append((name, dict(rounded)))
            try:
                return function(*args, **kwargs)
            finally:
                frames.pop()

        return call

    def replace(self, name: str, function: Callable[..., Any]) -> None:
        """Put a function in the place of one of the text."""
        if name in self.names:
            self.names[name] = self.watched(name, function)

    def __getitem__(self, name: str) -> Any:
        return self.names[name]

    def __contains__(self, name: str) -> bool:
        return name in self.names
