"""Words and formulas in lines of so many columns, a formula broken where it parts easily. Standard library only."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

_BREAKS = re.compile(r" (?=[-+=<>≤≥≠] )|, (?=\()|, |(?<=·)(?=\S)|(?<=\))(?=/)| ")
_COSTS = {",": 0, "=": 1, "<": 1, ">": 1, "≤": 1, "≥": 1, "≠": 1, "+": 2, "-": 2}  # of a break before the sign, or after the comma
_BRACKET, _ELSEWHERE = 3, 7  # what an open bracket adds; a break at a product or between words


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
