"""What the commands share: finding what the user named, the width of a page, and numbers as an author wrote them."""

from __future__ import annotations

import shutil
import sys
from difflib import get_close_matches

from lnsym.derivation import At, Derivation, Record
from lnsym.errors import StatementError
from lnsym.kernel.terms import Sym
from lnsym.library import Book, Chapter
from lnsym.notation import text

WIDEST, PIPED = 100, 80


def width() -> int:
    """The columns of the page: the terminal's, at most 100; 80 where the output goes elsewhere."""
    return max(40, min(shutil.get_terminal_size().columns, WIDEST)) if sys.stdout.isatty() else PIPED


def entries(found: Book) -> dict[str, tuple[Chapter, Derivation | Record]]:
    """The theorems and records by name, in the order of the chapters."""
    everything: dict[str, tuple[Chapter, Derivation | Record]] = {**found.derivations, **found.records}
    return dict(sorted(everything.items(), key=lambda item: (item[1][0].number, item[0])))


def ids(item: Derivation | Record) -> tuple[str, ...]:
    """The ids of the catalogue that an entry settles."""
    return (item.catalogue,) if isinstance(item.catalogue, str) else item.catalogue


def named(name: str, found: Book) -> str:
    """The name of a theorem or record; else an error with the nearest names, or with the theorems of a catalogue's id."""
    everything = entries(found)
    if name in everything:
        return name
    if settled := [own for own, (_, item) in everything.items() if name in ids(item)]:
        raise StatementError(f"{name} is an id of the catalogue; name one of its entries: {', '.join(settled)}")
    near = get_close_matches(name, everything, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "`lnsym list` names them all"
    raise StatementError(f"the book has no theorem {name[:60]!r}; {hint}")


def values(at: At) -> str:
    """The values of a point as an author wrote them."""
    return ", ".join(f"{text(Sym(name))} = {written(value)}" for name, value in at.values.items())


def written(value: object) -> str:
    """A number, or a vector or matrix of numbers in brackets."""
    return f"({', '.join(map(written, value))})" if isinstance(value, tuple) else str(value)
