"""The catalogue of mistakes: one file per mistake in lnsym/audit/faults, found by scanning. Imports NumPy through the calls."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Literal

from lnsym.audit.call import Array, Call, Gradient, Rows

Kind = Literal["function", "gradient", "arithmetic", "behaviour"]


@dataclass(frozen=True)
class Witness:
    """A small input at which the mistake shows, in exact numbers written as text: "1/3", "2*sqrt(3)/3", "-1"."""

    x: tuple[object, ...]  # one row, or a tuple of rows
    eps: str
    yours: tuple[object, ...]
    exact: tuple[object, ...]
    quantity: str = "y"  # y, dx, dweight, dbias
    weight: tuple[str, ...] = ()
    bias: tuple[str, ...] = ()
    dy: tuple[object, ...] = ()
    axis: tuple[int, ...] = (-1,)
    mask: tuple[object, ...] = ()
    dtype: str = "float64"
    constants: tuple[tuple[str, float], ...] = ()  # of a fitted mistake: name and value


@dataclass(frozen=True, eq=False)
class Seen:
    """One probe and what the subject answered, as rows of float64: y (n, d), or with dy the gradient by "x", "weight", "bias".

    `call` is the probe as it was made; `tolerance` is how far a right answer may be from the exact one, in the shape of the answer.
    """

    call: Call
    rows: Rows
    y: Array | None = None
    dy: Array | None = None
    gradient: Gradient = field(default_factory=dict)
    tolerance: Mapping[str, Array] = field(default_factory=dict)  # by "y", "x", "weight", "bias"


Parameters = Mapping[str, float]


def no_parameters(_: Sequence[Seen]) -> Iterable[Parameters]:
    """A mistake without constants to fit."""
    return ({},)


@dataclass(frozen=True, eq=False)
class Fault:
    r"""One mistake. The part of `computes` that is wrong is marked \wrong{...}; `title` may name fitted constants in braces, as in {c}.

    function: `model(rows, **parameters)` gives the y (n, d) that it computes, in real arithmetic (float64 is near enough).
    gradient: `gradient(rows, dy, **parameters)` gives some or all of {"x": (n, d), "weight": (d,), "bias": (d,)}; those left out are right.
    arithmetic: `simulate(call)` gives y of the call's shape with the rounding that the mistake brings, in the call's own format;
    `orders` do the same with the steps in another order, where that changes what overflows.
    behaviour: none of these; a check or a way to fail names it.
    `whole` models are given the Call itself instead of rows, and return y in its shape (mistakes about axes and layout).
    `parameters(seen)` yields the constants worth trying, estimated from what was seen.
    """

    code: str
    title: str
    kind: Kind
    computes: str  # LaTeX
    instead_of: str  # LaTeX
    words: str  # the formula in one line of plain text
    slips: str  # why it slips through
    repair: str
    witness: Witness | None
    theorems: tuple[str, ...] = ()
    reports: tuple[str, ...] = ()  # public reports of its kind: owner/name#number
    model: Callable[..., Array] | None = None
    gradient: Callable[..., Gradient] | None = None
    simulate: Callable[[Call], Array] | None = None
    orders: tuple[Callable[[Call], Array], ...] = ()
    whole: Callable[..., Array] | None = None
    parameters: Callable[[Sequence[Seen]], Iterable[Parameters]] = no_parameters
    shown_by: frozenset[str] = frozenset()  # the arguments without which it may not show: weight, bias


class _Blank:
    """A constant that is not known yet, shown by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __format__(self, spec: str) -> str:
        return self.name


class _Blanks(dict[str, Any]):
    def __missing__(self, name: str) -> _Blank:
        return _Blank(name)


def filled(text: str, parameters: Parameters) -> str:
    """A title or formula with the constants that were found; those that were not are shown by their names."""
    return text.format_map(_Blanks(parameters))


@cache
def faults() -> dict[str, Fault]:
    """Every mistake of the catalogue by its code, in ascending order."""
    folder = import_module("lnsym.audit.faults")  # by name: lnsym.audit is a function
    found: dict[str, Fault] = {}
    for module in sorted(one.name for one in pkgutil.iter_modules(folder.__path__) if not one.name.startswith("_")):
        fault: Fault = import_module(f"{folder.__name__}.{module}").FAULT
        if not module.startswith(fault.code.lower() + "_"):
            raise ValueError(f"{module}.py holds {fault.code}: the file must be named {fault.code.lower()}_...")
        if fault.code in found:
            raise ValueError(f"two files hold {fault.code}")
        found[fault.code] = fault
    return found
