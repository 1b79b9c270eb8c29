"""`lnsym check`: decide one statement and print the verdict."""

from __future__ import annotations

import json
import shlex

import click

from lnsym.decide import Verdict, check
from lnsym.errors import StatementError
from lnsym.statement import caret

EXIT_CODES = {"proved": 0, "refuted": 1, "undecided": 3}


def run(*, statement: str, given: tuple[str, ...], vectors: tuple[str, ...], as_json: bool) -> int:
    """Decides the statement; returns 0 if it is proved, 1 if refuted, 3 if undecided, 2 if it cannot be read."""
    try:
        verdict = check(statement, given, vectors)
    except StatementError as error:
        click.echo(f"lnsym: {' '.join(str(error).split())}", err=True)
        if not as_json and (shown := caret(error)):
            click.echo(shown, err=True)
        return error.exit_code
    click.echo(json.dumps(as_dict(verdict), ensure_ascii=False) if as_json else "\n".join(lines(verdict, given, vectors)))
    return EXIT_CODES[verdict.verdict]


def as_dict(verdict: Verdict) -> dict[str, object]:
    """The verdict for JSON."""
    point = verdict.counterexample and verdict.counterexample.as_dict()
    plain = {"schema": "lnsym.check/1", "verdict": verdict.verdict, "statement": verdict.statement}
    return {**plain, "counterexample": point, "needs": list(verdict.needs), "why": verdict.why}


def lines(verdict: Verdict, given: tuple[str, ...], vectors: tuple[str, ...]) -> list[str]:
    """The verdict for a reader, and what to do next."""
    again = [f"--given {shlex.quote(x)}" for x in given] + [f"--vector {shlex.quote(x)}" for x in vectors]
    command = " ".join(["lnsym check", shlex.quote(verdict.statement), *again])
    hit = verdict.counterexample
    if hit is not None:
        found = [f"refuted: {verdict.statement}", f"  at     {hit.place}", f"  left   {hit.left}", f"  right  {hit.right}"]
        return [*found, f'next: if a hypothesis is missing, give it: {command} --given "..."']
    if verdict.verdict == "undecided":
        advice = f'next: give a hypothesis, or a smaller part: {command} --given "..."'
        return [f"undecided: {verdict.statement}", f"  {verdict.why}", advice]
    found = [f"proved for {verdict.scope}: {verdict.statement}", *(f"  needs  {need}" for need in verdict.needs)]
    if verdict.needs:
        return [*found, f"next: state what is needed: {command} {' '.join(f'--given {shlex.quote(x)}' for x in verdict.needs)}"]
    return [*found, "next: lnsym list shows the theorems of the book, lnsym show NAME a derivation"]
