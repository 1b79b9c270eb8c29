"""Calls of a subject, watched: shapes and types are checked, writes into the input, printing and time noted. Imports the calls."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from lnsym.audit.call import Array, Call, Gradient
from lnsym.audit.subject import About, Subject, SubjectFailed


@dataclass
class Answer:
    """What came back from one call of the subject, as the side that ran it saw it. Can be pickled."""

    value: object = None
    error: tuple[str, str] | None = None  # kind and message, see SubjectFailed
    changed: tuple[str, ...] = ()  # the arguments that the call wrote into
    shared: tuple[str, ...] = ()  # the arguments that share memory with the result
    printed: str = ""
    seconds: float = 0.0


class Runner(Protocol):
    """Where the subject lives: in this process, or in a child."""

    @property
    def about(self) -> About:
        """What the subject is and takes."""

    def ask(self, verb: str, arguments: Sequence[Any]) -> Answer:
        """Call forward, gradient, jvp or double of the subject."""

    def close(self) -> None:
        """Let go of the subject."""


def answer(subject: Subject, verb: str, arguments: Sequence[Any]) -> Answer:
    """Call the subject in this process and note what it does besides: this runs on the subject's side."""
    call: Call = arguments[0]
    watched = {"x": call.x, "weight": call.weight, "bias": call.bias, "mask": call.mask}
    watched |= {f"argument {k}": one for k, one in enumerate(arguments[1:], 1) if isinstance(one, np.ndarray)}
    before = {name: array.copy() for name, array in watched.items() if array is not None}
    started = time.perf_counter()
    found = Answer()
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.value = getattr(subject, verb)(*arguments)
    except SubjectFailed as error:
        found.error = error.kind, str(error)
    except Exception as error:  # noqa: BLE001 a subject may fail in any way, and that is a result
        text = " ".join(str(error).split())
        found.error = "raised", f"{type(error).__name__}: {text}" if text else type(error).__name__
    found.seconds = time.perf_counter() - started
    if isinstance(found.value, list):
        found.value = _from_list(found.value, call.x.shape)
    found.changed = tuple(name for name, old in before.items() if not _same(watched[name], old))
    found.shared = tuple(name for name in before if any(_overlaps(one, watched[name]) for one in _arrays(found.value)))
    if found.shared:
        found.value = _copied(found.value)  # before what was written into is restored
    for name, old in before.items():
        if name in found.changed:
            watched[name][...] = old  # type: ignore[index] # what was noted is an array
    return found


def _arrays(value: object) -> list[Array]:
    parts = value.values() if isinstance(value, Mapping) else (value,)
    return [one for one in parts if isinstance(one, np.ndarray)]


def _from_list(value: list[Any], shape: tuple[int, ...]) -> object:
    """Lists of numbers as an array, of nothing as an array of the shape; other lists as they are."""
    try:
        array = np.asarray(value)
    except Exception:  # noqa: BLE001 anything may be in it
        return value
    if array.dtype.kind not in "fiu":
        return value
    return array.reshape(shape) if not array.size and 0 in shape else array


def _copied(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _copied(one) for name, one in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value


def _overlaps(one: Array, other: Array | None) -> bool:
    return other is not None and np.may_share_memory(one, other)


def _same(one: Array | None, other: Array) -> bool:
    assert one is not None
    same: bool = one.tobytes() == other.tobytes()
    return same


@dataclass
class Session:
    """One audit's calls of one subject, with what is remembered of them."""

    runner: Runner
    seed: int = 0
    formats: tuple[str, ...] = ("float64",)  # the formats to audit, the first is the main one
    eps: float = 1e-5  # for subjects that take no eps, the one to hold them to
    axis: tuple[int, ...] = (-1,)
    full_range: bool = False
    rows_model: str = "any"  # see lnsym.audit.tolerance
    changed: dict[str, Call] = field(default_factory=dict)  # argument: the first call that wrote into it
    shared: dict[str, Call] = field(default_factory=dict)
    printed: str = ""
    seconds: float = 0.0
    calls: int = 0

    @property
    def about(self) -> About:
        return self.runner.about

    @property
    def format(self) -> str:
        """The main format."""
        return self.formats[0]

    def random(self, *key: int) -> np.random.Generator:
        """A generator that depends on the seed and the key only, so that every case can be made again alone."""
        return np.random.default_rng((self.seed, *key))

    def eps_for(self, wanted: float) -> float:
        """The eps to use: the wanted one where the subject takes an eps, else the one that is built in."""
        if "eps" in self.about.takes:
            return wanted
        return self.about.eps if self.about.eps is not None else self.eps

    def forward(self, call: Call) -> Array:
        """What the subject returns for y, as an array of x's shape; else SubjectFailed."""
        return self._array(self._ask("forward", call), call.x.shape, call, "the output")

    def gradient(self, call: Call, dy: Array, wrt: tuple[str, ...] = ("x", "weight", "bias")) -> Gradient:
        """The subject's gradients, those of `wrt` that it gives, in the shapes of x, weight and bias."""
        return self._several(self._ask("gradient", call, dy, wrt), call, dict.fromkeys(wrt))

    def jvp(self, call: Call, dx: Array) -> Array:
        """The subject's derivative along dx."""
        return self._array(self._ask("jvp", call, dx), call.x.shape, call, "the JVP")

    def double(self, call: Call, dy: Array, ddx: Array) -> Gradient:
        """The subject's double backward."""
        return self._several(self._ask("double", call, dy, ddx), call, dict.fromkeys(("dy", "x", "weight")))

    def _ask(self, verb: str, call: Call, *more: Any) -> object:
        found = self.runner.ask(verb, (call, *more))
        self.calls += 1
        self.seconds += found.seconds
        self.printed = (self.printed + found.printed)[:2000]
        for name in found.changed:
            self.changed.setdefault(name, call)
        for name in found.shared:
            self.shared.setdefault(name, call)
        if found.error is not None:
            raise SubjectFailed(*found.error)
        return found.value

    def _several(self, value: object, call: Call, wanted: Mapping[str, None]) -> Gradient:
        if not isinstance(value, Mapping):
            raise SubjectFailed("type", f"the gradients: expected arrays by name, got {type(value).__name__}")
        shape = tuple(call.x.shape[axis] for axis in call.axes)
        shapes = {"x": call.x.shape, "dy": call.x.shape, "weight": shape, "bias": shape}
        return {name: self._array(value[name], shapes[name], call, f"d{name}") for name in wanted if value.get(name) is not None}

    def _array(self, value: object, shape: tuple[int, ...], call: Call, what: str) -> Array:
        if value is None:
            raise SubjectFailed("type", f"{what}: expected an array of shape {shape}, got None: is a return missing?")
        if not isinstance(value, np.ndarray):
            try:
                array = np.asarray(value)
            except Exception:  # noqa: BLE001 anything may come back
                array = np.asarray(None)
        else:
            array = value
        if array.dtype.kind not in "fiuV" or (array.dtype.kind == "V" and array.dtype.name != "bfloat16"):
            raise SubjectFailed("type", f"{what}: expected an array of numbers of shape {shape}, got {_described(value)}")
        if array.shape != shape:
            raise SubjectFailed("shape", f"{what}: for an input of shape {call.x.shape} it returned {array.shape}; expected {shape}")
        return array


def _described(value: object) -> str:
    kind = type(value).__name__
    return f"{kind} of {value.dtype}" if isinstance(value, np.ndarray) else f"a {kind}{advice(value)}"


def advice(value: object) -> str:
    """What to do about a result of this type, to be put behind its name."""
    several = "; give a function that returns y alone, or y first"
    return {
        "coroutine": ", as of an async function; give a plain one that runs it",
        "generator": "; give a function that returns the whole array",
        "tuple": several,
        "list": several,
        "dict": several,
    }.get(type(value).__name__, "")


@dataclass
class Here:
    """A subject in this process: no time limit, and a crash of the subject is a crash of the audit."""

    subject: Subject

    @property
    def about(self) -> About:
        return self.subject.about

    def ask(self, verb: str, arguments: Sequence[Any]) -> Answer:
        return answer(self.subject, verb, arguments)

    def close(self) -> None:
        """Nothing to let go of."""


Make = Callable[[], Runner]
