"""`lnsym lesson export NAME`: a lesson as a handout, with or without solutions. Imports the lessons."""

from __future__ import annotations

from pathlib import Path

import click

from lnsym.commands.learn import chosen_from, of_course
from lnsym.commands.output import refuse, write
from lnsym.lesson.handout import MARKS, handout


def run(*, name: str, fmt: str, solutions: bool, out: Path | None, force: bool) -> int:
    """Print a handout, or write it into a file; a NAME that ends in .py is a lesson of one's own."""
    chosen = chosen_from(Path(name)) if name.endswith(".py") else of_course(name)
    if out is not None:
        refuse(out, lambda content: content.startswith(MARKS[fmt].encode()), force, f"{chosen.name}.{fmt}")
    made = handout(chosen.name, chosen.lesson, fmt, solutions=solutions, where=chosen.origin)
    if out is None:
        click.echo(made, nl=False)
        return 0
    write(out, made)
    click.echo(f"wrote {out}: {chosen.lesson.title}, {'with' if solutions else 'without'} solutions")
    more = chosen.command if solutions else f"lnsym lesson export {name} --format {fmt} --solutions"
    click.echo(f"Next: pdflatex {out}" if fmt == "tex" else f"Next: {more}")
    return 0
