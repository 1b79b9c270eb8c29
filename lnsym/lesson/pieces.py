"""What a lesson is told in, for every printer: words, headings, statements and lines, as text, LaTeX, Markdown or HTML.

A printer of lessons needs this file only: it knows nothing of theorems. Words are texts and formulas in turn; `written` puts them into one
text. Imports the printers of terms and the view.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Union

from lnsym.kernel.terms import Array, Components, Relation, Sym, Term
from lnsym.notation import latex, text

Node = Term | Array | Relation | Components
Form = Literal["text", "latex", "markdown", "html"]
FORMS: tuple[Form, ...] = ("text", "latex", "markdown", "html")
SIGNS = {"=": "=", "<=": "≤", "<": "<", "!=": "≠"}
BLANK = Sym("□")  # stands for what a learner fills in

_LATEX_SIGNS = {"=": "=", "<=": "\\le", "<": "<", "!=": "\\ne"}
_ESCAPES = str.maketrans({
    "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "#": "\\#", "_": "\\_", "$": "\\$", "{": "\\{", "}": "\\}",
    "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\(<\\)", ">": "\\(>\\)", "|": "\\(|\\)",
})  # fmt: skip


# ---------------------------------------------------------------- words


@dataclass(frozen=True)
class Formula:
    """A formula among words. `sign` stands before it, where it continues a line: "=", "<=", "<"."""

    node: Node
    notation: str = "index"
    sign: str = ""


@dataclass(frozen=True)
class Numbers:
    """An exact value: a number, the entries of a vector, or the rows of a matrix; with the name of what has it, if that is told."""

    value: Term | tuple[Numbers, ...]
    name: str = ""


Piece = Union[str, Formula, Numbers]
Words = tuple[Piece, ...]


def formula(node: Node, *beside: Node) -> Formula:
    """A formula in the notation in which it and those beside it read best."""
    return Formula(node, notation(node, *beside))


def notation(*nodes: Node) -> str:
    """The notation for some formulas: with indices, unless matrix notation spares the reader a sum."""
    with_sums = [node for node in nodes if "∑" in text(node)]
    spared = [node for node in with_sums if not {"∑", "𝟏ᵀ"} & {*text(node, "matrix").replace("𝟏ᵀ", "∑")}]
    return "matrix" if with_sums and len(spared) == len(with_sums) else "index"


def listed(items: Iterable[Piece | Words], between: str = ", ") -> Words:
    """The items with commas between them."""
    found: list[Piece] = []
    for item in items:
        found += [between] if found else []
        found += item if isinstance(item, tuple) else (item,)
    return tuple(found)


# ---------------------------------------------------------------- what a page is made of


@dataclass(frozen=True)
class Heading:
    """A heading; level 1 is the lesson's title."""

    words: Words
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """Words. `role` says what they are for: the question before a lesson, its idea, the reason of a statement."""

    words: Words
    role: Literal["question", "idea", "prose", "reason", "given", "note"] = "prose"


@dataclass(frozen=True)
class Statement:
    """A claim: what it needs, what it says, how it is known, and, at a point, the values of its two sides."""

    relation: Formula
    status: str
    given: Words = ()
    label: str = ""
    at: Words = ()
    left: Numbers | None = None
    right: Numbers | None = None


@dataclass(frozen=True)
class Line:
    """A line of a calculation. The first has no sign; the others follow by the rules, for the reason why.

    Where `task` names a task, the line is to be filled in: `formula` is None where the line itself is asked for, and `why` and
    `rules` are left out. `task` is the id of that task.
    """

    formula: Formula | None
    value: Numbers | None = None
    why: str = ""
    rules: Words = ()
    task: str = ""


Part = Union[Heading, Paragraph, Statement, Line]


# ---------------------------------------------------------------- printing


def written(words: Words | Piece, form: Form = "text") -> str:
    """Words as one text, in the form asked for."""
    pieces = words if isinstance(words, tuple) else (words,)
    return "".join(_piece(piece, form) for piece in pieces)


def wrapped(words: Words | Piece, columns: int = 80) -> list[str]:
    """Words as lines of text of at most so many columns; a formula is parted only where it does not fit on a line."""
    pieces = words if isinstance(words, tuple) else (words,)
    solid = "".join(piece if isinstance(piece, str) else _piece(piece, "text").replace(" ", "\xa0") for piece in pieces)
    lines: list[str] = []
    for word in solid.split(" "):
        for part in [word] if len(word) <= columns else word.split("\xa0"):
            if lines and len(lines[-1]) + 1 + len(part) <= columns:
                lines[-1] += " " + part
            else:
                lines.append(part)
    return [line.replace("\xa0", " ") for line in lines]


def _piece(piece: Piece, form: Form) -> str:
    if isinstance(piece, str):
        return html.escape(piece, quote=False) if form == "html" else piece.translate(_ESCAPES) if form == "latex" else piece
    if form == "text":
        return _text(piece)
    source = _latex(piece)
    if form == "html":
        from lnsym.view.mathml import mathml

        return mathml(source)
    return f"${source}$"


def _text(piece: Formula | Numbers) -> str:
    if isinstance(piece, Formula):
        return (SIGNS[piece.sign] + " " if piece.sign else "") + text(piece.node, piece.notation)
    value = f"({', '.join(map(_text, piece.value))})" if isinstance(piece.value, tuple) else text(piece.value)
    return f"{text(Sym(piece.name))} = {value}" if piece.name else value


def _latex(piece: Formula | Numbers) -> str:
    if isinstance(piece, Formula):
        source = latex(piece.node, piece.notation).replace("□", "\\square ")
        return (_LATEX_SIGNS[piece.sign] + " " if piece.sign else "") + source
    value = f"({', '.join(map(_latex, piece.value))})" if isinstance(piece.value, tuple) else latex(piece.value)
    return f"{latex(Sym(piece.name))} = {value}" if piece.name else value
