"""Reads a lesson that somebody wrote outside the package, and tells its author what to mend. Imports the course.

A lesson of one's own is one Python file that defines LESSON, the same record that the course is made of:

    from lnsym.lesson.records import Compute, Lesson, NextLine

    LESSON = Lesson(
        title="The variance of the core",
        question="Is the variance of what comes out of a layer norm one?",
        theorems=("variance_core_eq",),
        idea="Almost: {variance_core_eq.1}. At {variance_core_eq.1.at} it is {variance_core_eq.1.value}.",
        tasks=(
            Compute("variance_core_eq", point=1),
            NextLine("variance_core_eq", step=2),
        ),
    )

`lnsym learn --from my_lesson.py` teaches it, `lnsym lesson export my_lesson.py` makes a handout of it. The lesson is called after its file.
Theorems are named as in `lnsym list`; `name.1.3` tells only their claims 1 and 3. Formulas stand in the words as references to theorems,
which are written as in lnsym.lesson.references; the kinds of tasks are in lnsym.lesson.records. All that a lesson shows is proved in the
process that shows it, so a lesson can only speak of what the book proves: a new theorem first becomes a file in a chapter of derivations/,
like those that stand there, and `lnsym prove NAME` says whether it holds.

The file is Python and is run: read it before you run one that is not yours.
"""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import re
import sys
import traceback
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from lnsym.errors import LnsymError
from lnsym.lesson import book, records
from lnsym.lesson.figures import FIGURES
from lnsym.lesson.records import Lesson, LessonError

LARGEST = 1_000_000  # bytes of a file
EXAMPLE = "LESSON = Lesson(title=..., question=..., theorems=(...,), idea=..., tasks=(...,)) with `from lnsym.lesson.records import Lesson`"
_NUMBERED = re.compile(r"(task|theorem) (\d+)")


def read(path: Path) -> tuple[str, Lesson]:
    """The lesson of a file and its name; LessonError with file and line for whatever cannot be used."""
    source = _source(path)
    try:
        tree = ast.parse(source, str(path))
    except (SyntaxError, ValueError) as error:  # a null byte is a ValueError
        line = getattr(error, "lineno", None) or 1
        raise LessonError(f"{path}, line {line}: this is not Python: {getattr(error, 'msg', error)}; mend the line") from None
    lesson = _lesson(_run(path, source), path, tree)
    name = path.stem
    if problem := _shape_fault(lesson):
        field, what = problem
        raise LessonError(f"{path}, line {_line(tree, field)}: {what}")
    try:
        book.check(name, lesson, where=str(path))
    except LessonError as error:
        raise LessonError(_placed(str(error), path, tree)) from None
    return name, lesson


def _source(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise LessonError(f"{path} is a folder; name a lesson file in it, such as {path / 'my_lesson.py'}")
        if path.stat().st_size > LARGEST:
            raise LessonError(f"{path} has more than {LARGEST} bytes; a lesson file is short")
        return path.read_bytes()
    except OSError as error:
        raise LessonError(f"cannot read {path}: {error.strerror or error}; name a Python file that holds LESSON") from None


def _run(path: Path, source: bytes) -> ModuleType:
    """The module of the file, under a name of its own, so that it hides no other."""
    name = f"_lnsym_lesson_{re.sub(r'[^0-9A-Za-z]', '_', path.stem)}"
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)
    except LnsymError as error:
        raise LessonError(f"{path}, line {_failed_at(error, path)}: {error}; mend the line") from None
    except SystemExit:
        raise LessonError(f"{path}: the file ends the program when it is read; let it define LESSON and do nothing else") from None
    except Exception as error:  # noqa: BLE001 - whatever the author's own code raises
        raise LessonError(f"{path}, line {_failed_at(error, path)}: {_told(error)}") from None
    finally:
        del sys.modules[name]
    return module


def _failed_at(error: BaseException, path: Path) -> int:
    """The line of the word that Python does not take; else the last line of the file itself that was running."""
    if named := re.search(r"unexpected keyword argument '(\w+)'", str(error)):
        tree = ast.parse(path.read_bytes())
        return next((node.value.lineno for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == named[1]), 1)
    own = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return own[-1] or 1 if own else 1


def _told(error: Exception) -> str:
    """An error of Python, with what to do where its author can know it."""
    said = f"{type(error).__name__}: {error}".rstrip(": ")
    if isinstance(error, TypeError) and (found := re.match(r"(\w+)\.__init__\(\) (.*)", str(error))):
        record = vars(records).get(found[1])
        if isinstance(record, type) and is_dataclass(record):
            known = ", ".join(one.name if one.default is MISSING else f"[{one.name}]" for one in fields(record))
            return f"{found[1]}(...) {found[2]}; it takes {known}"
    if isinstance(error, NameError):
        classes = [name for name, value in vars(records).items() if is_dataclass(value)]
        near = next(iter(get_close_matches(str(error.name), classes, 1, 0.6)), "Lesson")
        return f"{said}; the records of a lesson are imported: `from lnsym.lesson.records import {near}`"
    if isinstance(error, ImportError):
        return f"{said}; the records of a lesson are in lnsym.lesson.records"
    return f"{said}; mend the line"


def _lesson(module: ModuleType, path: Path, tree: ast.Module) -> Any:
    found = getattr(module, "LESSON", None)
    if found is None:
        near = next((name for name, value in vars(module).items() if isinstance(value, Lesson)), None)
        raise LessonError(f"{path} defines no LESSON; " + (f"rename {near} to LESSON" if near else f"write {EXAMPLE}"))
    if not isinstance(found, Lesson):
        raise LessonError(f"{path}, line {_line(tree)}: LESSON is {_kind(found)}, expected a Lesson; write {EXAMPLE}")
    return found


# ---------------------------------------------------------------- the author's slips


def _shape_fault(lesson: Lesson) -> tuple[str, str] | None:
    """The first field that is not what the record says, and what to write instead."""
    for name in ("title", "question", "idea", "prose", "figure"):
        value = getattr(lesson, name)
        if not isinstance(value, str):
            return name, f"{name} is {_kind(value)}, expected a text in quotes"
        if name in ("title", "question", "idea") and not value.strip():
            return name, f"{name} is empty; write a sentence"
    for name in ("theorems", "tasks", "after"):
        value = getattr(lesson, name)
        if not isinstance(value, tuple):
            return name, f"{name} is {_kind(value)}, expected a tuple: {name}=(..., ), with a comma after the only one"
    for name in ("theorems", "after"):
        for one in getattr(lesson, name):
            if not isinstance(one, str):
                return name, f"an entry of {name} is {_kind(one)}, expected a name in quotes"
    if lesson.figure and lesson.figure not in FIGURES:
        return "figure", f"there is no figure {lesson.figure!r}; the figures are {', '.join(FIGURES)}, or leave it out"
    unknown = [one for one in lesson.after if one not in book.lessons()]
    if unknown:
        return "after", f"there is no lesson {unknown[0]!r} for this one to come after; the course has {', '.join(book.lessons())}"
    for number, one in enumerate(lesson.tasks, 1):
        for field in fields(one) if hasattr(one, "__dataclass_fields__") else ():
            value, wanted = getattr(one, field.name), int if field.type == "int" else str
            if not isinstance(value, wanted) or isinstance(value, bool):
                what = "a whole number" if wanted is int else "a text in quotes"
                return f"task {number}", f"task {number} ({type(one).__name__}): {field.name} is {_kind(value)}, expected {what}"
    return None


def _kind(value: object) -> str:
    name = type(value).__name__
    known = {"str": "a text", "list": "a list", "tuple": "a tuple", "int": "a number", "dict": "a dictionary", "type": "a class"}
    return known.get(name, f"of the kind {name}")


def _placed(message: str, path: Path, tree: ast.Module) -> str:
    """The message with the line of the field, theorem or task that it speaks of."""
    rest = message.removeprefix(str(path)).lstrip(":, ")
    head = rest.split(":")[0]
    numbered = _NUMBERED.match(head)
    field = f"{numbered[1]} {numbered[2]}" if numbered else next((one for one in ("question", "idea", "prose") if head == one), "theorems")
    return f"{path}, line {_line(tree, field)}: {rest}"


def _line(tree: ast.Module, field: str = "") -> int:
    """The line at which LESSON, one of its fields, or one of its tasks or theorems begins, as far as the file shows it."""
    target = next((node for node in tree.body if _assigns(node)), None)
    if target is None:
        return 1
    call = target.value if isinstance(target, (ast.Assign, ast.AnnAssign)) else None
    name, _, number = field.partition(" ")
    name = {"task": "tasks", "theorem": "theorems"}.get(name, name)
    places = [one.name for one in fields(Lesson)]
    arguments = dict(zip(places, call.args, strict=False)) if isinstance(call, ast.Call) else {}
    arguments |= {one.arg: one.value for one in call.keywords if one.arg} if isinstance(call, ast.Call) else {}
    value = arguments.get(name)
    if isinstance(value, ast.Tuple) and number and int(number) <= len(value.elts):
        value = value.elts[int(number) - 1]
    return value.lineno if value is not None else target.lineno


def _assigns(node: ast.stmt) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return any(isinstance(one, ast.Name) and one.id == "LESSON" for one in targets)
