"""Runs emitted text on exact numbers: fractions, and sums of square roots where a root is irrational. Imports the tracer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lnsym.emit.calls import CALLS
from lnsym.emit.trace.arrays import Traced, lifted
from lnsym.emit.trace.concrete import Numbers
from lnsym.emit.trace.contracts import stand_ins
from lnsym.emit.trace.standin import Module


def run_exactly(source: str, op: str, arguments: Mapping[str, Any], sizes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The results, by name, of a public function of an emitted text in exact arithmetic: the text as it is, with exact numbers as floats.

    `arguments` are those of the function by name, nested sequences of integers and fractions, or None; what is left out is None.
    `sizes` replaces functions that decide about sizes by constants. The unit roundoff is 0, so that error bounds vanish; the integer stage
    is replaced by the formula, for what it rounds is not rounded here.
    """
    domain, call = Numbers(), CALLS[op]
    module = Module(source, domain)
    module.replace({"_U": 0, **stand_ins(domain, module.tree, set(), own_sums=True), **_constants(sizes or {})})
    names = (*call.rows, *call.parameters, *arguments)
    given = {name: None if arguments.get(name) is None else _array(domain, arguments[name]) for name in names}
    return {name: _plain(result) for name, result in call.call(module[op], given).items()}


def _constants(sizes: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    return {name: lambda *_, value=value: value for name, value in sizes.items()}


def _array(domain: Numbers, value: Any) -> Traced:
    """Exact numbers as an array of float64."""
    cells = np.empty(_shape(value), object)
    for place in np.ndindex(cells.shape):
        entry = value
        for n in place:
            entry = entry[n]
        cells[place] = Fraction(entry) if isinstance(entry, (int, Fraction)) else entry
    return lifted(domain, Traced(domain, cells.shape, cells, np.float64))


def _shape(value: Any) -> tuple[int, ...]:
    return (len(value), *_shape(value[0])) if isinstance(value, Sequence) and len(value) else ()


def _plain(result: Traced) -> Any:
    """Nested tuples of exact numbers."""
    return tuple(_plain(part) for part in result) if result.ndim else result.data[()]
