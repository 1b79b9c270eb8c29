"""`lnsym report`: check the book and write it as page, LaTeX, PDF and certificate, or compare with what is there."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from lnsym import library
from lnsym.errors import MissingTool
from lnsym.report.build import TEX, Built, build
from lnsym.report.choice import Choice
from lnsym.report.files import differences, refuse_foreign, write

PDF = "layer_norm.pdf"
MEASURED = "compliance.json"


def run(*, out: Path, only: tuple[str, ...], notation: str, formats: tuple[str, ...], quick: bool, check: bool) -> int:
    """Write the report, or compare it; returns the exit code."""
    from lnsym.cli import progress

    choice = Choice(tuple(dict.fromkeys(map(library.known, only))), notation, quick)
    if not check:
        refuse_foreign(out)  # before the work, and again when writing
    built = build(choice, formats, progress)
    files, missing = dict(built.files), None
    if "html" in formats and not choice.only:
        files |= _compliance(out)
    if "pdf" in formats:
        from lnsym.report.pdf import pdf

        try:
            files[PDF] = pdf(files[TEX])
        except MissingTool as error:
            missing = error
    if check:
        code = _compared(files, out, choice)
    else:
        write(files, out)
        click.echo("\n".join(_summary(built, files, out, choice.only)))
        code = 0
    for text in built.against:
        click.echo(f"lnsym: {text}", err=True)
    if missing is not None:
        click.echo(f"lnsym: {missing}; everything else is written", err=True)
    return 1 if built.against else code or (missing.exit_code if missing else 0)


def _compliance(out: Path) -> dict[str, bytes]:
    """The rendering of the measured table of implementations, where it lies in the folder."""
    measured = out / MEASURED
    if not measured.is_file():
        return {}
    from lnsym.audit import table

    try:
        return table.files(json.loads(measured.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise table.BadTable(f"{measured} cannot be read: {error}; write it again with lnsym audit --known") from None


def _compared(files: dict[str, bytes], out: Path, choice: Choice) -> int:
    found = differences(files, out)
    if found:
        click.echo("\n".join(found))
        click.echo(
            f"{len(found)} of {len(files)} files differ from what this tree generates. Next: {choice.command} -o {out}, then read the diff"
        )
        return 1
    click.echo(f"{out}: {len(files)} files, equal to what this tree generates")
    return 0


def _summary(built: Built, files: dict[str, bytes], out: Path, asked: tuple[str, ...]) -> list[str]:
    theorems = len(asked) or len(built.report.cards)
    cited = f" (and {more} that {'it cites' if theorems == 1 else 'they cite'})" if (more := len(built.report.cards) - theorems) else ""
    lines = [f"Layer normalization with epsilon: {theorems} {'theorem' if theorems == 1 else 'theorems'}{cited}"]
    width = max(len(str(count.number)) for count in built.report.counts)
    lines += [f"  {count.number:>{width}}  {count.text}" for count in built.report.counts]
    own = sorted(name for name in files if "/" not in name)
    folders = Counter(name.split("/")[0] for name in files if "/" in name)
    others = "".join(f", {number} files in {folder}/" for folder, number in sorted(folders.items()))
    lines.append(f"wrote {', '.join(own)}{others} into {out}")
    lines.append(f"Next: open {out / next(name for name in ('index.html', PDF, TEX, own[0]) if name in files)}")
    return lines
