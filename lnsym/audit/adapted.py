"""What the adapters of things written in Python share: how a function, class, factory or instance is called with a Call. Imports NumPy."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from inspect import Parameter, Signature
from typing import Any, ClassVar

import numpy as np

from lnsym.audit.call import Array, Call, Gradient
from lnsym.audit.handwritten import Handwritten
from lnsym.audit.mapping import BY_POSITION, CONSTRUCTOR, FORWARD, Arguments, Wanted, arguments_of, signature_of, word_of
from lnsym.audit.subject import About, SubjectError

_SAMPLE_WIDTHS = (4, 64)  # a class is made once to see what it holds; some take multiples of a block only
_MADE = 16  # how many instances of a class are kept


class Adapted:
    """A Python function, a class or factory that is called with the width, or an instance, as a Subject. A framework fills in the hooks."""

    framework: ClassVar[str] = "numpy"
    formats: ClassVar[tuple[str, ...]] = ("float64", "float32", "float16")
    derivatives: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, thing: Any, name: str, wanted: Wanted, grad: Callable[..., Any] | None = None, eps: float | None = None) -> None:
        self.thing, self.name = thing, name
        self.constructor = _constructor(thing, name, wanted)
        self._made: dict[tuple[object, ...], Any] = {}
        sample = self._sample() if self.constructor else thing
        if not callable(self.entry(sample)):
            raise SubjectError(f"{name} makes a {type(sample).__name__}, which cannot be called: it has neither __call__ nor forward")
        held = self.holds(sample)
        self.held = _held(held, wanted)
        signature = self.signature(sample)
        own = _for_call(wanted, signature, self.constructor, self.held)
        alone = bool(held) or self.constructor is not None  # it brings its weights: a call that hides its parameters takes x
        self.arguments = arguments_of(name, signature, own, hidden=("x",) if alone else BY_POSITION)
        if not self.arguments.takes("x"):
            advice = "say which of its parameters is x: `--map x=...`" if wanted else "give a function of x, weight, bias, eps"
            raise SubjectError(f"{name} takes no input{' with this --map' if wanted else ''}; {advice}")
        self.held = {word: one for word, one in self.held.items() if not self.arguments.takes(word)}
        self.handwritten = Handwritten(grad, name) if grad is not None else None
        self.about = self._describe(sample, held, eps)

    # ------------------------------------------------------------ what a framework fills in

    def version(self) -> str:
        """What the subject ran with, for the reader."""
        return f"NumPy {np.__version__}"

    def native(self, array: Array) -> Any:
        """The array as the framework's own, sharing memory where it can."""
        return array

    def numpy(self, value: object) -> object:
        """An array of the framework as NumPy's; anything else as it is."""
        return value

    def holds(self, thing: Any) -> dict[str, tuple[int, ...]]:
        """The arrays that an instance holds: names and shapes."""
        if isinstance(thing, type) or inspect.isroutine(thing) or isinstance(thing, partial):
            return {}
        names = (name for name in dir(thing) if not name.startswith("__"))
        found: dict[str, Any] = {name: getattr(thing, name, None) for name in names if word_of(name, FORWARD) in ("weight", "bias")}
        return {name: tuple(one.shape) for name, one in found.items() if hasattr(one, "shape") and hasattr(one, "dtype")}

    def entry(self, thing: Any) -> Any:
        """What is called to get y."""
        return thing if callable(thing) else getattr(thing, "forward", None)

    def signature(self, thing: Any) -> Signature | None:
        """The parameters of what is called."""
        return signature_of(self.entry(thing))

    def width_of(self, thing: Any) -> int | None:
        """The only width that an instance takes, where it holds a weight or bias."""
        held = self.holds(thing)
        return next((int(np.prod(held[name])) for name in self.held.values()), None)

    def settings(self) -> dict[str, Any]:
        """What else a constructor may need, by our words."""
        return {}

    def run(self, thing: Any, held: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
        """Call the thing, its arrays by name being those of `held`."""
        if held:
            thing = copy.copy(thing)
            for name, value in held.items():
                try:
                    setattr(thing, name, value)
                except AttributeError:  # a frozen dataclass
                    object.__setattr__(thing, name, value)
        return self.arguments.call(self.entry(thing), values)

    # ------------------------------------------------------------ a Subject

    def forward(self, call: Call) -> object:
        """What comes back for the call, as a NumPy array."""
        return self.numpy(self.output(call, {word: self.native(one) for word, one in self.leaves(call).items()}))

    def gradient(self, call: Call, dy: Array, wrt: tuple[str, ...]) -> Gradient:
        """What the hand-written gradient says."""
        if self.handwritten is None:
            raise NotImplementedError("no gradient is given")
        found = self.handwritten(call, dy, self.native, self.numpy)
        offered = ("x", *(word for word in ("weight", "bias") if word in self.about.takes))
        if lacking := [f"d{word}" for word in offered if word not in found]:
            self.note(f"the gradient does not give {' and '.join(lacking)}, so that could not be checked")
        return {word: one for word, one in found.items() if word in wrt}

    def jvp(self, call: Call, dx: Array) -> Array:
        """Not offered without a framework that differentiates."""
        raise NotImplementedError("no JVP is given")

    def double(self, call: Call, dy: Array, ddx: Array) -> Gradient:
        """Not offered without a framework that differentiates."""
        raise NotImplementedError("no double backward is given")

    # ------------------------------------------------------------ calling

    def leaves(self, call: Call) -> dict[str, Array]:
        """The arrays to call it with, by "x", "weight" and "bias"; what it cannot do without is filled in."""
        shape = tuple(call.x.shape[axis] for axis in call.axes)
        found = {"x": call.x}
        for word, given, fill in (("weight", call.weight, np.ones), ("bias", call.bias, np.zeros)):
            if word in self.held:
                array = fill(shape, call.x.dtype) if given is None else given
                held = self.holds(self.target(call))[self.held[word]]
                found[word] = array.reshape(held) if int(np.prod(held)) == array.size else array
            elif self.arguments.takes(word) and (given is not None or self.arguments.needs(word)):
                found[word] = fill(shape, call.x.dtype) if given is None else given
        return found

    def output(self, call: Call, leaves: Mapping[str, Any]) -> Any:
        """y as the framework's array, for leaves of the framework; of several results the first, if it has the shape of x."""
        values = {**fixed(call, self.arguments, self.native), **{word: one for word, one in leaves.items() if word not in self.held}}
        held = {self.held[word]: one for word, one in leaves.items() if word in self.held}
        found = self.run(self.target(call), held, values)
        if isinstance(found, (tuple, list)) and found and getattr(found[0], "shape", None) == call.x.shape:
            self.note(f"it returns {len(found)} results; the first is audited")
            found = found[0]
        return found

    def target(self, call: Call) -> Any:
        """The function or instance to call, made for the width and eps of the call if it has to be made."""
        if self.constructor is None:
            return self.thing
        shape = tuple(call.x.shape[axis] for axis in call.axes)
        key = shape, float(call.eps), call.axis, call.x.ndim  # a layer may be built for the first input that it sees
        if key not in self._made:
            if len(self._made) == _MADE:
                self._made.pop(next(iter(self._made)))
            self._made[key] = self.make(shape, call.eps, call.axis)
        return self._made[key]

    def make(self, shape: tuple[int, ...], eps: float, axis: tuple[int, ...]) -> Any:
        """Call the class or factory."""
        assert self.constructor is not None
        width = shape[0] if len(shape) == 1 else shape
        values = {"normalized_shape": width, "eps": float(eps), "axis": axes_for(self.constructor, axis), **self.settings()}
        return self.constructor.call(self.thing, {word: one for word, one in values.items() if self.constructor.takes(word)})

    def note(self, text: str) -> None:
        """Add something that a reader should know."""
        if text not in self.about.notes:
            self.about = replace(self.about, notes=(*self.about.notes, text))

    # ------------------------------------------------------------ looking at it

    def _sample(self) -> Any:
        for last, width in enumerate(_SAMPLE_WIDTHS, 1 - len(_SAMPLE_WIDTHS)):
            try:
                return self.make((width,), 1e-5, (-1,))
            except Exception as error:  # noqa: BLE001 a constructor may fail in any way
                if not last:
                    text = " ".join(str(error).split())
                    raise SubjectError(f"{self.name}: making one of width {width} raised {type(error).__name__}: {text}") from None
        raise AssertionError("unreachable")

    def _describe(self, sample: Any, held: Mapping[str, tuple[int, ...]], eps: float | None) -> About:
        constructor = self.constructor.words if self.constructor else {}
        takes = {*self.arguments.words, *self.held, *({"eps", "axis"} & set(constructor))}
        width = None
        if self.constructor is None or "normalized_shape" not in constructor:
            width = self.width_of(sample)
        left = [name for name in self.arguments.left if name not in held]
        notes = [self.version()]
        if left:
            notes.append(f"left at their defaults: {', '.join(left)}")
        if self.handwritten:
            notes += self.handwritten.notes
        built_in = None if "eps" in takes else _eps_of(sample)
        if self.arguments.guessed:
            order = ", ".join(self.arguments.words)
            notes.append(f"its parameters have no names to go by, so it is called with ({order}); --map x=0 says another order")
        if built_in is not None:
            notes.append(f"eps = {built_in:g} is built in")
        vjp = {"vjp"} if self.handwritten else set()
        shown = [(word, f"{name} of the instance") for word, name in self.held.items()]
        return About(
            name=self.name,
            framework=self.framework,
            takes=frozenset(takes & {"weight", "bias", "eps", "axis", "mask"}),
            formats=self.formats,
            gradients=self.derivatives | vjp,
            width=width,
            eps=None if "eps" in takes else eps if built_in is None else built_in,
            arguments=(*constructor.items(), *self.arguments.shown, *shown),
            notes=tuple(notes),
        )


def axes_for(arguments: Arguments, axis: tuple[int, ...]) -> Any:
    """The axes as they are passed: one as a number, several as a tuple; in the type of the default where that is a list or a tuple."""
    usual = arguments.default("axis")
    if isinstance(usual, (list, tuple)):
        return type(usual)(axis)
    return axis[0] if len(axis) == 1 else axis


def fixed(call: Call, arguments: Arguments, native: Callable[[Array], Any]) -> dict[str, Any]:
    """The values of a call that are not differentiated, those that the arguments take."""
    values: dict[str, Any] = {
        "eps": float(call.eps),
        "axis": axes_for(arguments, call.axis),
        "normalized_shape": tuple(call.x.shape[axis] for axis in call.axes),
    }
    if call.mask is not None:
        values["mask"] = native(call.mask)
    elif arguments.needs("mask"):
        values["mask"] = native(np.ones(call.x.shape, bool))
    return {word: one for word, one in values.items() if arguments.takes(word)}


# ---------------------------------------------------------------- reading a thing


def _constructor(thing: Any, name: str, wanted: Wanted) -> Arguments | None:
    """The arguments of a class or of a factory; None for what is called with x."""
    if isinstance(thing, type):
        signature = _of_class(thing)
    elif inspect.isfunction(thing) and _makes(thing):
        signature = signature_of(thing)
    else:
        return None
    if signature is None:
        return arguments_of(name, Signature(), {}, CONSTRUCTOR)
    names = list(signature.parameters)
    own = {word: one for word, one in wanted.items() if word in CONSTRUCTOR and (one is None or one in names)}
    return arguments_of(name, signature, own, CONSTRUCTOR, ("normalized_shape",))


def _of_class(thing: type) -> Signature | None:
    signature = signature_of(thing)
    named = signature is not None and any(
        one.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD) for one in signature.parameters.values()
    )
    if named or "__init__" not in vars(thing):
        return signature
    inner = signature_of(vars(thing)["__init__"])  # a metaclass may hide what __init__ takes
    return None if inner is None else inner.replace(parameters=list(inner.parameters.values())[1:])


def _makes(function: Callable[..., Any]) -> bool:
    """Whether a function is called with the width, not with x: its first parameter is a width's name, and none is x's."""
    signature = signature_of(function)
    names = list(signature.parameters) if signature else []
    first = names[0] if names else ""
    return word_of(first, CONSTRUCTOR) == "normalized_shape" and not any(word_of(name, FORWARD) == "x" for name in names)


def _held(held: Mapping[str, tuple[int, ...]], wanted: Wanted) -> dict[str, str]:
    """Which of the arrays that an instance holds are its weight and its bias; none where several could be."""
    found: dict[str, str] = {}
    for word in ("weight", "bias"):
        if word in wanted and wanted[word] in (None, *held):
            names = [name for name in held if name == wanted[word]]
        else:
            names = [name for name in held if word_of(name.rpartition(".")[2], FORWARD) == word]
        if len(names) == 1:
            found[word] = names[0]
    return found


def _for_call(wanted: Wanted, signature: Signature | None, constructor: Arguments | None, held: Mapping[str, str]) -> dict[str, Any]:
    """What was wanted of the arguments of the call itself, not of a constructor or of an instance's arrays."""
    names = list(signature.parameters) if signature else []
    elsewhere = [*held.values(), *(constructor.words.values() if constructor else ())]
    return {word: one for word, one in wanted.items() if one in names or one not in elsewhere}


def _eps_of(thing: Any, deeper: int = 2) -> float | None:
    """The eps that an instance was made with, where it or a part of it says so."""
    for name in FORWARD["eps"].split():
        value = getattr(thing, name, None)
        if isinstance(value, (float, int)) and not isinstance(value, bool):
            return float(value)
    parts = [*getattr(thing, "__dict__", {}).values(), *getattr(thing, "_modules", {}).values()] if deeper else []
    found = {_eps_of(part, deeper - 1) for part in parts if hasattr(part, "__dict__") and not isinstance(part, type)} - {None}
    return found.pop() if len(found) == 1 else None
