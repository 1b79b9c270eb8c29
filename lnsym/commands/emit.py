"""`lnsym emit`: write one self-contained module from proved theorems, or list what can be written. Imports up to the emitter."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from lnsym.commands.output import refuse, write
from lnsym.emit.build import Emitted, build
from lnsym.emit.plan import EmitInputError, offers, one_pass_refused
from lnsym.emit.promise import TIERS
from lnsym.emit.targets import Target, target, targets


def run(
    *, language: str | None, ops: tuple[str, ...], tier: str, out: Path | None, as_json: bool, force: bool, listing: bool, variance: str
) -> int:
    """Emit code, or list operations, tiers and targets."""
    if out is not None and str(out) == "-":
        out = None
    if listing:
        click.echo(json.dumps(_listed(), ensure_ascii=False, indent=1) if as_json else "\n".join(_lines()))
        return 0
    if language is None:
        raise EmitInputError(f"expected a target, one of {', '.join(targets())}: lnsym emit numpy; see lnsym emit --list")
    chosen = target(language)
    if variance == "one-pass":
        raise one_pass_refused(ops[0] if ops else "layer_norm")
    if out is not None:
        mark = chosen.mark.encode()  # before the work
        refuse(out, lambda content: content.startswith(mark), force, f"ln{chosen.suffix}", otherwise="was not written by lnsym emit")
    with _waiting(f"Proving the text of the {tier} tier, which may take two minutes ..."):
        emitted = build(language, ops or None, tier)
    if out is not None:
        write(out, emitted.source)
    if as_json:
        click.echo(json.dumps({**emitted.certificate, "sha256": emitted.hash}, ensure_ascii=False, indent=1))
    elif out is None:
        click.echo(emitted.source, nl=False)
    else:
        click.echo("\n".join(_summary(emitted, chosen, out)))
    return 0


@contextmanager
def _waiting(what: str) -> Iterator[None]:
    """Say what takes so long on stderr, if that is a terminal, and take it back."""
    shown = sys.stderr.isatty()
    if shown:
        click.echo(what, err=True, nl=False)
    try:
        yield
    finally:
        if shown:
            click.echo(f"\r{' ' * len(what)}\r", err=True, nl=False)


# ---------------------------------------------------------------- the list


def _listed() -> dict[str, object]:
    rows = [
        {
            "operation": op,
            "theorems": sorted({name for name, _ in own}),
            "results": [offer.result for _, offer in own],
            "tiers": {name: list(one.tiers(op)) for name, one in targets().items()},
        }
        for op, own in offers().items()
    ]
    return {"schema": "lnsym.emit-list/1", "targets": {name: one.title for name, one in targets().items()}, "operations": rows}


def _lines() -> Iterator[str]:
    known, languages = offers(), targets()
    width = max(map(len, known))
    for name, one in languages.items():
        yield click.style(f"{name}: {one.title}", bold=True)
        yield f"  {'operation':<{width}}  {'  '.join(f'{tier:<5}' for tier in TIERS)}  theorems"
        for op, own in known.items():
            marks = "  ".join(f"{'yes' if tier in one.tiers(op) else '-':<5}" for tier in TIERS)
            yield f"  {op:<{width}}  {marks}  {', '.join(sorted({theorem for theorem, _ in own}))}"
        yield ""
    yield "Next: lnsym emit numpy -o ln.py, or with --op NAME,NAME and --tier TIER"


# ---------------------------------------------------------------- the summary


def _counted(number: int, word: str, several: str = "") -> str:
    return f"{number} {word}" if number == 1 else f"{number} {several or word + 's'}"


def _summary(emitted: Emitted, chosen: Target, out: Path) -> Iterator[str]:
    found = emitted.certificate
    operations, records = found["operations"], found["validation"]
    assert isinstance(operations, list)
    assert isinstance(records, list)
    yield f"wrote {out}: {', '.join(operations)}; {found['tier']} tier, certificate sha256 {emitted.hash[:12]}..."
    for record in records:
        if "proofs" in record:
            paths, proofs = (_counted(record[key], word) for key, word in (("paths", "path"), ("proofs", "equation")))
            yield f"  {record['function']}: {paths} through the text, {proofs} proved for every d"
    if identities := sum(record["identities"] for record in records if "identities" in record):
        yield f"  its sums{' and stages' if found['tier'] == 'exact' else ''}: {_counted(identities, 'exact identity', 'exact identities')}"
    yield f"Next: {chosen.trial.format(out)}"
