"""`lnsym explain NAME`: a mistake of the catalogue, a check of the audit, a theorem or a lesson. Imports the audit and the lessons."""

from __future__ import annotations

import json

import click

from lnsym.audit.explain import SCHEMA, explain, lines
from lnsym.lesson import book


def run(*, code: str, as_json: bool) -> int:
    """Print what is to be said of a code."""
    found = _lesson(code) or explain(code)
    click.echo(json.dumps(found, ensure_ascii=False, indent=1) if as_json else "\n".join(lines(found)))
    return 0


def _lesson(name: str) -> dict[str, object] | None:
    """What is to be said of a lesson of the course, if that is its name."""
    lesson = book.lessons().get(name)
    if lesson is None:
        return None
    return {"schema": SCHEMA, "code": name, "is": "lesson", "title": lesson.title, "next": [f"lnsym learn {name}"]}
