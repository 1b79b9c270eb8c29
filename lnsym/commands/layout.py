"""What the commands share: the width of a page, and numbers as an author wrote them."""

from __future__ import annotations

import shutil
import sys

from lnsym.derivation import At
from lnsym.kernel.terms import Sym
from lnsym.notation import text

WIDEST, PIPED = 100, 80


def width() -> int:
    """The columns of the page: the terminal's, at most 100; 80 where the output goes elsewhere."""
    return max(40, min(shutil.get_terminal_size().columns, WIDEST)) if sys.stdout.isatty() else PIPED


def values(at: At) -> str:
    """The values of a point as an author wrote them."""
    return ", ".join(f"{text(Sym(name))} = {written(value)}" for name, value in at.values.items())


def written(value: object) -> str:
    """A number, or a vector or matrix of numbers in brackets."""
    return f"({', '.join(map(written, value))})" if isinstance(value, tuple) else str(value)
