"""The report as one page. Imports the page model and the view; Jinja2 when called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from lnsym.report.records import Card, Count, Report
from lnsym.view.figures import Table, svg
from lnsym.view.graph import Node, listing
from lnsym.view.graph import svg as drawn_map
from lnsym.view.shell import Link, environment, page
from lnsym.view.status import STATUSES

FORWARD = (
    {"latex": r"u=\frac{z-\mu\mathbf 1}{\sqrt{q+\varepsilon}}", "words": "the normalized core"},
    {"latex": r"y=\gamma\odot u+\beta", "words": "the full output"},
    {"latex": r"J=\frac{\partial u}{\partial z}=\frac1s\left(P-\frac{v v^\top}{d\,(q+\varepsilon)}\right)", "words": "the Jacobian"},
)
ASSUMPTIONS = (
    r"$z$ has $d\ge1$ real coordinates; nothing else is assumed of $d$ unless a theorem says so.",
    r"$\varepsilon>0$ wherever a theorem lists it under “Given”. $\varepsilon=0$ has theorems of its own, which ask for $q>0$.",
    r"The variance $q$ has divisor $d$, and $\varepsilon$ stands under the root: $s=\sqrt{q+\varepsilon}$.",
    r"$\gamma$ and $\beta$ are fixed when derivatives by $z$ are taken.",
)
_PRIMARY = ("principle", "proved", "calculus", "evaluated")


def html(report: Report, tables: Mapping[str, Table]) -> str:
    """The page; `tables` holds the figures, none for a report of some theorems only."""
    nodes = [_node(card, part.title) for part in report.parts for card in part.cards]
    body = environment(Path(__file__).parent / "templates").get_template("index.html.j2").render(
        report=report,
        hero={"title": _title(report), "lead": _lead(report), "formulas": FORWARD, "counts": report.counts},
        assumptions=ASSUMPTIONS,
        map=drawn_map(nodes),
        listing=listing(nodes),
        kinds=[kind for kind in STATUSES if any(node.status == kind for node in nodes)],
        tables=list(tables.values()),
        draw=svg,
        statuses=_explained(report.counts),
    )  # fmt: skip
    footer = f"<p>Written by <code>{report.command}</code>. The same command writes the same bytes on every machine.</p>"
    words = "Layer normalization with epsilon: every claim with its derivation, its near misses and how it was checked"
    links = _navigation(report, bool(tables))
    return page(title="Layer normalization with epsilon", description=words, body=body, navigation=links, footer=footer)


def _title(report: Report) -> str:
    if not report.partial:
        return r"Layer normalization with $\varepsilon$"
    asked = {card.name: card.title for card in report.cards}
    return "; ".join(asked[name] for name in report.partial)


def _lead(report: Report) -> str:
    if report.partial:
        others = len(report.cards) - len(report.partial)
        rests = f", with the {others} {'theorem' if others == 1 else 'theorems'} that it rests on" if others else ""
        return f"One part of the book{rests}."
    return (
        "What a positive constant under the root does to mean, variance, symmetries, derivatives and sensitivity. Every claim is proved "
        "for every dimension $d$ by a small kernel, or says what else stands behind it. Every sign between two lines opens."
    )


def _navigation(report: Report, figures: bool) -> list[Link]:
    links = [Link("map", "What rests on what")]
    links += [Link(part.name, f"{part.number} {part.title}") for part in report.parts]
    if report.principles:
        links.append(Link("principles", "Principles of analysis"))
    if figures:
        links.append(Link("figures", "Figures"))
    if report.code:
        links.append(Link("code", "Emitted code"))
    if report.coverage:
        links.append(Link("coverage", "The sources, sentence by sentence"))
    return [*links, Link("glossary", "Glossary"), Link("checking", "How to check all this")]


def _node(card: Card, chapter: str) -> Node:
    kinds = [badge.kind for badge in card.badges]
    status = next((kind for kind in _PRIMARY if kind in kinds), "not-run")
    return Node(card.name, _plain(card.title), chapter, status, tuple(link.name for link in card.uses))


def _plain(text: str) -> str:
    """A title for the map, where no formula can be drawn."""
    table = {
        "\\varepsilon": "ε", "\\gamma": "γ", "\\beta": "β", "\\rho": "ρ", "\\mu": "μ", "\\sigma": "σ", "\\delta": "δ", "\\lambda": "λ",
        "\\tau": "τ", "\\theta": "θ", "\\alpha": "α", "\\eta": "η", "\\top": "ᵀ", "\\mathbf 1": "1", "\\ge": "≥", "\\le": "≤", "\\ne": "≠",
        "\\cdot": "·", "\\,": " ", "\\mapsto": "→", "\\sum_i": "∑", "\\langle ": "⟨", "\\rangle": "⟩",
        "^{2}": "²", "^{3}": "³", "^{-1}": "⁻¹", "_1": "₁", "_2": "₂", "\\operatorname": "", "$": "", "`": "",
    }  # fmt: skip
    text = re.sub(r"\\sqrt\{(\w|\\varepsilon)\}", r"√\1", text)
    text = re.sub(r"\\sqrt\{((?:[^{}]|\{[^{}]*\})*)\}", r"√(\1)", text)
    text = re.sub(r"\^\{([^{}\\]*[/ ][^{}\\]*)\}", r"^(\1)", text)  # x^{3/2} y is not x^3/2 y
    text = "".join(part.replace("-", "−") if place % 2 else part for place, part in enumerate(text.split("$")))  # a hyphen stays
    for latex, plain in sorted(table.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(latex, plain)
    return text.replace("{", "").replace("}", "").replace("^ᵀ", "ᵀ")


def _explained(counts: tuple[Count, ...]) -> list[tuple[str, str]]:
    """The statuses that occur, each with what it means."""
    means = {
        "proved": "the kernel reduced both sides to one normal form, or found the certificate of a sign, for symbolic $d$ and "
        "all inputs; where a hypothesis fixes $d$, the badge says so.",
        "sympy": "SymPy differentiated the raw definitions at the dimensions named and reached the claim by itself.",
        "checked": "both sides were evaluated by mpmath at 60 digits, derivatives numerically, at random points that meet the hypotheses.",
        "calculus": "a limit, an integral or a monotonicity that SymPy worked out.",
        "evaluated": "both sides were computed at this point in exact arithmetic, straight from the definitions.",
        "refuted": "a point was found, in exact arithmetic, at which the statement fails while all its hypotheses hold.",
        "principle": "the theorem uses a principle of analysis that is listed and not proved here.",
        "not-run": "the check was left out when this report was written.",
    }
    return [(count.kind, means[count.kind]) for count in counts]
