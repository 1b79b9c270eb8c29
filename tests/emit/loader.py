"""Loads emitted code into a test."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


def loaded(text: str, name: str) -> ModuleType:
    """The module that a source text makes."""
    module = ModuleType(name)
    sys.modules[name] = module  # where its overloads are registered
    exec(compile(text, f"<{name}>", "exec"), module.__dict__)
    return module


def row_functions(tier: str) -> Any:
    """The module of a tier: the functions of its rows are there under their private names."""
    from tests.emit.modules import emitted

    return emitted(tier)
