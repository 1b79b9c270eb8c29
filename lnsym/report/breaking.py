"""Long formulas cut into lines that fit a page, at signs where a reader expects a break. Standard library only.

Widths are estimates in the width of a letter. They only decide where to cut; LaTeX does the setting.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_&]|\s+|.", re.DOTALL)
_NOTHING = {"\\left", "\\right", "\\displaystyle", "\\!", "\\mathbf", "\\boldsymbol", "\\mathrm", "\\operatorname", "\\text", "\\mathbb"}
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
    if width(latex) <= limit or level == len(_BREAKS):
        return [latex]
    pieces = _pieces(latex, _BREAKS[level])
    if len(pieces) == 1:
        return _cut(latex, limit, level + 1)
    made: list[str] = []
    for piece in pieces:
        joined = f"{made[-1]}{piece}" if made else piece
        if made and width(joined) <= limit:
            made[-1] = joined
        else:
            made.append(piece)
    return [line for one in made for line in _cut(one, limit, level + 1)]


def _pieces(latex: str, where: re.Pattern[str]) -> list[str]:
    """The formula cut at every match outside brackets; what the match says stays at the end of a piece."""
    depths, depth = [], 0
    for token in _TOKEN.findall(latex):
        if token in ("{", "\\left", "\\langle", "\\lVert", "\\{", "\\begin"):
            depth += 1
        elif token in ("}", "\\right", "\\rangle", "\\rVert", "\\}", "\\end"):
            depth -= 1
        elif token in "([":
            depth += 1
        elif token in ")]":
            depth -= 1
        depths += [depth] * len(token)
    pieces, start = [], 0
    for match in where.finditer(latex):
        end = match.end()
        if end < len(latex) and depths[match.start()] == 0 and match.start() > start:
            pieces.append(latex[start:end])
            start = end
    return [*pieces, latex[start:]]
