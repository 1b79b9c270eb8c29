"""`lnsym explain CODE`: a mistake of the catalogue or a check of the audit: what, why, witness, repair. Imports the audit."""

from __future__ import annotations

import json

import click

from lnsym.audit.explain import explain, lines


def run(*, code: str, as_json: bool) -> int:
    """Print what is to be said of a code."""
    found = explain(code)
    click.echo(json.dumps(found, ensure_ascii=False, indent=1) if as_json else "\n".join(lines(found)))
    return 0
