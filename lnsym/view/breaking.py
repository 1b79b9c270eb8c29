"""Long formulas cut into lines that fit a page, at signs where a reader expects a break. Standard library only.

Widths are estimates in the width of a letter. They only decide where to cut; LaTeX does the setting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_&]|\s+|.", re.DOTALL)
_NOTHING = {
    "\\left", "\\right", "\\bigl", "\\bigr", "\\displaystyle", "\\!", "\\mathbf", "\\boldsymbol", "\\mathrm", "\\operatorname", "\\text",
    "\\mathbb",
}  # fmt: skip
_WIDE = {
    "\\sum": 2.6, "\\int": 1.6, "\\quad": 2.0, "\\qquad": 4.0, "\\implies": 4.6, "\\iff": 5.0, "\\Longrightarrow": 4.4, "\\ ": 0.7,
    "\\,": 0.4, "\\lim": 3.4,
}  # fmt: skip
_SIGNS = {"=", "+", "-", "<", ">", "\\le", "\\ge", "\\ne", "\\odot", "\\cdot", "\\mid"}
# Where a line may end, the best places first; a sign begins the next line.
_BREAKS = (
    re.compile(r",\\quad "),
    re.compile(r" (?=\\(?:implies|iff|Longrightarrow)(?![A-Za-z]))"),
    re.compile(r" (?=(?:=|<|>|\\le|\\ge|\\ne)(?![A-Za-z]))"),
    re.compile(r" (?=[+-] )"),
    re.compile(r"(?<=[})\w]) (?=\\(?:left|odot)(?![A-Za-z]))"),
    re.compile(r",\\[ ,]"),
)
_INSIDE = re.compile(r" (?=[+-] )")  # the last resort: inside round brackets
# What opens and closes a group: those of LaTeX, which no line may end in, and all brackets.
_GROUPS = {"{": 1, "\\left": 1, "\\begin": 1, "\\{": 1, "}": -1, "\\right": -1, "\\end": -1, "\\}": -1}
_BRACKETS = {**_GROUPS, "\\langle": 1, "\\lVert": 1, "(": 1, "[": 1, "\\rangle": -1, "\\rVert": -1, ")": -1, "]": -1}


def width(latex: str) -> float:
    """About how many letters wide a formula is."""
    return _width(_TOKEN.findall(latex), 0, 1.0)[0]


def _width(tokens: list[str], place: int, scale: float) -> tuple[float, int]:
    total = 0.0
    while place < len(tokens):
        token = tokens[place]
        if token == "}":
            return total, place + 1
        size, place = _one(tokens, place, scale)
        total += size
    return total, place


def _one(tokens: list[str], place: int, scale: float) -> tuple[float, int]:
    """The width of one token or group, and the place after it."""
    token = tokens[place]
    if token == "{":
        return _width(tokens, place + 1, scale)
    if token in ("\\frac", "\\tfrac", "\\dfrac"):
        small = 0.7 if token == "\\tfrac" else 0.95
        over, place = _argument(tokens, place + 1, scale * small)
        under, place = _argument(tokens, place, scale * small)
        return max(over, under) + 0.5 * scale, place
    if token in ("^", "_"):
        size, place = _argument(tokens, place + 1, scale * 0.72)
        return size, place
    if token == "\\sqrt":
        size, place = _argument(tokens, place + 1, scale)
        return size + 1.7 * scale, place
    if token in _NOTHING or token.isspace() or token == "&":
        return 0.0, place + 1
    if token in _SIGNS:
        return 2.1 * scale, place + 1
    return _WIDE.get(token, 1.06) * scale, place + 1


def _argument(tokens: list[str], place: int, scale: float) -> tuple[float, int]:
    while place < len(tokens) and tokens[place].isspace():
        place += 1
    return _one(tokens, place, scale) if place < len(tokens) else (0.0, place)


def lines(latex: str, limit: float) -> list[str]:
    """The formula in lines of at most about the limit, as far as it can be cut outside all brackets and groups."""
    return _cut(latex, limit, 0)


def _cut(latex: str, limit: float, level: int) -> list[str]:
    if width(latex) <= limit:
        return [latex]
    if level == len(_BREAKS):
        return _joined(_pieces(_of_fixed_size(latex), _INSIDE, _GROUPS), limit)
    pieces = _pieces(latex, _BREAKS[level])
    if len(pieces) == 1:
        return _cut(latex, limit, level + 1)
    return [line for one in _joined(pieces, limit) for line in _cut(one, limit, level + 1)]


def _of_fixed_size(latex: str) -> str:
    """Round brackets of a fixed size: a pair that grows with what it holds cannot stand on two lines."""
    return latex.replace("\\left(", "\\bigl(").replace("\\right)", "\\bigr)")


def _joined(pieces: list[str], limit: float) -> list[str]:
    """The pieces in lines, each as full as it may be."""
    made: list[str] = []
    for piece in pieces:
        joined = f"{made[-1]}{piece}" if made else piece
        if made and width(joined) <= limit:
            made[-1] = joined
        else:
            made.append(piece)
    return made


def _pieces(latex: str, where: re.Pattern[str], groups: Mapping[str, int] = _BRACKETS) -> list[str]:
    """The formula cut at every match outside groups, brackets among them; what the match says stays at the end of a piece."""
    depths, depth = [], 0
    for token in _TOKEN.findall(latex):
        depth += groups.get(token, 0)
        depths += [depth] * len(token)
    pieces, start = [], 0
    for match in where.finditer(latex):
        end = match.end()
        if end < len(latex) and depths[match.start()] == 0 and match.start() > start:
            pieces.append(latex[start:end])
            start = end
    return [*pieces, latex[start:]]
