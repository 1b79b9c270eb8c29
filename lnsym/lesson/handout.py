"""A lesson on paper: Markdown as GitHub shows it, or LaTeX for pdflatex, with and without solutions. Imports the course and the view."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from lnsym.kernel.terms import Relation
from lnsym.lesson import book
from lnsym.lesson.pieces import Form, Formula, Heading, Line, Paragraph, Part, Piece, Statement, Words, notation, written
from lnsym.lesson.records import Lesson, LessonError, Task
from lnsym.view.breaking import lines
from lnsym.view.typeset import typeset

MARKS = {"md": "<!-- lnsym lesson", "tex": "% lnsym lesson"}  # the first words of a handout show that it is ours
LETTERS = "abcd"
LINE = 72.0  # letters of a displayed formula that fit a line
ROOM = "20mm"  # for an answer
_QUOTED = re.compile(r"(\$[^$]+\$|`[^`]+`)")
_SIGNS = {"=": "=", "<=": "\\le", "<": "<", "!=": "\\ne"}
_COMMA, _BREAK = re.compile(r",(?:\\)? "), "\\allowbreak "  # a line of words may end after a comma of a formula


def handout(name: str, lesson: Lesson, form: str, *, solutions: bool = False, where: str = "") -> str:
    """The lesson as Markdown ("md") or LaTeX ("tex"): its idea, its derivation with lines to fill in, and its tasks.

    With `solutions` the derivation is complete, and the solutions of the tasks follow.
    """
    if form not in MARKS:
        raise LessonError(f"there is no format {form!r}; choose md or tex")
    writer: _Writer = _Markdown() if form == "md" else _Latex()
    idea = [part for part in book.depth(name, lesson, 1, where) if not isinstance(part, Paragraph) or part.role in ("question", "idea")]
    ends = next((n for n, part in enumerate(idea) if isinstance(part, Heading) and part.level > 1), len(idea))
    derivation = [part for part in book.depth(name, lesson, 2 if solutions else 3, where)[1:] if not _is_question(part)]
    tasks = book.tasks(name, lesson, "markdown", where)
    writer.blanks = {part.task for part in book.depth(name, lesson, 3, where) if isinstance(part, Line) and part.formula is None}
    made = [
        *writer.parts(idea[:ends]),
        writer.section("The derivation"),
        *writer.parts(derivation),
        *([writer.section("Tasks"), *writer.tasks(tasks, room=not solutions)] if tasks else []),
        *([writer.section("Solutions"), *writer.solutions(tasks)] if tasks and solutions else []),
    ]
    command = f"{MARKS[form]} export {name} --format {form}{' --solutions' if solutions else ''}"
    return writer.page(command, made)


def markdown(parts: Sequence[Part]) -> str:
    """Parts of a lesson as Markdown."""
    return "\n\n".join(_Markdown().parts(parts))


def task_in_markdown(task: Task) -> str:
    """What a task asks, as Markdown; the task's texts must have that form."""
    return "\n\n".join(_Markdown().question(task))


def _is_question(part: Part) -> bool:
    return isinstance(part, Paragraph) and part.role == "question"


def source(piece: Piece) -> str:
    """A formula or number as LaTeX for math mode."""
    return written(piece, "markdown")[1:-1]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---------------------------------------------------------------- what both formats share


class _Writer(ABC):
    """Parts and tasks in one format; what each format writes in its own way is below."""

    form: Form
    blanks: set[str] = set()  # tasks whose line stands open in the derivation

    def parts(self, parts: Sequence[Part]) -> Iterator[str]:
        """The parts as paragraphs; the lines of a calculation belong together."""
        calculation: list[Line] = []
        for part in parts:
            starts = isinstance(part, Line) and part.formula is not None and not part.formula.sign
            if calculation and (starts or not isinstance(part, Line)):
                yield self.calculation(calculation)
                calculation = []
            match part:
                case Heading():
                    yield self.heading(self.words(part.words, typeset_too=part.level > 1), part.level)
                case Paragraph():
                    yield self.paragraph(part)
                case Statement():
                    yield self.statement(part)
                case Line():
                    calculation.append(part)
        if calculation:
            yield self.calculation(calculation)

    def words(self, words: Words, typeset_too: bool = False) -> str:
        """Words; sentences of a theorem file have their mathematics in plain letters, which is typeset too."""
        return "".join(self.said(piece) if typeset_too and isinstance(piece, str) else self.piece(piece) for piece in words)

    def piece(self, piece: Piece) -> str:
        return written(piece, self.form)

    def said(self, text: str) -> str:
        """A sentence of a theorem file."""
        made = []
        for part in _QUOTED.split(typeset(text)):
            quoted = len(part) > 2 and part[0] == part[-1] and part[0] in "$`"
            made.append((self.math(part[1:-1]) if part[0] == "$" else self.code(part[1:-1])) if quoted else self.piece(part))
        return "".join(made)

    def paragraph(self, part: Paragraph) -> str:
        said = self.words(part.words, typeset_too=part.role in ("reason", "note"))
        return self.quoted(said) if part.role == "question" else said + ("." if part.role == "given" else "")

    def statement(self, part: Statement) -> str:
        label = self.said(_capital(part.label)).rstrip(".") + ". " if part.label else ""
        given = f"If {self.words(part.given)}:" if part.given else ""
        node = part.relation.node
        at = f" At {self.words(part.at)}: " if part.at else ""
        sides = ""
        if at and part.left is not None and part.right is not None and isinstance(node, Relation):
            both = f"both sides are {self.math(source(part.left))}"
            apart = self.math(f"{source(part.left)} {_SIGNS[node.kind]} {source(part.right)}")
            sides = at + (both if part.left == part.right else apart) + "."
        before = (label + given).strip()
        return "\n\n".join(filter(None, (before, self.display(source(part.relation)), self.status(part.status) + sides)))

    def reason(self, line: Line) -> str:
        """Why a line holds, and by which rule."""
        if line.task:
            number = line.task.rpartition(".")[2]
            return f"By which rule? (task {number})" if line.formula is not None else f"(task {number})"
        rules = f" {self.emphasized('[' + self.words(line.rules, typeset_too=True) + ']')}" if line.rules else ""
        return f"{self.said(line.why)}{rules}"

    def lines_of(self, task: Task) -> list[str]:
        """The lines above the one asked for, each as LaTeX with its sign, and the place to fill in."""
        if task.kind not in ("next line", "coefficient"):  # the prompt of a rule shows its two lines
            return []
        how = notation(*task.lines)
        first, *others = task.lines
        made = [source(Formula(first, how)), *(source(Formula(one, how, "=")) for one in others)]
        return [*made, "= \\;?"] if task.kind == "next line" else made

    def open_lines(self, tasks: Sequence[Task]) -> str:
        """Which tasks are lines of the derivation, where the tasks that follow would show them."""
        numbers = [str(number) for number, task in enumerate(tasks, 1) if task.id in self.blanks]
        if not numbers:
            return ""
        *before, last = numbers
        named = f"Tasks {', '.join(before)} and {last} are lines" if before else f"Task {last} is a line"
        return f"{named} of the derivation."

    def asked(self, tasks: Sequence[Task]) -> list[tuple[int, Task]]:
        """The tasks that are asked by themselves, with their numbers."""
        return [(number, task) for number, task in enumerate(tasks, 1) if task.id not in self.blanks]

    def choices(self, task: Task) -> list[str]:
        return [f"{letter}) {self.said(choice)}" for letter, choice in zip(LETTERS, task.choices, strict=False)]

    def solution(self, task: Task) -> list[str]:
        return [self.said(line) for line in task.solution]

    # ---- each format's own

    @abstractmethod
    def page(self, command: str, made: Sequence[str]) -> str: ...

    @abstractmethod
    def heading(self, words: str, level: int) -> str: ...

    @abstractmethod
    def section(self, words: str) -> str: ...

    @abstractmethod
    def calculation(self, chain: Sequence[Line]) -> str: ...

    @abstractmethod
    def display(self, latex: str) -> str: ...

    def math(self, latex: str) -> str:
        return f"${latex}$"

    @abstractmethod
    def code(self, text: str) -> str: ...

    @abstractmethod
    def quoted(self, words: str) -> str: ...

    @abstractmethod
    def emphasized(self, words: str) -> str: ...

    def status(self, status: str) -> str:
        return self.emphasized(_capital(status) + ".")

    @abstractmethod
    def tasks(self, tasks: Sequence[Task], *, room: bool) -> Iterator[str]: ...

    @abstractmethod
    def solutions(self, tasks: Sequence[Task]) -> Iterator[str]: ...


# ---------------------------------------------------------------- Markdown


class _Markdown(_Writer):
    form: Form = "markdown"

    def page(self, command: str, made: Sequence[str]) -> str:
        return "\n\n".join([f"{command} -->", *made]) + "\n"

    def heading(self, words: str, level: int) -> str:
        return f"{'#' if level == 1 else '###'} {words}"

    def section(self, words: str) -> str:
        return f"## {words}"

    def piece(self, piece: Piece) -> str:
        if isinstance(piece, str):
            return re.sub(r"([\\`*_<>#|\[\]$])", r"\\\1", piece)
        return self.math(source(piece))

    def math(self, latex: str) -> str:
        return f"${_for_markdown(latex)}$"

    def display(self, latex: str) -> str:
        return f"$$\n{_for_markdown(latex)}\n$$"

    def code(self, text: str) -> str:
        return f"`{text}`"

    def quoted(self, words: str) -> str:
        return f"> {words}"

    def emphasized(self, words: str) -> str:
        return f"*{words}*"

    def calculation(self, chain: Sequence[Line]) -> str:
        made = []
        for line in chain:
            shown = self.math(source(line.formula)) if line.formula is not None else f"{self.math('=')} ................................"
            made.append(f"- {shown} {self.reason(line)}".rstrip())
        return "\n".join(made)

    def question(self, task: Task) -> Iterator[str]:
        """What a task asks."""
        yield self.said(task.prompt)
        if task.given:
            yield "Given " + ", ".join(self.math(source(Formula(one))) for one in task.given) + "."
        if shown := self.lines_of(task):
            yield "\n".join(f"- {self.math(one)}" for one in shown)
        if task.choices:
            yield "\n".join(f"- {one}" for one in self.choices(task))

    def tasks(self, tasks: Sequence[Task], *, room: bool) -> Iterator[str]:
        yield from filter(None, (self.open_lines(tasks),))
        for number, task in self.asked(tasks):
            yield f"### Task {number}"
            yield from self.question(task)
            if room:
                yield "Answer: ................................................................"

    def solutions(self, tasks: Sequence[Task]) -> Iterator[str]:
        for number, task in enumerate(tasks, 1):
            first, *others = self.solution(task)
            yield "\n".join([f"{number}. {first}", *(f"   <br>{line}" for line in others)])


def _for_markdown(latex: str) -> str:
    """Formulas as GitHub takes them: it knows no operator names, and reads a backslash before a sign of punctuation itself."""
    latex = re.sub(r"\\operatorname\{(\w+)\}", r"\\mathrm{\1}", latex)
    return latex.replace("\\,", "\\thinspace ").replace("\\;", "\\thickspace ").replace("\\ ", "~").replace("<", "\\lt ")


# ---------------------------------------------------------------- LaTeX

_HEAD = r"""\documentclass[a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb}
\setlength{\textwidth}{165mm}\setlength{\oddsidemargin}{0mm}
\setlength{\textheight}{235mm}\setlength{\topmargin}{-12mm}
\setlength{\parindent}{0pt}\setlength{\parskip}{6pt plus 2pt}
\setlength{\emergencystretch}{4em}
\allowdisplaybreaks
\raggedbottom
\begin{document}"""
_LETTERS = str.maketrans({"≤": "\\ensuremath{\\le}", "≥": "\\ensuremath{\\ge}", "≠": "\\ensuremath{\\ne}", "→": "\\ensuremath{\\to}"})


class _Latex(_Writer):
    form: Form = "latex"

    def page(self, command: str, made: Sequence[str]) -> str:
        return "\n\n".join([f"{command}\n{_HEAD}", *made, "\\end{document}"]).translate(_LETTERS) + "\n"

    def heading(self, words: str, level: int) -> str:
        return f"\\section*{{{words}}}" if level == 1 else f"\\subsubsection*{{\\raggedright {words}}}"

    def section(self, words: str) -> str:
        return f"\\subsection*{{{words}}}"

    def piece(self, piece: Piece) -> str:
        return written(piece, "latex") if isinstance(piece, str) else self.math(source(piece))

    def math(self, latex: str) -> str:
        return f"${_COMMA.sub(lambda found: found[0] + _BREAK, latex)}$"

    def display(self, latex: str) -> str:
        made = lines(latex, LINE)
        if len(made) == 1:
            return f"\\begin{{equation*}}\n  {made[0]}\n\\end{{equation*}}"
        inner = " \\\\\n  &\\quad ".join(line.strip() for line in made)
        return f"\\begin{{equation*}}\n\\begin{{split}}\n  &{inner}\n\\end{{split}}\n\\end{{equation*}}"

    def code(self, text: str) -> str:
        return f"\\texttt{{{written(text, 'latex')}}}"

    def quoted(self, words: str) -> str:
        return f"\\emph{{{words}}}"

    def emphasized(self, words: str) -> str:
        return f"\\textit{{{words}}}"

    def calculation(self, chain: Sequence[Line]) -> str:
        rows = []
        for line in chain:
            latex = source(line.formula) if line.formula is not None else "= \\underline{\\hspace{70mm}}"
            rows.append("  & " + " \\\\\n  & \\qquad ".join(one.strip() for one in lines(latex, LINE)))
            if said := self.reason(line):
                rows.append(f"  & \\qquad\\parbox[t]{{0.8\\textwidth}}{{\\small\\raggedright {said}}}")
        return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"

    def tasks(self, tasks: Sequence[Task], *, room: bool) -> Iterator[str]:
        yield from filter(None, (self.open_lines(tasks),))
        yield "\\begin{enumerate}\\raggedright"
        for number, task in self.asked(tasks):
            yield f"\\item[{number}.] {self.said(task.prompt)}"
            if task.given:
                yield "Given " + ", ".join(self.math(source(Formula(one))) for one in task.given) + "."
            if shown := self.lines_of(task):
                rows = ["  & " + " \\\\\n  & \\qquad ".join(part.strip() for part in lines(one, LINE - 6)) for one in shown]
                yield "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"
            yield from self.choices(task)
            if room:
                yield f"\\vspace{{{ROOM}}}"
        yield "\\end{enumerate}"

    def solutions(self, tasks: Sequence[Task]) -> Iterator[str]:
        yield "\\begin{enumerate}\\raggedright"
        for task in tasks:
            yield "\\item " + "\n\n".join(self.solution(task))
        yield "\\end{enumerate}"
