"""The languages in which code is emitted: one file each, found by scanning. Imports the plan and the steps.

A target is a module of this folder with a TARGET. Another language is another file here and a folder of templates beside the NumPy
one; nothing else changes.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from typing import Protocol

from lnsym.emit.plan import EmitInputError, Plan, suggestion


class Target(Protocol):
    """What a language must say of itself."""

    name: str
    title: str
    suffix: str
    mark: str  # with which the first line of a file begins, so that it is known as ours
    trial: str  # the command that has a file tried on its own test vectors, with {} for the file

    def tiers(self, op: str) -> tuple[str, ...]:
        """The tiers in which an operation exists, the default first."""

    def rests_on(self, ops: Sequence[str], tier: str) -> tuple[str, ...]:
        """The operations whose formulas the code of these operations uses, themselves among them."""

    def source(self, plans: Mapping[str, Plan], ops: Sequence[str], tier: str, command: str) -> str:
        """The file; where the hash of the certificate belongs, it says CERTIFICATE."""

    def records(self, source: str, plans: Sequence[Plan], tier: str) -> list[dict[str, object]]:
        """What was proved of the very text, function by function."""


CERTIFICATE = "{certificate}"  # stands in a target's text for the hash, until what it is a hash of is known


def targets() -> dict[str, Target]:
    """Every target by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return {module.TARGET.name: module.TARGET for module in modules if hasattr(module, "TARGET")}


def target(name: str) -> Target:
    """One target, or an error with the nearest names."""
    found = targets()
    if name not in found:
        raise EmitInputError(f"no target {name!r}; {suggestion(name, found)}")
    return found[name]
