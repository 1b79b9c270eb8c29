"""Layer normalization with epsilon, proved: the public names, each loaded when it is first used.

>>> import lnsym
>>> "check" in dir(lnsym)
True
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lnsym import oracle
    from lnsym.audit import audit
    from lnsym.decide import check
    from lnsym.emit import emit
    from lnsym.errors import LnsymError
    from lnsym.library import prove, theorem, theorems
    from lnsym.model import from_sympy, model, to_sympy

    __version__: str

_HOME = {
    "LnsymError": "lnsym.errors",
    "audit": "lnsym.audit",
    "check": "lnsym.decide",
    "emit": "lnsym.emit",
    "from_sympy": "lnsym.model",
    "model": "lnsym.model",
    "prove": "lnsym.library",
    "theorem": "lnsym.library",
    "theorems": "lnsym.library",
    "to_sympy": "lnsym.model",
}

_MODULES = ("oracle",)  # public as modules, with public functions of their own

__all__ = ["LnsymError", "audit", "check", "emit", "from_sympy", "model", "oracle", "prove", "theorem", "theorems", "to_sympy"]


if not TYPE_CHECKING:  # a type checker would take every misspelt name for one that is found here

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return _version()
        if name in _MODULES:
            return import_module(f"lnsym.{name}")
        if name not in _HOME:
            raise AttributeError(f"module 'lnsym' has no attribute '{name}'; its public names are {', '.join(__all__)}")
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("lnsym")
    except PackageNotFoundError:  # a checkout on sys.path that was never installed
        return "0+unknown"


class _Package(ModuleType):
    """Keeps the functions `audit`, `emit` and `model` in their places when the import system would put submodules of these names there."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
