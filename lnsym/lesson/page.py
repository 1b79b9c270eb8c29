"""All lessons as one offline page: figures move, tasks are marked in the reader's browser. Imports the view, the emitter and the oracle.

Formulas stand in the page by number and are kept once, packed with the data of the tasks: repeated as MathML they would fill megabytes.
"""

from __future__ import annotations

import base64
import html
import json
import random
import re
import zlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from lnsym.emit.build import build
from lnsym.errors import LnsymError
from lnsym.kernel.terms import Array, Relation, Term
from lnsym.lesson import book
from lnsym.lesson.figures import FIGURES
from lnsym.lesson.pieces import SIGNS, Formula, Heading, Line, Numbers, Paragraph, Part, Piece, Statement, Words, formula, listed, written
from lnsym.lesson.records import Lesson, LessonError, Task
from lnsym.lesson.references import words
from lnsym.lesson.shipped import Chooser, answer_data, point_data, theory
from lnsym.oracle import normalize
from lnsym.view.shell import Link, environment, prose
from lnsym.view.shell import page as shell
from lnsym.view.typeset import typeset

HERE = Path(__file__).parent
SCRIPTS = ("numbers", "language", "marking", "figures", "learn")
OPERATIONS = {"Plain": ("plain", ("normalize", "layer_norm", "layer_norm_jvp")), "Exact": ("exact", ("normalize", "jacobian"))}
PROGRAM = "// As a program,"  # what follows in an emitted module is for a file that is run by itself
VECTORS = 100
_INDENTED = re.compile(r"\n\s+")
_MATH = re.compile(r"<math>.*?</math>", re.DOTALL)
_ANNOTATION = re.compile(r"<annotation\b.*?</annotation>|</?semantics>", re.DOTALL)


def page() -> str:
    """The page."""
    template = environment(HERE / "templates").get_template("learn.html.j2")  # first: it tells who lacks Jinja2
    printer, chooser = _Printer(), Chooser()
    course = book.lessons()
    numbered = {name: number for number, name in enumerate(course, 1)}
    shown = [_lesson(name, lesson, numbered, printer, chooser) for name, lesson in course.items()]
    data = {
        "theory": theory(),
        "points": [point_data(point) for point in chooser.points],
        "tasks": {task["id"]: task["data"] for lesson in shown for task in lesson["tasks"]},
        "formulas": list(printer.formulas),
        "vectors": list(vectors()),
    }
    told = template.render(
        lessons=shown,
        count=sum(len(lesson["tasks"]) for lesson in shown),
        jacobian=numbered.get("jacobian", len(numbered)),
        vectors=VECTORS,
    )
    style = (HERE / "page" / "learn.css").read_text(encoding="utf-8")
    body = f"""<style>
{style}</style>
{_INDENTED.sub(chr(10), told)}
<template><math>{_glyphs(printer.formulas)}</math></template>
<script type="text/plain" id="packed">{packed(data)}</script>
<script id="script">
{script()}</script>"""
    links = [Link("map", "The course"), *(Link(name, f"{numbered[name]} {lesson.title}") for name, lesson in course.items())]
    links.append(Link("vectors", "Check this page"))
    footer = (
        "<p>Written by <code>lnsym learn --web</code>. It needs no network and sends nothing. A reply “agrees at 20 exact points” "
        "is no proof; <code>lnsym learn</code> in a terminal proves or refutes a line.</p>"
    )
    return shell(title="Layer norm, step by step", description="Lessons made from proofs", body=body, navigation=links, footer=footer)


def script(parts: Sequence[str] = SCRIPTS) -> str:
    """The script: the emitted modules, each in a scope of its own, then the parts of the page named."""
    made = [_module(name, *OPERATIONS[name]) for name in OPERATIONS]
    own = [_INDENTED.sub("\n", (HERE / "page" / f"{part}.js").read_text(encoding="utf-8")) for part in parts]
    return '"use strict";\n' + "\n".join([*made, *own]).replace("</script", "<\\/script")


@cache
def _module(name: str, tier: str, ops: tuple[str, ...]) -> str:
    source = build("javascript", ops, tier).source.partition(PROGRAM)[0].rstrip()
    inside = re.sub(r"^export ", "", source, flags=re.MULTILINE)
    names = ", ".join(dict.fromkeys(re.findall(r"^(?:async )?function (\w+)", inside, re.MULTILINE)))
    return f"const {name} = (() => {{\n{inside}\nreturn {{ {names} }};\n}})();\n"


def packed(data: Any) -> str:
    """Data as base64 of compressed JSON; a browser unpacks it with DecompressionStream."""
    raw = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    return base64.b64encode(zlib.compress(raw, 9)).decode("ascii")


# ---------------------------------------------------------------- words and formulas


class _Printer:
    """Prints words as HTML in which each formula is a number."""

    def __init__(self) -> None:
        self.formulas: dict[str, int] = {}

    def place(self, element: str, block: bool = False) -> str:
        """Where a formula stands; without a script, nothing is shown."""
        bare = _ANNOTATION.sub("", element).replace('<math display="block">', "<math>")
        number = self.formulas.setdefault(bare, len(self.formulas))
        return f'<x-f n="{number}"{" block" if block else ""}></x-f>'

    def words(self, said: Words | Piece | str, block: bool = False) -> Any:
        """Words, a formula or a number; a text is escaped."""
        from markupsafe import Markup

        pieces = said if isinstance(said, tuple) else (said,)
        return Markup("".join(self._piece(piece, block) for piece in pieces))

    def _piece(self, piece: Piece, block: bool) -> str:
        if isinstance(piece, str):
            return html.escape(piece, quote=False)
        if isinstance(piece, Numbers):
            return html.escape(written(piece, "text")).replace(" ", "\u00a0").replace("),\u00a0(", "), (")  # parted between rows only
        return self.place(written(piece, "html"), block)

    def made(self, said: str) -> Any:
        """HTML with MathML in it; plain mathematics between becomes formulas too."""
        from markupsafe import Markup

        return Markup("".join(map(self._made, re.split(f"({_MATH.pattern})", said, flags=re.DOTALL))))

    def _made(self, piece: str) -> str:
        return self.place(piece) if piece.startswith("<math>") else str(self.prose(typeset(html.unescape(piece))))

    def typeset(self, said: Words) -> Any:
        """Words of a theorem, whose plain q/(q + eps) becomes a formula."""
        from markupsafe import Markup

        return Markup("".join(str(self.prose(typeset(one)) if isinstance(one, str) else self.words(one)) for one in said))

    def prose(self, said: str) -> Any:
        """A text with $formulas$."""
        from markupsafe import Markup

        return Markup(_MATH.sub(lambda found: self.place(found[0]), str(prose(said))))


def _glyphs(formulas: Sequence[str] | dict[str, int]) -> str:
    """Every character of the formulas once, for the choice of the font: one-letter names in <mi>, which turns them italic."""
    names, others = set[str](), set[str]()
    for element in formulas:
        names.update(re.findall(r"<mi>(&\w+;|.)</mi>", element))
        others.update(html.unescape(re.sub(r"<[^>]*>", "", element)))
    return "".join(f"<mi>{name}</mi>" for name in sorted(names)) + f"<mtext>{html.escape(''.join(sorted(others)))}</mtext>"


# ---------------------------------------------------------------- lessons


def _lesson(name: str, lesson: Lesson, numbered: dict[str, int], printer: _Printer, chooser: Chooser) -> dict[str, Any]:
    figure = FIGURES.get(lesson.figure)
    if lesson.figure and figure is None:
        raise LessonError(f"lesson {name}: there is no figure {lesson.figure!r}; there are {', '.join(FIGURES)}")
    return {
        "name": name,
        "title": lesson.title,
        "after": [numbered[one] for one in lesson.after if numbered[one] != numbered[name] - 1],
        "question": printer.words(words(lesson.question)),
        "idea": printer.words(words(lesson.idea)),
        "prose": printer.words(words(lesson.prose)),
        "figure": None if figure is None else {**vars(figure), "caption": printer.prose(figure.caption)},
        "theorems": list(_theorems(book.depth(name, lesson, 2), printer)),
        "tasks": [_task(task, printer, chooser) for task in book.tasks(name, lesson, "html")],
    }


def _theorems(parts: Sequence[Part], printer: _Printer) -> Iterator[dict[str, Any]]:
    """The parts of depth 2, theorem by theorem; what stands before the first is shown elsewhere."""
    told: dict[str, Any] | None = None
    for part in parts:
        if isinstance(part, Heading):
            if told is not None:
                yield told
            told = {"title": printer.typeset(part.words), "blocks": []} if part.level > 1 else None
        elif told is not None:
            _add(told["blocks"], part, printer)
    if told is not None:
        yield told


def _add(blocks: list[dict[str, Any]], part: Part, printer: _Printer) -> None:
    match part:
        case Paragraph(said, role):
            blocks.append({"kind": "words", "role": role, "text": printer.typeset(said)})
        case Statement():
            shown = printer.words(part.relation, block=True)
            head = {
                "kind": "statement", "given": printer.words(part.given), "label": printer.typeset((part.label,)),
                "status": part.status, "badge": BADGES.get(part.status, "proved"), "at": printer.words(part.at),
                "left": printer.words(part.left) if part.left is not None else None,
                "right": printer.words(part.right) if part.right is not None else None,
            }  # fmt: skip
            if blocks and not part.label and blocks[-1] == {**head, "formulas": blocks[-1].get("formulas")}:
                blocks[-1]["formulas"].append(shown)  # several numbers at one point are told together
            else:
                blocks.append({**head, "formulas": [shown]})
        case Line(shown, value, why, rules):
            assert shown is not None  # lines are left out at depth 3 only
            told = printer.words(value) if value is not None else ""
            bare = printer.words(Formula(shown.node, shown.notation), block=True)
            if not shown.sign:
                blocks.append({"kind": "lines", "start": bare, "value": told, "lines": []})
                return
            # A value stands where it changes: at the start, and after a step that is an inequality.
            last = next((one["value"] for one in reversed(blocks[-1]["lines"]) if one["value"]), blocks[-1]["value"])
            changed = told if told != last else ""
            blocks[-1]["lines"].append(
                {
                    "sign": SIGNS[shown.sign],
                    "formula": bare,
                    "value": changed,
                    "why": printer.typeset((why,)),
                    "rules": printer.words(rules),
                }
            )


BADGES = {"evaluated exactly": "evaluated", "scalar calculus": "calculus"}
EXAMPLES = {"next line": "= …", "coefficient": "…", "compute": "such as 2/3"}


def _task(task: Task, printer: _Printer, chooser: Chooser) -> dict[str, Any]:
    try:
        data: Any = {"kind": "choice", "asked": task.kind, "right": task.right} if task.choices else answer_data(task, chooser)
    except LnsymError:  # what the script cannot compute is marked in the terminal, and the page says so
        data = {"kind": "none"}
    said = {"hints": list(map(printer.made, task.hints)), "solution": list(map(printer.made, task.solution))}
    shown = task.kind in ("next line", "coefficient")
    return {
        "id": task.id,
        "data": {**data, **said},
        "marked": data["kind"] != "none",
        "prompt": printer.made(task.prompt),
        "lines": list(_lines(task.lines, printer)) if shown else [],
        "given": printer.words(listed(map(formula, task.given))) if shown and task.given else "",
        "choices": list(zip("abcdefgh", map(printer.made, task.choices), strict=False)),
        "example": EXAMPLES.get(task.kind, ""),
    }


def _lines(lines: Sequence[Term | Array | Relation], printer: _Printer) -> Iterator[Any]:
    for number, line in enumerate(lines):
        shown = formula(line, *lines)
        yield printer.words(Formula(shown.node, shown.notation, "=" if number else ""), block=True)


# ---------------------------------------------------------------- vectors


def vectors() -> Iterator[list[Any]]:
    """Rows with eps, the correctly rounded core by the oracle, and how far from it the emitted float64 code may be by its own bound."""
    order = random.Random(1)
    for number in range(VECTORS):
        d, size = 2 + number % 7, 2.0 ** order.randint(-8, 8)
        row = [round(order.uniform(-1, 1) * size + (size * order.choice((0, 0, 16, 1000))), 9) for _ in range(d)]
        eps = order.choice((1e-5, 1e-6, 1e-12, 0.1, 1.0, 1 / 3))
        core = [float(x) for x in normalize([row], eps=Fraction(eps))[0]]
        yield [row, eps, core, [_allowed(row, eps, abs(x)) for x in core]]


def _allowed(row: Sequence[float], eps: float, size: float) -> float:
    """2^-53 (1.01 (|mean| + sqrt(variance))/root + 7 |u|) as the code states it, and one half unit more for the rounding of the answer."""
    exact = [Fraction(x) for x in row]
    mean = sum(exact) / len(row)
    variance = sum((x - mean) ** 2 for x in exact) / len(row)
    root = float(variance + Fraction(eps)) ** 0.5
    return float(f"{2.0**-53 * (1.01 * (abs(float(mean)) + float(variance) ** 0.5) / root + 8 * size):.6g}")


__all__ = ["page", "packed", "script", "vectors"]
