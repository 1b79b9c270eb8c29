"""Which packages a piece of Python code uses, read off its compiled code and the names around it. Standard library only."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from functools import partial
from types import CodeType, FunctionType, ModuleType

_ARRAYS = {"numpy", "torch", "jax"}


def packages_of(thing: object) -> frozenset[str]:
    """The top-level packages that a function, class or object uses: through the names in its code, those it calls there, and its type."""
    found = frozenset(_packages(thing, set()))
    if found & _ARRAYS:
        return found
    # Code that only uses methods of its arrays, x.mean(-1), does not say whose they are: what its file imports does.
    module = sys.modules.get(getattr(thing, "__module__", None) or "")
    imported = {_top(one.__name__) for one in vars(module).values() if isinstance(one, ModuleType)} if module else set()
    return found | ({"numpy"} if "numpy" in imported else imported & _ARRAYS)


def _packages(thing: object, seen: set[int]) -> Iterator[str]:
    if id(thing) in seen or len(seen) > 200:  # an audit reads one layer norm, not a library
        return
    seen.add(id(thing))
    if isinstance(thing, partial):
        yield from _packages(thing.func, seen)
    elif isinstance(thing, FunctionType):
        yield from _of_function(thing, seen)
    elif isinstance(thing, type):
        for one in thing.__mro__:
            yield _top(one.__module__)
        for member in list(vars(thing).values()):
            yield from _packages(getattr(member, "__func__", member), seen) if _is_code(member) else ()
    elif inspect.ismethod(thing):
        yield from _packages(thing.__func__, seen)
    elif isinstance(thing, ModuleType):
        yield _top(thing.__name__)
    else:
        yield _top(type(thing).__module__)
        yield _top(getattr(thing, "__module__", None) or "")
        wrapped = getattr(thing, "__wrapped__", None)
        if wrapped is not None:
            yield from _packages(wrapped, seen)
        elif not inspect.isroutine(thing):
            yield from _packages(type(thing), seen)


def _of_function(function: FunctionType, seen: set[int]) -> Iterator[str]:
    for annotation in function.__annotations__.values():
        yield _top(annotation if isinstance(annotation, str) else getattr(annotation, "__module__", ""))
    wrapped = getattr(function, "__wrapped__", None)
    if wrapped is not None:
        yield from _packages(wrapped, seen)
    yield _top(function.__module__ or "")
    around = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=False))
    for name in _names(function.__code__):
        try:
            value = around[name].cell_contents if name in around else function.__globals__[name]
        except (KeyError, ValueError):  # a builtin, an attribute, a package imported inside, or a cell still empty
            yield name
            continue
        if isinstance(value, (FunctionType, type)) and value.__module__ != function.__module__:
            yield _top(value.__module__)
        elif not isinstance(value, (str, int, float, bool, type(None))):
            yield from _packages(value, seen)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    yield from code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _is_code(member: object) -> bool:
    return isinstance(member, (FunctionType, staticmethod, classmethod))


def _top(module: str) -> str:
    top = module.partition(".")[0]
    return "jax" if top == "jaxlib" else top
