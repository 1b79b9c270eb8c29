"""What the commands share: finding what the user named, the width of a page, wrapped words, and formulas broken where they part easily."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from difflib import get_close_matches

from lnsym.derivation import At, Derivation, Record
from lnsym.errors import StatementError
from lnsym.kernel.terms import Sym
from lnsym.library import Book, Chapter
from lnsym.notation import text

WIDEST, PIPED = 100, 80
_BREAKS = re.compile(r" (?=[-+=<>≤≥≠] )|, (?=\()|, |(?<=·)(?=\S)|(?<=\))(?=/)| ")
_COSTS = {",": 0, "=": 1, "<": 1, ">": 1, "≤": 1, "≥": 1, "≠": 1, "+": 2, "-": 2}  # of a break before the sign, or after the comma
_BRACKET, _ELSEWHERE = 3, 7  # what an open bracket adds; a break at a product or between words


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


def words(said: str, indent: int, columns: int) -> Iterator[str]:
    """A text in lines of at most so many columns."""
    pad = " " * indent
    yield from textwrap.wrap(said, columns, initial_indent=pad, subsequent_indent=pad, break_long_words=False, break_on_hyphens=False)


def formula(line: str, columns: int, first: str = "", rest: str = "") -> Iterator[str]:
    """A formula in lines, `first` before the first and `rest` before the others, each broken where the fewest brackets are open."""
    depths, start, lead = _depths(line), 0, first
    while len(lead) + len(line) - start > columns:
        room = columns - len(lead)
        places = [found for found in _BREAKS.finditer(line, start + 1) if room // 3 < found.start() - start < room]
        if not places:
            break

        def cost(found: re.Match[str]) -> tuple[int, int]:
            sign = "," if found[0].startswith(",") else line[found.end()] if found[0] == " " else ""
            return _BRACKET * depths[found.start() - 1] + _COSTS.get(sign, _ELSEWHERE), -found.start()

        place = min(places, key=cost)
        end = place.start() + place[0].startswith(",")
        yield lead + line[start:end]
        start, lead = place.end(), rest
    yield lead + line[start:]


def _depths(line: str) -> list[int]:
    """How many brackets are open at each character; the bars of a norm are brackets too."""
    depths, depth, bar = [], 0, False
    for letter in line:
        closing = letter in ")]" or (letter == "‖" and bar)
        depth -= closing
        depths.append(depth)
        depth += letter in "([" or (letter == "‖" and not bar)
        bar ^= letter == "‖"
    return depths


def values(at: At) -> str:
    """The values of a point as an author wrote them."""
    return ", ".join(f"{text(Sym(name))} = {written(value)}" for name, value in at.values.items())


def written(value: object) -> str:
    """A number, or a vector or matrix of numbers in brackets."""
    return f"({', '.join(map(written, value))})" if isinstance(value, tuple) else str(value)
