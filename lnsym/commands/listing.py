"""`lnsym list`: the chapters and theorems of the book. Imports the library only; nothing is proved."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator

import click

from lnsym.commands.layout import width
from lnsym.derivation import Derivation, claims_of
from lnsym.library import Book, book, entries, ids
from lnsym.view.columns import words

NARROW = 24  # columns that a title has beside its name at least


def run(*, as_json: bool) -> int:
    """Print the book's contents."""
    found = book()
    if as_json:
        click.echo(json.dumps(_data(found), ensure_ascii=False, indent=1))
    else:
        click.echo("\n".join(_text(found, width() if sys.stdout.isatty() else None)))
    return 0


def _data(found: Book) -> dict[str, object]:
    theorems, records = [], []
    for name, (chapter, item) in entries(found).items():
        row = {"name": name, "chapter": chapter.name, "catalogue": list(ids(item)), "title": item.title}
        if isinstance(item, Derivation):
            theorems.append({**row, "claims": len(claims_of(item))})
        else:
            records.append(row)
    chapters = [{"name": chapter.name, "number": chapter.number, "title": chapter.title} for chapter in found.chapters]
    return {"schema": "lnsym.list/1", "chapters": chapters, "theorems": theorems, "records": records}


def _text(found: Book, columns: int | None) -> Iterator[str]:
    """The chapters; on a terminal the titles are wrapped, elsewhere each theorem has one line, so that a search finds it whole."""
    for chapter in found.chapters:
        own = {name: item for name, (home, item) in entries(found).items() if home == chapter}
        if not own:
            continue
        names, numbers = max(map(len, own)), max(len(" ".join(ids(item))) for item in own.values())
        yield click.style(f"{chapter.number}. {chapter.title}", bold=True)
        for name, item in own.items():
            lead = f"  {name:<{names}}  {' '.join(ids(item)):<{numbers}}  "
            title = item.title if isinstance(item, Derivation) else f"(record) {item.title}"
            if columns and columns - len(lead) < NARROW:  # no room beside the name: the title stands below it
                yield from words(" ".join((name, *ids(item))), 2, columns)
                yield from words(title, 4, columns)
                continue
            first, *others = textwrap.wrap(title, columns - len(lead)) if columns else [title]
            yield lead + first
            yield from (" " * len(lead) + line for line in others)
        yield ""
    claims = sum(len(claims_of(d)) for _, d in found.derivations.values())
    yield f"{len(found.derivations)} theorems with {claims} claims, {len(found.records)} records."
    yield "Next: lnsym show NAME, or lnsym prove"
