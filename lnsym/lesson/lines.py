"""Parts of a lesson and tasks as lines of text for a terminal. Imports the pieces of a lesson, the library and the view."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lnsym import lang, library
from lnsym.kernel.terms import Array, Entry, Relation, Sym, Term, walk
from lnsym.lesson.marking import mark
from lnsym.lesson.pieces import SIGNS, Formula, Heading, Line, Paragraph, Part, Statement, notation, wrapped, written
from lnsym.lesson.records import Mark, Task
from lnsym.notation import text
from lnsym.view.columns import formula, words

EXAMPLE = "evaluated exactly"
COLUMN = 46  # where the numbers of a point stand, if the formula leaves room
Block = list[str]  # lines that belong together: a paragraph, a statement, one step

KINDS = {
    "next line": "the next line",
    "rule": "name the rule",
    "coefficient": "fill in",
    "flaw": "find the flaw",
    "compute": "compute",
    "predict": "predict",
}


@dataclass
class Teller:
    """Tells parts as blocks of lines of at most so many columns. A point is told where it changes."""

    columns: int
    at: str = field(default="", init=False)
    value: str = field(default="", init=False)  # of the line before
    above: tuple[str, str] | None = field(default=None, init=False)  # status and point of an example before

    def blocks(self, parts: Iterable[Part]) -> Iterator[Block]:
        """A block for each part; an empty line stands before all that begins something."""
        for part in parts:
            if not isinstance(part, Statement):
                self.above = None
            match part:
                case Heading():
                    self.at = ""
                    yield ["", *wrapped(part.words, self.columns)] if part.level > 1 else wrapped(part.words, self.columns)
                case Paragraph():
                    yield list(self.paragraph(part))
                case Statement():
                    yield self.example(part) or ["", *self.statement(part)]
                case Line():
                    yield list(self.line(part))

    def paragraph(self, part: Paragraph) -> Iterator[str]:
        """Words; a reason is set in, the others begin after an empty line."""
        if part.role == "reason":
            yield from (f"     {line}".rstrip() for line in wrapped(part.words, self.columns - 5))
        else:
            yield from ("", *wrapped(part.words, self.columns)) if part.role != "given" else wrapped(part.words, self.columns)

    def example(self, part: Statement) -> Block:
        """One more number at the point of the number above, which is told in a line; nothing for any other statement."""
        follows, self.above = self.above, (part.status, written(part.at)) if part.status == EXAMPLE and not part.label else None
        return list(formula(written(part.relation), self.columns, "  ", "    ")) if follows and follows == self.above else []

    def statement(self, part: Statement) -> Iterator[str]:
        """A claim with its label and status; below it both sides at the point."""
        self.value = ""
        if part.label:
            yield from words(part.label[0].upper() + part.label[1:] + ":", 0, self.columns)
        given = f"If {written(part.given)}: " if part.given else ""
        *lines, last = formula(given + written(part.relation), self.columns, "  ", "    ")
        yield from lines
        status = f"  [{part.status}]"
        yield from [last + status] if len(last + status) <= self.columns else [last, status]
        at = written(part.at)
        if part.left is not None and part.right is not None and isinstance(part.relation.node, Relation):
            left, right = written(part.left), written(part.right)
            sides = f"both sides are {left}" if left == right else f"{left} {SIGNS[part.relation.node.kind]} {right}"
            yield from formula(f"{'There' if at == self.at else f'At {at}'}: {sides}", self.columns, "     ", " " * 7)
            self.at = at
        elif at and at != self.at:
            yield from formula(f"At {at}", self.columns, "     ", " " * 7)
            self.at = at

    def line(self, part: Line) -> Iterator[str]:
        """A line of a calculation; its number stands beside it if there is room, and is not written twice where there is none."""
        if part.formula is None:
            yield f"     = ...  (task {part.task.rpartition('.')[2]})"
            self.value = ""
            return
        value = "" if part.value is None else f"→ {written(part.value)}"
        *lines, last = formula(written(part.formula), self.columns, "     ", " " * 9)
        yield from lines
        beside = f"{last:<{COLUMN}}  {value}".rstrip()
        if len(beside) <= self.columns:
            yield beside
        elif value == self.value:
            same = "→ the same numbers"
            yield from [f"{last:<{COLUMN}}  {same}"] if len(last) <= COLUMN else [last, f"       {same}"]
        else:
            yield last
            yield from formula(value, self.columns, " " * 7, " " * 9)
        self.value = value
        if part.task:
            yield f"         By which rule? (task {part.task.rpartition('.')[2]})"
        elif part.why:
            yield from words(f"{part.why} [{written(part.rules)}]" if part.rules else part.why, 9, self.columns)


def question(task: Task, columns: int) -> Iterator[str]:
    """What a task asks: its prompt, the lines above the one asked for, and the choices."""
    yield from words(task.prompt, 0, columns)
    if task.given:
        yield from formula("Given " + ", ".join(written(Formula(one)) for one in task.given), columns, "", "      ")
    how = notation(*task.lines)
    for number, node in enumerate(task.lines if task.kind in ("next line", "rule", "coefficient") else ()):
        sign = "" if number == 0 or isinstance(node, Relation) else "="
        yield from formula(written(Formula(node, how, sign)), columns, "     ", " " * 9)
    if task.kind == "next line":
        yield "     = ?"
    for letter, choice in zip("abcd", task.choices, strict=False):
        first, *others = formula(choice, columns - 5) if task.kind == "flaw" else words(choice, 0, columns - 5)
        yield from (f"  {letter}) {first}", *(f"     {line}" for line in others))


def typed(task: Task) -> str:
    """The last line of a task as one types it; nothing where it shows none, or one that cannot be typed."""
    node = task.lines[-1] if task.lines and task.kind == "next line" else None
    if node is None or isinstance(node, Relation):
        return ""
    line = text(node, ascii=True)
    return "" if mark(task, line).verdict == "unreadable" else line  # some lines have no letters on a keyboard


def names(task: Task) -> list[str]:
    """What the names in the lines of a task stand for, each by names that come after it."""
    theory = library.book().theory
    meanings: dict[str, tuple[str, tuple[Term | Array, ...]]] = {}
    for one in theory.families:
        z, v, mu = (lang.vector(one.vector), lang.vector(one.deviation), Sym(one.mean))
        meanings[one.deviation] = (f"{text(v, 'matrix')} = {text(z, 'matrix')} - {text(mu)}", (z, mu))
        meanings[one.mean] = (f"{text(mu)} = {text(lang.mean(z))}", (z,))
        meanings[one.variance] = (f"{text(Sym(one.variance))} = {text(lang.mean(v**2))}", (v,))
    for definition in theory.definitions:
        own = lang.vector(definition.name) if isinstance(definition.value, Array) else Sym(definition.name)
        meanings[definition.name] = (f"{text(own, 'matrix')} = {text(definition.value, 'matrix')}", (definition.value,))
    found: dict[str, str] = {}
    stack = [side for one in reversed(task.lines) for side in ((one.left, one.right) if isinstance(one, Relation) else (one,))]
    while stack:
        for node in walk(stack.pop(0)):
            name = node.name if isinstance(node, Sym) else node.vector if isinstance(node, Entry) else ""
            if name in meanings and name not in found:
                found[name], parts = meanings[name]
                stack += parts
    return list(found.values())


def marked(mark: Mark, columns: int) -> Iterator[str]:
    """What is said of an answer: what is right in it first, then the rest, then both values at the witness, one below the other."""
    if mark.right:
        yield from words(mark.right, 0, columns)
    if mark.caret:
        yield from (f"  {line}" for line in window(mark.caret, columns - 2))
    message, witness = mark.message, mark.witness
    if witness is None:
        yield from words(message, 0, columns)
        return
    numbers = f"At {witness.place}: yours {witness.left}, exact {witness.right}."
    yield from words(message.removesuffix(numbers), 0, columns)
    if not message.endswith(numbers):  # of a choice, which says itself what fails there
        return
    yield from formula(f"At {witness.place}:", columns, "", "  ")
    yield from formula(str(witness.left), columns, "  yours  ", " " * 9)
    yield from formula(str(witness.right), columns, "  exact  ", " " * 9)


def window(caret: str, columns: int) -> list[str]:
    """A text and the caret below it, cut to the columns around the caret."""
    said, _, below = caret.partition("\n")
    start = max(0, min(below.find("^") - columns // 2, len(said) - columns))
    return [line[start : start + columns].rstrip() for line in (said, below)]


def plain(line: str) -> str:
    """The line in ASCII, for a terminal that has no more."""
    return "".join(one if one.isascii() else _PLAIN.get(one) or _decomposed(one) for one in _RAISED.sub(_raised, line))


def _raised(found: re.Match[str]) -> str:
    """Letters above or below the line, after the sign for it."""
    inside = plain(unicodedata.normalize("NFKD", found[0]))
    sign = "^" if unicodedata.decomposition(found[0][0]).startswith("<super>") else "_"
    return sign + (inside if inside.isalnum() else f"({inside})")


def _decomposed(letter: str) -> str:
    """A Greek letter by its name, another one without its accent."""
    kind, _, name = unicodedata.name(letter, "").lower().partition(" small letter ")
    return name if kind == "greek" else unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"


_ABOVE, _BELOW = (
    "".join(one for one in map(chr, range(0x3000)) if not one.isascii() and unicodedata.decomposition(one).startswith(kind))
    for kind in ("<super>", "<sub>")
)
_RAISED = re.compile(f"[{_ABOVE}]+|[{_BELOW}]+")
_PLAIN = {
    "ε": "eps", "λ": "lambda", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "·": "*", "⊙": "*", "∑": "sum ", "√": "sqrt ", "‖": "|",
    "∂": "d", "∇": "grad ", "𝟏": "1", "□": "_", "′": "'", "⟨": "<", "⟩": ">", "−": "-", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-",
    "…": "...",
}  # fmt: skip
