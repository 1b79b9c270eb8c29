"""The emitted modules of this checkout, built once in a process. Imports the emitter."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

from lnsym.emit.build import build
from tests.emit.loader import loaded


@cache
def source(tier: str) -> str:
    """The module of a tier with all its operations, as it is written to a file; the proofs of its text have tests of their own."""
    return build(tier=tier, validate=False).source


@cache
def emitted(tier: str) -> Any:
    """The module of a tier, loaded."""
    module: ModuleType = loaded(source(tier), f"emitted_{tier}")
    return module
