"""A stand-in for the module `np`, and how emitted text is executed with it. What is not replaced here is NumPy's own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from types import CodeType
from typing import Any

import numpy as np

from lnsym.emit.trace.arrays import Components, Domain, Length, Traced, broadcast, filled, lifted, nonzero, put, select
from lnsym.emit.trace.paths import Vocabulary

# ---------------------------------------------------------------- functions that NumPy hands over to its arguments


def _where(domain: Domain, condition: Any, *choices: Any) -> Any:
    if not choices:
        return nonzero(lifted(domain, condition))
    return select(domain, lifted(domain, condition), *choices)


def _copyto(domain: Domain, target: Traced, source: Any, where: Any = True, **_: Any) -> None:
    new = lifted(domain, source, target.dtype)
    put(new if where is True else select(domain, lifted(domain, where), new, target), target)


def _like(cell: object) -> Callable[..., Traced]:
    def make(domain: Domain, like: Any, value: Any = cell, dtype: Any = None, shape: Any = None, **_: Any) -> Traced:
        pattern = lifted(domain, like)
        return _full(domain, pattern.shape if shape is None else shape, value, pattern.dtype if dtype is None else dtype)

    return make


def _empty_like(domain: Domain, like: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Traced:
    return _like(None)(domain, like, dtype=dtype, shape=shape)


def _plain_like(cell: object) -> Callable[..., Traced]:
    return lambda domain, like, dtype=None, shape=None, **_: _like(cell)(domain, like, dtype=dtype, shape=shape)


def _full(domain: Domain, shape: Any, value: Any, dtype: Any = None) -> Traced:
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if value is None:
        return filled(domain, shape, dtype or float, domain.unwritten())
    source = lifted(domain, value, dtype)
    result = filled(domain, shape, dtype or source.dtype, None)
    return put(source, result)  # type: ignore[no-any-return]


def _concatenate(domain: Domain, parts: Any, axis: int = 0, out: Any = None, **_: Any) -> Any:
    arrays = [lifted(domain, x) for x in parts]
    axis = axis % arrays[0].ndim
    if any(isinstance(x.shape[axis], Length) for x in arrays):
        raise Vocabulary("joins arrays along the coordinates")
    data = np.concatenate([x.data for x in arrays], axis)
    shape = tuple(data.shape[n] if n == axis else x for n, x in enumerate(arrays[0].shape))
    return put(Traced(domain, shape, data, np.result_type(*(x.dtype for x in arrays))), out)


def _stack(domain: Domain, parts: Any, axis: int = 0, **_: Any) -> Any:
    return _concatenate(domain, [np.expand_dims(lifted(domain, x), axis) for x in parts], axis)


def _broadcast_to(domain: Domain, x: Any, shape: Any, **_: Any) -> Traced:
    x = lifted(domain, x)
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if broadcast(x.shape, shape) != shape:
        raise Vocabulary(f"broadcasts shape {x.shape} to {shape}")
    return Traced(domain, shape, np.broadcast_to(x.data, [1 if isinstance(n, Length) else n for n in shape]), x.dtype)


def _tile(domain: Domain, x: Any, reps: Any) -> Traced:
    reps = reps if isinstance(reps, tuple) else (reps,)
    if reps[-1] != 1:
        raise Vocabulary("repeats the coordinates")
    data = np.tile(x.data, reps)
    lead = len(data.shape) - x.ndim
    shape = tuple(x.shape[n - lead] if n >= lead and isinstance(x.shape[n - lead], Length) else m for n, m in enumerate(data.shape))
    return Traced(domain, shape, data, x.dtype)


def _moving(name: str) -> Callable[..., Any]:
    return lambda _, x, *args, **kwargs: x.moved(lambda y: getattr(np, name)(y, *args, **kwargs))


def _method(name: str) -> Callable[..., Any]:
    return lambda domain, x, *args, **kwargs: getattr(lifted(domain, x), name)(*args, **kwargs)


def _result_type(_: Domain, *parts: Any) -> Any:
    return np.result_type(*(x.dtype if isinstance(x, Traced) else x for x in parts))


def _clip(domain: Domain, x: Any, low: Any = None, high: Any = None, out: Any = None, **_: Any) -> Any:
    x = x if low is None else np.maximum(x, low)
    return put(lifted(domain, x if high is None else np.minimum(x, high)), out)


def _count_nonzero(domain: Domain, x: Any, axis: Any = None, **_: Any) -> Any:
    if axis is not None:
        raise Vocabulary("np.count_nonzero along an axis")
    return len(nonzero(lifted(domain, x))[0])


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "where": _where,
    "copyto": _copyto,
    "empty_like": _empty_like,
    "zeros_like": _plain_like(0),
    "ones_like": _plain_like(1),
    "full_like": _like(None),
    "concatenate": _concatenate,
    "stack": _stack,
    "broadcast_to": _broadcast_to,
    "tile": _tile,
    "broadcast_arrays": lambda domain, *x: tuple(_broadcast_to(domain, y, broadcast(*(lifted(domain, z).shape for z in x))) for y in x),
    "nonzero": lambda domain, x: nonzero(lifted(domain, x)),
    "flatnonzero": lambda domain, x: nonzero(lifted(domain, x).ravel())[0],
    "count_nonzero": _count_nonzero,
    "result_type": _result_type,
    "shares_memory": lambda *_, **__: False,
    "may_share_memory": lambda *_, **__: False,
    "iscomplexobj": lambda *_: False,
    "isrealobj": lambda *_: True,
    "ndim": lambda domain, x: lifted(domain, x).ndim,
    "shape": lambda domain, x: lifted(domain, x).shape,
    "size": lambda domain, x: lifted(domain, x).size,
    "atleast_1d": lambda _, x: x if x.ndim else x.reshape(1),
    "clip": _clip,
    "array_equal": lambda *_: Traced._leaves(None),  # type: ignore[arg-type]
    **{name: _method(name) for name in ("sum", "mean", "any", "all", "reshape", "transpose", "ravel", "copy", "squeeze", "max", "min")},
    "amax": _method("max"),
    "amin": _method("min"),
    **{name: _moving(name) for name in ("moveaxis", "expand_dims", "swapaxes", "flip", "take", "atleast_2d", "rollaxis")},
}


# ---------------------------------------------------------------- the module


class StandIn:
    """The module `np` for emitted text: functions that create arrays create traced ones."""

    ndarray = Traced

    def __init__(self, domain: Domain) -> None:
        self._domain = domain

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def asarray(self, x: Any, dtype: Any = None, copy: Any = None, **_: Any) -> Any:
        """np.asarray."""
        if isinstance(x, Length) or (isinstance(x, (list, tuple)) and any(isinstance(y, (Traced, Length)) for y in x)):
            x = lifted(self._domain, x)
        if isinstance(x, Components):
            return x
        if not isinstance(x, Traced):
            return np.asarray(x, dtype)
        x = x.copy() if copy else x
        return x if dtype is None else x.astype(dtype, copy=False)

    def array(self, x: Any, dtype: Any = None, copy: Any = True, **_: Any) -> Any:
        """np.array."""
        return self.asarray(x, dtype, copy=copy)

    asanyarray = ascontiguousarray = asfortranarray = asarray

    def require(self, x: Any, dtype: Any = None, *_: Any) -> Any:
        """np.require."""
        return self.asarray(x, dtype)

    def empty(self, shape: Any, dtype: Any = float, **_: Any) -> Traced:
        """np.empty."""
        return _full(self._domain, shape, None, dtype)

    def zeros(self, shape: Any, dtype: Any = float, **_: Any) -> Traced:
        """np.zeros."""
        return _full(self._domain, shape, 0, dtype)

    def ones(self, shape: Any, dtype: Any = float, **_: Any) -> Traced:
        """np.ones."""
        return _full(self._domain, shape, 1, dtype)

    def full(self, shape: Any, fill_value: Any, dtype: Any = None, **_: Any) -> Traced:
        """np.full."""
        return _full(self._domain, shape, fill_value, dtype)

    def eye(self, n: Any, dtype: Any = float, **_: Any) -> Traced:
        """np.eye."""
        if isinstance(n, Length):
            return filled(self._domain, (n, n), dtype, self._domain.identity())
        return lifted(self._domain, np.eye(n, dtype=dtype))

    identity = eye

    def broadcast_shapes(self, *shapes: Any) -> Any:
        """np.broadcast_shapes."""
        return broadcast(*(x if isinstance(x, tuple) else (x,) for x in shapes))

    def __getattribute__(self, name: str) -> Any:
        if name in ("float64", "float32", "float16"):
            return SCALARS[name]
        return object.__getattribute__(self, name)


def _scalar(name: str) -> type:
    """A scalar type of NumPy that lets traced data through."""
    plain = getattr(np, name)

    def new(_: type, value: Any = 0) -> Any:
        if isinstance(value, Length):
            value = value.array()
        return value.astype(plain) if isinstance(value, Traced) else plain(value)

    return type(name, (plain,), {"__new__": new, "__module__": "numpy"})


SCALARS = {name: _scalar(name) for name in ("float64", "float32", "float16")}


# ---------------------------------------------------------------- executing the text


@cache
def compiled(source: str) -> tuple[ast.Module, CodeType]:
    """A text parsed and compiled."""
    return ast.parse(source), compile(source, "<emitted>", "exec")


class Module:
    """Emitted text executed with a stand-in: its names, with some of its functions and constants replaced."""

    def __init__(self, source: str, domain: Domain) -> None:
        self.tree, code = compiled(source)
        self.names: dict[str, Any] = {"__name__": "emitted"}
        exec(code, self.names)
        self.names |= {name: StandIn(domain) for name, value in self.names.items() if value is np}

    def replace(self, replaced: Mapping[str, Any]) -> None:
        """Put values in the place of names; constants of the module that are computed from them are computed anew."""
        self.names |= {name: value for name, value in replaced.items() if name in self.names}
        changed = set(replaced)
        for statement in self.tree.body:
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                names = {x.id for x in ast.walk(statement.value) if isinstance(x, ast.Name)}
                own = {x.id for x in targets if isinstance(x, ast.Name)}
                if names & changed and not own & set(replaced):
                    code = compile(ast.Module([statement], []), "<emitted>", "exec")
                    exec(code, self.names)
                    changed |= own

    def __getitem__(self, name: str) -> Any:
        return self.names[name]

    def __contains__(self, name: str) -> bool:
        return name in self.names


def functions(tree: ast.Module) -> dict[str, str]:
    """The functions at the top of a module, each with the first line of its docstring."""
    return {node.name: (ast.get_docstring(node) or "").strip().split("\n")[0] for node in tree.body if isinstance(node, ast.FunctionDef)}
