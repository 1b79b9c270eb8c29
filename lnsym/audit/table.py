"""The compliance table: measured data as a page and as text, the same bytes on every machine. Imports the view; Jinja2 when called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lnsym.errors import LnsymError
from lnsym.view.shell import Link, environment, page

SCHEMA = "lnsym.compliance/1"
TEMPLATES = Path(__file__).parent / "templates"
WORDS = {"held": "proved", "failed": "refuted", "limited": "principle", "refused": "not-run"}  # the status that a page knows
WIDTHS = (28, 8, 8, 11, 9)
Data = Mapping[str, Any]


class BadTable(LnsymError):
    """A compliance table that cannot be read."""


def files(data: Data) -> dict[str, bytes]:
    """The page of the table, by its file name."""
    return {"compliance.html": html(data).encode()}


def html(data: Data) -> str:
    """The page."""
    from markupsafe import Markup

    if data.get("schema") != SCHEMA:
        raise BadTable(f"expected a compliance table of the schema {SCHEMA}, got {data.get('schema')!r}; `lnsym audit --known` makes one")
    body = environment(TEMPLATES).get_template("compliance.html.j2").render(
        style=Markup((TEMPLATES / "audit.css").read_text(encoding="utf-8")),
        data=data,
        eps=f"{data['eps']:g}",
        rows=[_row(one) for one in data["implementations"]],
        words=WORDS,
    )  # fmt: skip
    links = [Link("table", "The table"), Link("details", "What failed"), Link("reading", "How to read it")]
    title = "Layer norms in use against the exact one"
    said = "What lnsym audit finds of implementations that people use, with their versions"
    footer = "<p>Measured by <code>lnsym audit --known</code>, rendered by <code>lnsym report</code>.</p>"
    return page(title=title, description=said, body=body, navigation=links, footer=footer)


def _row(one: Data) -> dict[str, Any]:
    versions = ", ".join(f"{name} {number}" for name, number in one["packages"].items())
    return {**one, "versions": versions, "formats": [_format(found) for found in one["formats"]]}


def _format(found: Data) -> dict[str, Any]:
    """One format of one implementation, with what the page shows in words."""
    if "refused" in found:
        return {**found, "ordinary": "refused", "full": "refused", "named": [], "limit": "", "worst": ""}
    named = [(mistake["code"], mistake["title"]) for mistake in found["mistakes"]]
    only_limited = found["ordinary"] == "held" and found["limits"]
    limit = found["limits"][0]["id"] if only_limited else ""
    full = "limited" if only_limited else found["full"]
    return {**found, "refused": "", "named": named, "limit": limit, "full": full, "worst": _number(found["worst"])}


def _number(worst: str) -> str:
    return "no number" if worst == "nan" else worst


# ---------------------------------------------------------------- text


def lines(data: Data) -> Iterator[str]:
    """The table for a terminal: verdicts in the ordinary and the full range, the worst error in tolerances, the mistakes named."""
    yield _line("implementation", "format", "ordinary", "full", "worst", "named")
    for one in data["implementations"]:
        for number, found in enumerate(map(_format, one["formats"])):
            name = one["name"] if number == 0 else ""
            codes = " ".join(code for code, _ in found["named"])
            full = f"{found['full']} {found['limit']}".strip()
            yield _line(_short(name), found["format"], found["ordinary"], full, found["worst"], codes)
    for one in data["missing"]:
        yield f"{_short(one['name']):<{WIDTHS[0]}}  not measured: {', '.join(one['packages'])} not installed"


def _short(name: str) -> str:
    return name if len(name) <= WIDTHS[0] else f"{name[: WIDTHS[0] - 1]}…"


def _line(*cells: str) -> str:
    *first, last = cells
    return "  ".join((*(f"{cell:<{width}}" for cell, width in zip(first, WIDTHS, strict=True)), last)).rstrip()
