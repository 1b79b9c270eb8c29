"""What an adapter makes of somebody's implementation. Imports the calls; adapters are files of lnsym/audit/subjects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from lnsym.audit.call import Array, Call, Gradient
from lnsym.errors import LnsymError


class SubjectError(LnsymError):
    """A subject that cannot be read: no such file, function or argument; the message says what to do."""


class SubjectFailed(LnsymError):
    """The subject itself failed in a call. `kind` is raised, shape, type, hung or crashed."""

    exit_code = 1

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True)
class About:
    """What a subject is and what it takes. `takes` and `gradients` are in the words of a Call and of a check's `needs`."""

    name: str  # as the user gave it
    framework: str  # numpy, torch, jax, onnx
    takes: frozenset[str]  # of weight, bias, eps, axis, mask; what is missing cannot be given
    formats: tuple[str, ...] = ("float64", "float32", "float16")
    gradients: frozenset[str] = frozenset()  # of vjp, jvp, double
    width: int | None = None  # the only width that it takes
    rank: int | None = None  # the only number of axes that it takes
    eps: float | None = None  # the eps that is built in, where known
    weight: tuple[float, ...] | None = None  # the weight that is built in
    bias: tuple[float, ...] | None = None
    arguments: tuple[tuple[str, str], ...] = ()  # our word, the subject's name for it
    notes: tuple[str, ...] = field(default=())  # what a reader should know: how arguments were mapped, versions


class Subject(Protocol):
    """Somebody's implementation behind one interface; NumPy arrays go in and come out. What it raises is let through."""

    @property
    def about(self) -> About:
        """What it is and takes."""

    def forward(self, call: Call) -> object:
        """What the implementation returns for the call, arrays of frameworks brought to NumPy; anything else as it is."""

    def gradient(self, call: Call, dy: Array, wrt: tuple[str, ...]) -> Gradient:
        """The gradients of sum(dy * y) for the names in `wrt`, of x, weight, bias."""

    def jvp(self, call: Call, dx: Array) -> Array:
        """The derivative of y along dx."""

    def double(self, call: Call, dy: Array, ddx: Array) -> Gradient:
        """The gradients by "dy", "x", "weight" of sum(ddx * dx), dx being the gradient by x."""
