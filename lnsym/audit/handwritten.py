"""A gradient written by hand, given with --grad: a function of dy, x, weight, eps that returns dx, dweight, dbias. Imports NumPy."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.mapping import GRADIENT, GRADIENT_BY_POSITION, arguments_of, signature_of, word_of
from lnsym.audit.subject import SubjectError, SubjectFailed

_RESULTS = ("x", "weight", "bias")


class Handwritten:
    """The function with its parameters fitted to our words."""

    def __init__(self, function: Callable[..., Any], subject: str) -> None:
        name = getattr(function, "__qualname__", "the gradient")
        if not callable(function):
            raise SubjectError(f"--grad: what it names is of type {type(function).__name__}, not a function")
        self.function, self.name = function, name
        self.arguments = arguments_of(f"--grad {name}", signature_of(function), {}, GRADIENT, GRADIENT_BY_POSITION)
        if not (self.arguments.takes("dy") and self.arguments.takes("x")):
            raise SubjectError(f"--grad {name}: the gradient of {subject} must take dy and x; name its parameters dy, x, weight, eps")
        left = self.arguments.left
        self.notes = [f"gradient by {name}" + (f", left at their defaults: {', '.join(left)}" if left else "")]
        if self.arguments.needs("mean") or self.arguments.needs("rstd"):
            self.notes.append("the gradient is given mean and rstd as NumPy computes them in float64, rounded, with the reduced axes kept")

    def __call__(self, call: Call, dy: Array, native: Callable[[Array], Any], back: Callable[[object], Any]) -> dict[str, Any]:
        """What the function returns, by "x", "weight" and "bias"."""
        values = {word: native(one) if isinstance(one, np.ndarray) else one for word, one in self._values(call, dy).items()}
        found = {word: back(one) for word, one in _named(self.arguments.call(self.function, values)).items()}
        if not found:
            raise SubjectFailed("type", f"the gradient {self.name} gave nothing: expected it to return (dx, dweight, dbias)")
        return found

    def _values(self, call: Call, dy: Array) -> dict[str, Any]:
        shape = tuple(call.x.shape[axis] for axis in call.axes)
        values: dict[str, Any] = {
            "dy": dy,
            "x": call.x,
            "eps": float(call.eps),
            "axis": call.axis[0] if len(call.axis) == 1 else call.axis,
            "normalized_shape": shape,
        }
        optional = {"weight": (call.weight, np.ones), "bias": (call.bias, np.zeros)}
        for word, (given, fill) in optional.items():
            if given is not None or self.arguments.needs(word):
                values[word] = fill(shape, call.x.dtype) if given is None else given
        if call.mask is not None or self.arguments.needs("mask"):
            values["mask"] = np.ones(call.x.shape, bool) if call.mask is None else call.mask
        if self.arguments.needs("mean") or self.arguments.needs("rstd"):
            x = call.x.astype(np.float64)
            mean = x.mean(axis=call.axes, keepdims=True)
            rstd = 1 / np.sqrt(((x - mean) ** 2).mean(axis=call.axes, keepdims=True) + call.eps)
            values |= {"mean": mean.astype(call.x.dtype), "rstd": rstd.astype(call.x.dtype)}
        return {word: one for word, one in values.items() if self.arguments.takes(word)}


def _named(found: Any) -> dict[str, Any]:
    """The results by our words: a mapping's by its names, a sequence's by their order, a single one is dx."""
    if isinstance(found, Mapping):
        named = {_result(str(name)): one for name, one in found.items()}
        return {word: one for word, one in named.items() if word and one is not None}
    if not isinstance(found, (tuple, list)):
        found = (found,)
    return {word: one for word, one in zip(_RESULTS, found, strict=False) if one is not None}


def _result(name: str) -> str | None:
    for one in (name, re.sub(r"^(grad|d)_?", "", name)):
        word = word_of(one, GRADIENT)
        if word in _RESULTS:
            return word
    return None
