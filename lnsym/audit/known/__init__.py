"""Implementations that people use, one file each, found by scanning, and the command that measures them. Imports up to the audit."""

from __future__ import annotations

import json
import pkgutil
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from lnsym.audit.known.record import Known
from lnsym.errors import LnsymError

DATA, PAGE = "compliance.json", "compliance.html"


class ForeignFile(LnsymError):
    """A file that --known would overwrite and that is no compliance table."""


@cache
def known() -> dict[str, Known]:
    """Every implementation by the name of its file, in the order of these names."""
    modules = {one.name: import_module(f"{__name__}.{one.name}") for one in pkgutil.iter_modules(__path__)}
    return {name: module.KNOWN for name, module in sorted(modules.items()) if hasattr(module, "KNOWN")}


def write(out: Path, *, as_json: bool = False) -> int:
    """Measure what is installed, write the data and its page into a folder, and print the table."""
    import click

    from lnsym.audit import table
    from lnsym.audit.known.measure import measure

    path = out / DATA
    if path.exists() and table.SCHEMA not in path.read_text(encoding="utf-8", errors="replace")[:200]:
        raise ForeignFile(f"--known: {path} is not a compliance table of lnsym; nothing was measured: name another folder with -o")
    data = measure(known(), _tell)
    try:
        out.mkdir(parents=True, exist_ok=True)
        path.write_text(dumps(data), encoding="utf-8", newline="\n")
        for name, content in table.files(data).items():
            (out / name).write_bytes(content)
    except OSError as error:
        raise ForeignFile(f"--known: cannot write into {out}: {error.strerror or error}; name another folder with -o") from None
    click.echo(dumps(data) if as_json else "\n".join(table.lines(data)), nl=not as_json)
    if not as_json:
        click.echo(f"wrote {path} and {out / PAGE}")
    return 0


def _tell(what: str) -> None:
    """Say on stderr what is being measured, if that is a terminal."""
    if sys.stderr.isatty():
        print(f"measuring {what}", file=sys.stderr)  # noqa: T201 - progress


def dumps(data: Mapping[str, Any]) -> str:
    """The data file's text."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
