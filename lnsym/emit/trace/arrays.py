"""Arrays that stand in for NumPy's: real axes of known length, axes over the coordinates of unknown length, cells of any kind.

An axis over the coordinates has length 1 in `data`: its one cell is the generic component, its index open. What only moves entries about
(slices, reshape, broadcasting) is done by NumPy itself, once on the cells and once on a dummy whose axes over the coordinates have a
telling length, so that it shows where these axes went.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from lnsym.emit.trace.paths import Vocabulary

TELLING = (1009, 1013, 1019)  # lengths in the dummy of the last, the last but one, ... axis over the coordinates


class Domain(Protocol):
    """What the cells of an array are, and what NumPy's functions do with them."""

    def decide(self, cell: Any) -> bool:
        """The outcome of a statement about a row."""

    def lift(self, value: object, kind: str) -> Any:
        """A cell from a number."""

    def whole_number(self, cell: Any) -> int:
        """A cell as a whole number, where it is one."""

    def function(self, name: str) -> Callable[..., Any]:
        """What a ufunc does with cells."""

    def total(self, cell: Any, position: int) -> Any:
        """The sum along an axis over the coordinates."""

    def move(self, cell: Any, table: dict[Any, Any]) -> Any:
        """The cell with the indices of axes renamed."""

    def place(self, position: int) -> Any:
        """The index of an axis over the coordinates, counted from the right."""

    def varies(self, cell: Any) -> bool:
        """Whether a mask's cell speaks of a component."""

    def some(self, cell: Any) -> Any:
        """Whether a mask's cell holds at some component."""

    def extreme(self, name: str, cell: Any) -> Any:
        """The largest or least cell along an axis over the coordinates."""

    def choose(self, condition: Any, a: Any, b: Any) -> Any:
        """np.where of one cell."""

    def pick(self, mask: Any) -> Any:
        """An index for components that a mask picks."""

    def length(self) -> Any:
        """The number of coordinates as a cell."""

    def unwritten(self) -> Any:
        """What an entry of np.empty holds."""

    def identity(self) -> Any:
        """The cell of the unit matrix over the coordinates."""


class Length:
    """The number of coordinates, a number of which nothing is known but that it is at least 1."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    def array(self) -> Traced:
        """The length as an array without axes."""
        return filled(self.domain, (), np.dtype(np.float64), self.domain.length())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Length):
            return True
        if isinstance(other, int):
            return self.against(operator.eq, other)
        return NotImplemented

    __hash__ = object.__hash__

    def against(self, compare: Callable[[int, int], bool], number: int) -> bool:
        """A comparison with a number that comes out the same for every length."""
        verdicts = {compare(d, number) for d in (1, 2, max(number, 1), 2**40)}
        if len(verdicts) > 1:
            raise Vocabulary(f"compares the number of coordinates with {number}; move this into a function marked 'Size:'")
        return verdicts.pop()

    def __lt__(self, other: int) -> bool:
        return self.against(operator.lt, other)

    def __le__(self, other: int) -> bool:
        return self.against(operator.le, other)

    def __gt__(self, other: int) -> bool:
        return self.against(operator.gt, other)

    def __ge__(self, other: int) -> bool:
        return self.against(operator.ge, other)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return "d"

    def _leaves(self, *_: object) -> Any:
        raise Vocabulary("uses the number of coordinates as a Python number; move this into a function marked 'Size:' or with a contract")

    __int__ = __float__ = __index__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _leaves

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*(x.array() if isinstance(x, Length) else x for x in inputs), **options)

    def __add__(self, other: object) -> Any:
        return self.array() + other

    def __sub__(self, other: object) -> Any:
        return self.array() - other

    def __rsub__(self, other: object) -> Any:
        return other - self.array()

    def __mul__(self, other: object) -> Any:
        return self if isinstance(other, int) and other == 1 else self.array() * other

    def __truediv__(self, other: object) -> Any:
        return self.array() / other

    def __rtruediv__(self, other: object) -> Any:
        return other / self.array()

    def __neg__(self) -> Any:
        return -self.array()

    __radd__, __rmul__ = __add__, __mul__


Shape = tuple[Any, ...]  # of int and Length


class Components:
    """The columns that np.nonzero finds in a mask over components: for each row found, one component that stands for all of them.

    `indices` holds for each row the index of that component, `masks` the statement that picked it.
    """

    dtype = np.dtype(np.intp)
    ndim = 1

    def __init__(self, indices: Any, masks: Any) -> None:
        self.indices, self.masks = indices, masks
        self.size, self.shape = len(masks), (len(masks),)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, key: Any) -> Components:
        key = decided(key) if isinstance(key, Traced) else key
        return Components(self.indices[key], self.masks[key])

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Components:
        if function is not np.concatenate:
            raise Vocabulary(f"np.{function.__name__} of the columns that np.nonzero finds")
        parts = [x for x in args[0] if len(x)]
        columns = [x for x in parts if isinstance(x, Components)]
        if len(columns) < len(parts):
            raise Vocabulary("joins columns that np.nonzero finds with others")
        return Components(*(np.concatenate([getattr(x, name) for x in (columns or [self])]) for name in ("indices", "masks")))


class Flags:
    """The flags of an array that lies in memory as NumPy likes it best."""

    c_contiguous = aligned = writeable = owndata = True

    def __getitem__(self, name: str) -> bool:
        return name != "F_CONTIGUOUS"


def dummy(shape: Shape) -> Any:
    """An array without memory whose axes over the coordinates have telling lengths."""
    lengths = [TELLING[len(shape) - n - 1] if isinstance(x, Length) else x for n, x in enumerate(shape)]
    return np.broadcast_to(np.int8(0), lengths)


class Traced(NDArrayOperatorsMixin):
    """An array of cells."""

    __array_priority__ = 1000
    flags = Flags()

    def __init__(self, domain: Domain, shape: Shape, data: Any, dtype: Any) -> None:
        self.domain, self.shape, self.data, self.dtype = domain, shape, data, np.dtype(dtype)

    # ------------------------------------------------------------ what an array says of itself

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> Any:
        """The number of entries."""
        size: Any = 1
        for x in self.shape:
            size = x if isinstance(size, int) and size == 1 else size * x
        return 0 if 0 in [x for x in self.shape if isinstance(x, int)] else size

    @property
    def itemsize(self) -> int:
        """Bytes of one entry."""
        return int(self.dtype.itemsize)

    @property
    def T(self) -> Traced:  # noqa: N802 - NumPy's name
        """The transposed array."""
        return self.transpose()

    def __len__(self) -> int:
        return self.shape[0]  # type: ignore[no-any-return]

    def __iter__(self) -> Any:
        return (self[n] for n in range(len(self)))

    def __repr__(self) -> str:
        return f"array of shape {self.shape}"

    def only(self) -> Any:
        """The cell of an array with one entry."""
        if self.data.size != 1 or any(isinstance(x, Length) for x in self.shape):
            raise Vocabulary("reads one number off an array that has several")
        return self.data.reshape(())[()]

    def __bool__(self) -> bool:
        cell = self.only()
        if self.dtype.kind != "b":
            cell = self.domain.function("not_equal")(cell, self.domain.lift(0, self.dtype.kind))
        return self.domain.decide(cell)

    def __index__(self) -> int:
        cell = self.only()
        if isinstance(cell, int):
            return cell
        raise Vocabulary("uses data as an index or a count")

    def _leaves(self, *_: object) -> Any:
        raise Vocabulary("makes a Python number of an array; put this into a small function with a contract")

    __int__ = __float__ = __complex__ = item = tobytes = _leaves

    def tolist(self) -> Any:
        """The entries of axes of known length as nested lists."""
        if any(isinstance(x, Length) for x in self.shape):
            self._leaves()
        return [part.tolist() for part in self] if self.ndim else self

    # ------------------------------------------------------------ what only moves entries

    def moved(self, act: Callable[[Any], Any], on_cells: Callable[[Any, Any], Any] | None = None) -> Traced:
        """The result of an operation that moves entries about; `on_cells` does it to the cells, told the resulting shape."""
        own = [n for n, x in enumerate(reversed(self.shape)) if isinstance(x, Length)]
        if not own:
            data = act(self.data)
            return Traced(self.domain, data.shape, data, self.dtype)
        there = act(dummy(self.shape)).shape
        shape, table = [], {}
        for n, length in enumerate(reversed(there)):
            source = TELLING.index(length) if length in TELLING and TELLING.index(length) in own else None
            shape.append(length if source is None else self.shape[-1 - source])
            if source is not None and source != n:
                table[self.domain.place(source + 1)] = self.domain.place(n + 1)
        if any(isinstance(x, int) and x > 500 for x in shape) or sum(isinstance(x, Length) for x in shape) != len(own):
            raise Vocabulary("cuts, joins or mixes the axis over the coordinates")
        result = tuple(reversed(shape))
        small = tuple(1 if isinstance(x, Length) else x for x in result)
        data = on_cells(self.data, small) if on_cells else act(self.data)
        if table:
            data = each(lambda cell: self.domain.move(cell, table), data)
        return Traced(self.domain, result, data, self.dtype)

    def key(self, key: Any) -> Any:
        """An index for the cells: masks of rows decided, the axis over the coordinates taken whole."""
        parts = list(key) if isinstance(key, tuple) else [key]
        for n, part in enumerate(parts):
            if isinstance(part, Traced):
                parts[n] = decided(part) if part.dtype.kind == "b" else concrete(part)
            elif isinstance(part, slice):
                ends = [x for x in (part.start, part.stop, part.step) if isinstance(x, Length)]
                parts[n] = slice(None) if ends == [part.stop] and not part.start and part.step in (None, 1) else part
        return tuple(parts)

    def picked(self, key: Any) -> tuple[tuple[Any, ...], Components] | None:
        """For an index by rows and components: the index for the cells, and the components."""
        parts = list(key) if isinstance(key, tuple) else [key]
        if len(parts) == 1 and isinstance(parts[0], Traced) and parts[0].ndim and isinstance(parts[0].shape[-1], Length):
            parts = list(nonzero(parts[0]))
        if not isinstance(parts[-1], Components):
            return None
        if len(parts) != self.ndim or not isinstance(self.shape[-1], Length):
            raise Vocabulary("an index by components that does not fit the array")
        rows = tuple(concrete(x) if isinstance(x, Traced) else x for x in parts[:-1])
        return (*rows, np.zeros(parts[-1].size, int)), parts[-1]

    def __getitem__(self, key: Any) -> Any:
        if found := self.picked(key):
            at, chosen = found
            data = each(lambda cell, index: self.domain.move(cell, {self.domain.place(1): index}), self.data[at], chosen.indices)
            return Traced(self.domain, data.shape, data, self.dtype)
        parts = self.key(key)
        return self.moved(lambda x: asarray(x[parts]))

    def __setitem__(self, key: Any, value: Any) -> None:
        source = lifted(self.domain, value, self.dtype)
        if found := self.picked(key):
            at, chosen = found
            new = each(lambda cell, index: self.domain.move(cell, {index: self.domain.place(1)}), source.data, chosen.indices)
            self.data[at] = each(self.domain.choose, chosen.masks, new, self.data[at])
            return
        parts = self.key(key)
        target = self.moved(lambda x: asarray(x[parts]))
        broadcast(target.shape, source.shape)
        self.data[parts] = source.data if source.data.ndim else source.data[()]

    def reshape(self, *shape: Any, order: str = "C") -> Traced:
        """The same entries in another shape."""
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        own = [TELLING[self.ndim - n - 1] for n, x in enumerate(self.shape) if isinstance(x, Length)]
        rest = iter(own)
        telling = tuple(next(rest, 0) if isinstance(x, Length) else operator.index(x) for x in wanted)
        return self.moved(lambda x: x.reshape(telling, order=order), lambda x, small: x.reshape(small, order=order))

    def transpose(self, *axes: Any) -> Traced:
        """The axes in another order."""
        return self.moved(lambda x: x.transpose(*axes))

    def ravel(self) -> Traced:
        """One axis."""
        return self.reshape(-1)

    flatten = ravel

    # ------------------------------------------------------------ copies

    def astype(self, dtype: Any, copy: bool = True, **_: Any) -> Traced:
        """The same cells: a cast changes no real number. A mask becomes 0 and 1."""
        dtype, data = np.dtype(dtype), self.data
        if self.dtype.kind == "b" and dtype.kind != "b":
            one, zero = (self.domain.lift(x, dtype.kind) for x in (1, 0))
            data = each(lambda cell: self.domain.choose(cell, one, zero), data)
        elif self.dtype.kind == "f" and dtype.kind in "iu":
            data = each(self.domain.whole_number, data)
        elif dtype == self.dtype and not copy:
            return self
        return Traced(self.domain, self.shape, data.copy(), dtype)

    def copy(self, *_: Any, **__: Any) -> Traced:
        """A copy."""
        return Traced(self.domain, self.shape, self.data.copy(), self.dtype)

    def view(self, *_: Any) -> Traced:
        """Bits read as another type: no real operation."""
        raise Vocabulary("reads the bits of an array; put this into a small function with a contract")

    def fill(self, value: Any) -> None:
        """Write one value everywhere."""
        self[...] = value

    # ------------------------------------------------------------ reductions

    def reduced(self, name: str, axis: Any, keepdims: bool, dtype: Any = None) -> Traced:
        """A sum, or whether some or all cells hold, along axes."""
        axes = range(self.ndim) if axis is None else [axis] if not isinstance(axis, tuple) else axis
        wanted = sorted({operator.index(a) % self.ndim for a in axes}) if self.ndim else []
        data = self.data
        for a in wanted:
            position = self.ndim - a
            if isinstance(self.shape[a], Length):
                data = each(lambda cell, position=position: along(self.domain, name, cell, position), data)
            else:
                data = stepwise(self.domain, name, data, a, dtype or self.dtype)
        shape = tuple(1 if n in wanted else x for n, x in enumerate(self.shape))
        result = Traced(self.domain, shape, data, dtype or (bool if name.startswith("logical") else self.dtype))
        return result if keepdims or not wanted else result.squeezed(tuple(wanted))

    def squeezed(self, axes: Any = None) -> Traced:
        """Without the given axes of length 1, or all."""
        return self.moved(lambda x: np.squeeze(x, axes), lambda x, small: x.reshape(small))

    squeeze = squeezed

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """The sum along axes."""
        return put(self.reduced("add", axis, keepdims, dtype), out)

    def mean(self, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """The mean along axes."""
        count: Any = 1
        for a in range(self.ndim) if axis is None else [axis] if not isinstance(axis, tuple) else axis:
            count = self.shape[a] * count
        return put(self.reduced("add", axis, keepdims, dtype) / count, out)

    def dot(self, other: Any) -> Any:
        """The inner product of two vectors."""
        if self.ndim != 1 or other.ndim != 1:
            raise Vocabulary("np.dot of arrays that are not vectors")
        return (self * other).sum()

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """The largest entry along axes."""
        return put(self.reduced("maximum", axis, keepdims), out)

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """The least entry along axes."""
        return put(self.reduced("minimum", axis, keepdims), out)

    def any(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Whether some cells hold."""
        return put(self.reduced("logical_or", axis, keepdims), out)

    def all(self, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        """Whether all cells hold."""
        return put(self.reduced("logical_and", axis, keepdims), out)

    def nonzero(self) -> tuple[Any, ...]:
        """Where a mask holds."""
        return nonzero(self)

    # ------------------------------------------------------------ NumPy's protocols

    def __array__(self, *_: Any, **__: Any) -> Any:
        if self.dtype.kind == "b":
            return decided(self)
        if self.dtype.kind in "iu":
            return concrete(self)
        raise Vocabulary("turns traced data into a plain array; use the functions that the tracer can follow, or a contract")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, where: Any = True, **options: Any) -> Any:
        if method == "reduce":
            result = inputs[0].reduced(ufunc.__name__, options.get("axis", 0), options.get("keepdims", False), options.get("dtype"))
            return put(result, out[0] if out else None)
        if ufunc.__name__ == "matmul" and method == "__call__":
            return put(product(self.domain, *inputs), out)
        if ufunc.__name__ == "vecdot" and method == "__call__":
            return put(np.multiply(*inputs).sum(axis=-1), out)
        if method != "__call__":
            raise Vocabulary(f"np.{ufunc.__name__}.{method} is not among what the tracer can follow")
        return calculate(self.domain, ufunc, inputs, out or (), where)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        from lnsym.emit.trace.standin import FUNCTIONS

        if function.__name__ not in FUNCTIONS:
            raise Vocabulary(f"np.{function.__name__} is not among the functions that the tracer can follow")
        return FUNCTIONS[function.__name__](self.domain, *args, **kwargs)


# ---------------------------------------------------------------- helpers


def asarray(x: Any) -> Any:
    """An array, also of one cell that NumPy has taken out of its array."""
    if isinstance(x, np.ndarray):
        return x
    box = np.empty((), object)
    box[()] = x
    return box


def each(act: Callable[..., Any], *arrays: Any) -> Any:
    """An operation entry by entry, the result always an array of cells."""
    return outcomes(act, len(arrays), 1, *arrays)[0]


def outcomes(act: Callable[..., Any], nin: int, nout: int, *arrays: Any) -> tuple[Any, ...]:
    """The results of an operation entry by entry. NumPy's own warnings would be about its floats, not about cells."""
    with np.errstate(all="ignore"):
        found = np.frompyfunc(act, nin, nout)(*arrays)
    return tuple(map(asarray, found)) if nout > 1 else (asarray(found),)


def filled(domain: Domain, shape: Shape, dtype: Any, cell: Any) -> Traced:
    """An array with the same cell everywhere."""
    data = np.empty(tuple(1 if isinstance(x, Length) else x for x in shape), object)
    data.fill(cell)
    return Traced(domain, shape, data, dtype)


def lifted(domain: Domain, value: Any, dtype: Any = None) -> Traced:
    """Anything as an array of cells."""
    if isinstance(value, Length):
        return value.array()
    if isinstance(value, Traced):
        return value
    if isinstance(value, (list, tuple)) and any(isinstance(x, (Traced, Length)) for x in value):
        parts = [lifted(domain, x, dtype) for x in value]
        return Traced(domain, (len(parts), *parts[0].shape), np.stack([x.data for x in parts]), dtype or parts[0].dtype)
    plain = np.asarray(value) if not isinstance(value, np.ndarray) else value
    kind = (np.dtype(dtype) if dtype is not None and plain.dtype.kind != "O" else plain.dtype).kind
    kind = "f" if kind in "OV" else kind
    data = each(lambda x: domain.lift(x, kind), plain.astype(object) if plain.dtype.kind != "V" else plain.astype(float).astype(object))
    return Traced(domain, plain.shape, data, dtype if dtype is not None else float if plain.dtype.kind == "O" else plain.dtype)


def concrete(x: Traced) -> Any:
    """Whole numbers that the tracer knows, as a real array."""
    return each(operator.index, x.data).astype(np.intp)


def decided(mask: Traced) -> Any:
    """A mask over rows as a real array, every cell decided."""
    if any(isinstance(x, Length) for x in mask.shape):
        raise Vocabulary("an index by a mask of components beside other indices")
    return each(mask.domain.decide, mask.data).astype(bool)


def nonzero(mask: Traced) -> tuple[Any, ...]:
    """np.nonzero: real rows; for a mask of components, one component that stands for all that are picked in its row."""
    if not isinstance(mask.shape[-1], Length):
        return tuple(np.nonzero(decided(mask)))
    masks = mask.data[..., 0]
    found = each(lambda cell: mask.domain.decide(mask.domain.some(cell)), masks).astype(bool)
    chosen = masks[found] if masks.ndim else np.atleast_1d(masks)[np.atleast_1d(found)]
    return (*(np.nonzero(found) if masks.ndim else ()), Components(each(mask.domain.pick, chosen), chosen))


def along(domain: Domain, name: str, cell: Any, position: int) -> Any:
    """A reduction along an axis over the coordinates."""
    if name == "add":
        return domain.total(cell, position)
    negate = domain.function("logical_not")
    if name == "logical_or":
        return domain.some(cell)
    if name == "logical_and":
        return negate(domain.some(negate(cell)))
    if name in ("maximum", "minimum"):
        return domain.extreme(name, cell)
    raise Vocabulary(f"np.{name}.reduce along the coordinates; use a function with a contract")


def stepwise(domain: Domain, name: str, data: Any, axis: int, dtype: Any) -> Any:
    """A reduction along an axis of known length, from the first entry to the last; the axis is kept."""
    parts = [np.take(data, [n], axis) for n in range(data.shape[axis])]
    if not parts:
        empty = np.empty([1 if n == axis else x for n, x in enumerate(data.shape)], object)
        empty.fill(domain.lift(name == "logical_and", "b") if name.startswith("logical") else domain.lift(0, np.dtype(dtype).kind))
        return empty
    function = domain.function(name)
    result = parts[0]
    for part in parts[1:]:
        result = each(function, result, part)
    return result


def put(result: Traced, out: Any) -> Any:
    """Write a result where the caller wants it."""
    if isinstance(out, tuple):
        out = out[0]
    if out is None:
        return result
    if result.shape != out.shape and broadcast(out.shape, result.shape) != out.shape:
        raise Vocabulary(f"out has shape {out.shape}, the result {result.shape}")
    out.data[...] = result.data
    return out


def broadcast(*shapes: Shape) -> Shape:
    """The common shape; the unknown length stretches only axes of length 1."""
    result: list[Any] = []
    for n in range(1, 1 + max(map(len, shapes))):
        lengths = [s[-n] for s in shapes if len(s) >= n]
        long = [x for x in lengths if isinstance(x, Length) or x != 1]
        if any(x != long[0] if not isinstance(x, Length) else not isinstance(long[0], Length) for x in long):
            raise Vocabulary(f"shapes {' and '.join(map(str, shapes))} do not fit for every number of coordinates")
        result.append(long[0] if long else 1)
    return tuple(reversed(result))


def product(domain: Domain, a: Any, b: Any) -> Traced:
    """The matrix product of arrays of known lengths."""
    a, b = lifted(domain, a), lifted(domain, b)
    if a.ndim == 1 and b.ndim == 2 and not isinstance(a.shape[0], Length):
        return (a[:, None] * b).sum(axis=0)  # type: ignore[no-any-return]
    if any(isinstance(x, Length) for x in (*a.shape, *b.shape)):
        raise Vocabulary("a matrix product over the coordinates; put it into a small function with a contract")
    data = asarray(np.matmul(a.data, b.data))
    return Traced(domain, data.shape, data, np.result_type(a.dtype, b.dtype))


TRUTHS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal", "isfinite", "isnan", "isinf", "signbit", "logical_not",
          "logical_and", "logical_or", "logical_xor"}  # fmt: skip
Scalar = bool | int | float


def calculate(domain: Domain, ufunc: np.ufunc, inputs: Sequence[Any], out: Sequence[Any], where: Any) -> Any:
    """A ufunc on arrays of cells."""
    arrays = [lifted(domain, x) for x in inputs]
    shape = broadcast(*(x.shape for x in arrays))
    results = outcomes(domain.function(ufunc.__name__), ufunc.nin, ufunc.nout, *(x.data for x in arrays))
    parts = [x if isinstance(x, Scalar) else y.dtype for x, y in zip(inputs, arrays, strict=True)]
    dtypes = result_types(ufunc.__name__, parts, ufunc.nout)
    answers = [Traced(domain, shape, data, dtype) for data, dtype in zip(results, dtypes, strict=True)]
    targets = [*out, *[None] * (ufunc.nout - len(out))]
    if where is not True:
        mask = lifted(domain, where)
        answers = [a if o is None else select(domain, mask, a, o) for a, o in zip(answers, targets, strict=True)]
    done = [put(a, o) for a, o in zip(answers, targets, strict=True)]
    return done[0] if ufunc.nout == 1 else tuple(done)


def result_types(name: str, parts: Iterable[Any], nout: int) -> list[Any]:
    """The types of the results, as NumPy's promotion has them."""
    parts = list(parts)
    if name in TRUTHS:
        return [np.dtype(bool)]
    common = np.result_type(*parts)
    if name == "frexp":
        return [common, np.dtype(np.int32)]
    if name == "ldexp":
        return [np.result_type(parts[0])]
    if common.kind in "iub" and name in ("divide", "sqrt", "reciprocal"):
        common = np.dtype(np.float64)
    return [common] * nout


def select(domain: Domain, mask: Traced, a: Any, b: Any) -> Traced:
    """np.where, cell by cell."""
    types = [x if isinstance(x, Scalar) else lifted(domain, x).dtype for x in (a, b)]
    first, second = lifted(domain, a), lifted(domain, b)
    dtype = np.result_type(*types)
    if dtype.kind == "f":
        first, second = (lifted(domain, x, dtype) if isinstance(x, Scalar) else y for x, y in ((a, first), (b, second)))
    shape = broadcast(mask.shape, first.shape, second.shape)
    return Traced(domain, shape, each(domain.choose, mask.data, first.data, second.data), dtype)
