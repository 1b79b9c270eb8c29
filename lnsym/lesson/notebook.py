"""The course as a Jupyter notebook, JSON of its own making: lessons, tasks with empty answers, statements to decide. Imports the course.

The file has the form of nbformat 4.5, and the same bytes every time. A cell asks `answer("variance.1", "")`; the learner types between the
quotes and runs it, and the mark is printed. For a lesson from a file of one's own the cell names that file, which is read again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from lnsym.decide import check
from lnsym.derivation import Claim, claims_of
from lnsym.errors import StatementError
from lnsym.kernel.terms import Hypothesis, Relation
from lnsym.lesson import book
from lnsym.lesson.handout import markdown, task_in_markdown
from lnsym.lesson.lines import marked
from lnsym.lesson.marking import mark
from lnsym.lesson.own import read
from lnsym.lesson.records import Lesson, LessonError, Mark, Task
from lnsym.library import book as theorems
from lnsym.notation import text

COLUMNS = 80
CHECKS = 2  # statements that a lesson asks the kernel about, and as many false ones
Cell = Mapping[str, Any]


# ---------------------------------------------------------------- what the cells call


class Said(str):
    """A text that a notebook shows as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def answer(task: str, said: str = "", *, file: str = "") -> Said:
    """Mark an answer to a task, named as in variance.3; a hint for "?", the solution for "=". `file` holds a lesson of one's own.

    >>> answer("variance.1", "2/3").splitlines()[0]
    'Correct.'
    """
    found = _task(task, file)
    match str(said).strip():
        case "":
            return Said('Type your answer between the quotes and run the cell again; "?" asks for a hint, "=" for the solution.')
        case "=":
            return Said("\n".join(found.solution))
        case hints if set(hints) == {"?"}:
            shown = found.hints[: len(hints)]
            more = f'"{"?" * (len(shown) + 1)}" asks for one more.' if len(shown) < len(found.hints) else 'The solution is "=".'
            return Said("\n".join([*shown, more]))
    said_of_it: Mark = mark(found, str(said))
    return Said("\n".join([*marked(said_of_it, COLUMNS), *(found.solution if said_of_it.done else ())]))


def _task(name: str, file: str) -> Task:
    lesson, _, number = name.rpartition(".")
    tasks = _tasks(lesson, file)
    if not number.isdecimal() or not 1 <= int(number) <= len(tasks):
        raise LessonError(f"there is no task {name[:60]!r}; the tasks of {lesson or 'a lesson'} are {tasks[0].id} to {tasks[-1].id}")
    return tasks[int(number) - 1]


@cache
def _tasks(lesson: str, file: str) -> tuple[Task, ...]:
    name, found = read(Path(file)) if file else book.lesson(lesson)
    return book.tasks(name, found)


# ---------------------------------------------------------------- the file


def notebook(lessons: Sequence[tuple[str, Lesson, str]]) -> str:
    """The notebook of some lessons, each with its name and, if it is one's own, the file that it comes from."""
    cells = [*_opening(), *(cell for name, lesson, file in lessons for cell in _cells(name, lesson, file))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    data = {"cells": cells, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _opening() -> Iterator[Cell]:
    yield _words(
        "opening",
        "# Layer normalization with epsilon\n\nRead a lesson, then answer its tasks: type between the quotes of `answer(...)` and run the "
        'cell. Answers are typed as one types mathematics: `"(g - mean(g))/s"`, `"2q"`, `"u^2"`, `"sum_i v_i^2"`; lines that have '
        'letters are answered by one. `"?"` asks for a hint, `"??"` for two, `"="` for the solution.\n\n'
        "`lnsym.check(...)` decides any statement: proved for every d, or refuted at an exact point. Change it and run the cell again.",
    )
    yield _code("opening-import", "import lnsym\nfrom lnsym.lesson import answer")


def _cells(name: str, lesson: Lesson, file: str) -> Iterator[Cell]:
    stem = re.sub(r"[^0-9A-Za-z_-]", "-", name)[:40]
    yield _words(f"{stem}-idea", markdown(book.depth(name, lesson, 1, file)))
    derivation = markdown(book.depth(name, lesson, 2, file)[1:])
    yield _words(f"{stem}-derivation", f"<details><summary>The derivation, with every step</summary>\n\n{derivation}\n\n</details>")
    for number, task in enumerate(book.tasks(name, lesson, "markdown", file), 1):
        yield _words(f"{stem}-task-{number}", f"### Task {number}\n\n{task_in_markdown(task)}")
        source = f", file={file!r}" if file else ""
        yield _code(f"{stem}-answer-{number}", f'answer("{task.id}", ""{source})')
    for number, (said, given) in enumerate(_statements(lesson), 1):
        hypotheses = f", given={json.dumps(given)}" if given else ""
        yield _code(f"{stem}-check-{number}", f"lnsym.check({json.dumps(said)}{hypotheses})")


def _words(name: str, source: str) -> Cell:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


def _code(name: str, source: str) -> Cell:
    return {"cell_type": "code", "execution_count": None, "id": name, "metadata": {}, "outputs": [], "source": source}


# ---------------------------------------------------------------- questions to the kernel


def _statements(lesson: Lesson) -> Iterator[tuple[str, list[str]]]:
    """Claims of the lesson's theorems and near misses, with their further hypotheses: those that can be typed and are decided."""
    named = [theorems().derivations[name][1] for name in book.theorems(lesson)]
    claims = [
        (claim.relation, (*derivation.given, *claim.given))
        for derivation in named
        for claim in claims_of(derivation)
        if isinstance(claim, Claim) and claim.relation is not None
    ]
    misses = [
        (miss.relation, derivation.given if miss.given is None else miss.given) for derivation in named for miss in derivation.near_misses
    ]
    for kind, found in (("proved", claims), ("refuted", misses)):
        yield from islice(filter(None, (_typed(relation, given, kind) for relation, given in found)), CHECKS)


def _typed(relation: Relation, given: Sequence[Hypothesis], kind: str) -> tuple[str, list[str]] | None:
    """The statement as one types it, with the hypotheses that are not always there; None where it cannot be typed or is not decided so."""
    if not all(isinstance(one, Relation) for one in given):
        return None
    said = text(relation, ascii=True)
    hypotheses = [typed for one in given if (typed := text(one, ascii=True)) != "eps > 0"]
    try:
        return (said, hypotheses) if check(said, hypotheses).verdict == kind else None
    except StatementError:
        return None
