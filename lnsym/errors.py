"""The errors that lnsym raises on purpose. Imports nothing of lnsym."""

from __future__ import annotations


class LnsymError(Exception):
    """Base of every error that lnsym raises on purpose; carries the exit code of the command line."""

    exit_code = 2


class TermError(LnsymError):
    """A term that cannot be built: a float, a non-integer power, an index over the wrong range."""


class KernelError(LnsymError):
    """The kernel refuses: a zero denominator, an operation outside the algebra, a malformed rule."""


class NotProved(KernelError):
    """The kernel could not prove a relation. `residual` is what is left of left - right, as text."""

    exit_code = 3

    def __init__(self, message: str, residual: str = "") -> None:
        super().__init__(message)
        self.residual = residual


class TooLarge(KernelError):
    """A term whose normal form needs more operations than the budget allows; the verdict is undecided."""

    exit_code = 3


class DerivationError(LnsymError):
    """A theorem file that does not check: names theorem, step and rule, and says what to do."""

    exit_code = 1


class StatementError(LnsymError):
    """A statement that cannot be read. `position` counts characters from 0."""

    def __init__(self, message: str, text: str = "", position: int | None = None) -> None:
        super().__init__(message)
        self.text = text
        self.position = position


class EmitError(LnsymError):
    """Code that may not be handed out: a theorem is missing, or the emitted text does not compute what its theorem says."""

    exit_code = 1


class MissingTool(LnsymError):
    """An optional tool or package that is not installed; the message says how to get it."""

    exit_code = 4
