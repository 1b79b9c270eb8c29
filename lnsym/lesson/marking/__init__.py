"""Marks an answer to a task. Expressions, numbers and choices have a file each; this one makes an answer of every text.

Imports what stands below lnsym.lesson, and its records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lnsym.errors import LnsymError, StatementError
from lnsym.evaluate import Exhausted
from lnsym.lesson.marking.choices import choice, rule
from lnsym.lesson.marking.expressions import expression
from lnsym.lesson.marking.numbers import number
from lnsym.lesson.marking.repairs import suggestion
from lnsym.lesson.records import Kind, Mark, Task
from lnsym.statement import OWN_NAMES, caret

__all__ = ["mark"]

_MARKERS: Mapping[Kind, Callable[[Task, str], Mark]] = {
    "next line": expression, "coefficient": expression, "compute": number, "rule": rule, "flaw": choice, "predict": choice,
}  # fmt: skip


def mark(task: Task, answer: str) -> Mark:
    """What is to be said of an answer; never an exception, whatever the text."""
    try:
        return _MARKERS[task.kind](task, answer)
    except StatementError as error:
        return _unreadable(task, error)
    except Exhausted:
        return Mark("undecided", "This takes too much work to decide here. Write it in fewer words.")
    except LnsymError as error:
        return Mark("unreadable", f"This cannot be used: {str(error).rstrip('.')}. Write a smaller or simpler line.")
    except RecursionError:
        return Mark("unreadable", "This is nested too deeply. Write a simpler line.")


def _unreadable(task: Task, error: StatementError) -> Mark:
    """Where a text cannot be read, and what may be meant."""
    meant = suggestion(task, error)
    said = str(error).replace(OWN_NAMES, "").strip()
    said = re.sub(r" Did you mean '[^']*'\?$", "", said) if meant else said
    repair = f" Did you mean {meant} ?" if meant.endswith(("'", "?")) else f" Did you mean {meant}?" if meant else ""
    return Mark("unreadable", said[:1].upper() + said[1:] + repair, caret=caret(error))
