"""The course: its lessons in order, their tasks, their words, and the three depths at which each is told. Imports up to the library.

What is written in a lesson file is in lnsym.lesson.records; the references of its words in lnsym.lesson.references. The same functions
serve a lesson that a teacher wrote elsewhere: `where` is then the name of that file, which an error names first.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache

from lnsym.lesson.asks import Maker
from lnsym.lesson.depths import DEPTHS, parts
from lnsym.lesson.pieces import Form, Part, wrapped, written
from lnsym.lesson.records import Lesson, LessonError, Task, lessons_in_order
from lnsym.lesson.references import named, told_claims, words

__all__ = ["DEPTHS", "check", "depth", "lesson", "lessons", "rendered", "tasks", "theorems"]

_FILE = re.compile(r"l\d+_([a-z]\w*)")


@cache
def lessons() -> Mapping[str, Lesson]:
    """The lessons of the course by name, in their order; a file course/l03_variance.py holds the lesson "variance"."""
    package = importlib.import_module("lnsym.lesson.course")
    found: dict[str, Lesson] = {}
    for file in sorted(module.name for module in pkgutil.iter_modules(package.__path__)):
        match = _FILE.fullmatch(file)
        if match is None:
            raise LessonError(f"lnsym/lesson/course/{file}.py: expected a name such as l03_variance.py; rename the file")
        one = getattr(importlib.import_module(f"lnsym.lesson.course.{file}"), "LESSON", None)
        if not isinstance(one, Lesson):
            raise LessonError(f"lnsym/lesson/course/{file}.py: expected LESSON = Lesson(...), found {type(one).__name__}")
        if match[1] in found:
            raise LessonError(f"lnsym/lesson/course/{file}.py: there are two lessons named {match[1]}; rename one of the files")
        found[match[1]] = one
    return {name: found[name] for name in lessons_in_order(tuple(found.items()))}


def lesson(name_or_number: str | int) -> tuple[str, Lesson]:
    """A lesson of the course by its name or by its place, counted from 1."""
    found = lessons()
    asked = str(name_or_number).strip()
    if asked in found:
        return asked, found[asked]
    if asked.isdecimal():
        if 1 <= int(asked) <= len(found):
            return list(found.items())[int(asked) - 1]
        raise LessonError(f"the course has lessons 1 to {len(found)}; there is no lesson {asked[:12]}")
    wanted = asked.lower().replace("-", "_").replace(" ", "_")
    if wanted in found:
        return wanted, found[wanted]
    near = get_close_matches(wanted, found, n=3, cutoff=0.5) or [name for name in found if wanted and wanted in name]
    remedy = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(found)}"
    raise LessonError(f"the course has no lesson {asked[:60]!r}; {remedy}")


def tasks(name: str, lesson: Lesson, form: Form = "text", where: str = "") -> tuple[Task, ...]:
    """The tasks of a lesson; their prompts, choices, hints and solutions are texts of the form asked for."""
    return tuple(Maker(name, lesson, form).tasks(where or _where(name)))


def rendered(text: str, form: Form = "text", columns: int = 80) -> str:
    """A lesson's words with the references put in; plain text comes in lines of at most so many columns."""
    said = words(text)
    return "\n".join(wrapped(said, columns)) if form == "text" else written(said, form)


def depth(name: str, lesson: Lesson, depth: int, where: str = "") -> tuple[Part, ...]:
    """A lesson at depth 1, 2 or 3, as parts that any printer can print."""
    return tuple(parts(name, lesson, depth, where or _where(name)))


def theorems(lesson: Lesson) -> tuple[str, ...]:
    """The theorems that a lesson tells or asks about, each once."""
    named_here = (told_claims(one)[0].name for one in lesson.theorems)
    return tuple(dict.fromkeys((*named_here, *(named(ask.theorem).name for ask in lesson.tasks))))


def check(name: str, lesson: Lesson, where: str = "") -> None:
    """Make all that a lesson is made of, and raise LessonError for the first thing in its file that cannot be."""
    here = where or _where(name)
    if not isinstance(lesson, Lesson):
        raise LessonError(f"{here}: expected LESSON = Lesson(...), found {type(lesson).__name__}")
    if not lesson.theorems:
        raise LessonError(f"{here}: the lesson names no theorem; write theorems=('variance_core_eq',)")
    tasks(name, lesson, where=here)
    for number in DEPTHS:
        depth(name, lesson, number, where=here)


def _where(name: str) -> str:
    return f"lesson {name}"
