"""The report as LaTeX: no warning from pdflatex, and a stranger can paste a theorem out of it. Imports view; Jinja2 when called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lnsym.errors import MissingTool
from lnsym.report.html import ASSUMPTIONS, FORWARD
from lnsym.report.records import Calculation, Card, Report, Source, Statement
from lnsym.view.breaking import lines, width
from lnsym.view.figures import Table, pgfplots
from lnsym.view.status import status

if TYPE_CHECKING:
    from jinja2 import Environment

LINE = 74.0  # letters of a displayed formula that fit a line
START = 18.0  # of a start that stands before its first sign
REASON = 36.0  # of the reason beside a formula
_ESCAPES = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_",
    "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "“": "``", "”": "''", "’": "'", "‘": "`", "–": "--", "—": "---",
    "…": "\\ldots{}", "¶": "$\\mathparagraph$\\,", "²": "$^2$", "×": "$\\times$", "ε": "$\\varepsilon$", "≥": "$\\ge$", "≤": "$\\le$",
    "<": "$<$", ">": "$>$", "|": "$|$", "→": "$\\to$", "\u00a0": "~",
}  # fmt: skip
_CODE = {**_ESCAPES, "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}"}


def tex(report: Report, tables: Mapping[str, Table]) -> str:
    """The LaTeX file; `tables` holds the figures, none for a report of some theorems only."""
    environment = _environment()
    environment.filters.update(prose=prose, inline=inline, plain=_plain)
    template = environment.get_template("layer_norm.tex.j2")
    written: str = template.render(
        report=report, forward=FORWARD, assumptions=ASSUMPTIONS, tables=list(tables.values()), pgfplots=pgfplots,
        theorem=theorem, source=_source, coverage=_coverage(report), records=[record for part in report.parts for record in part.records],
        status=status,
    )  # fmt: skip
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in written.split("\n")))


def _environment() -> Environment:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise MissingTool("the report needs the package jinja2: pip install jinja2") from error

    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        block_start_string="<%", block_end_string="%>", variable_start_string="<<", variable_end_string=">>", comment_start_string="<#",
        comment_end_string="#>", keep_trailing_newline=True,
    )  # fmt: skip


# ---------------------------------------------------------------- text


def prose(text: str) -> str:
    """A text with $formulas$ and `code` as LaTeX."""
    return "".join(_piece(piece) for piece in re.split(r"(\$[^$]+\$|`[^`]+`)", text))


def _piece(piece: str) -> str:
    if len(piece) > 2 and piece[0] == piece[-1] == "$":
        return f"${inline(piece[1:-1])}$"
    if len(piece) > 2 and piece[0] == piece[-1] == "`":
        return "\\texttt{" + _escape(piece[1:-1], _CODE) + "}"
    return _escape(piece, _ESCAPES)


def _plain(text: str) -> str:
    return _escape(text, _ESCAPES)


def _escape(text: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(character, character) for character in text)


def inline(latex: str) -> str:
    """A formula in a line of text, which may break after the commas of a point or a vector."""
    return _amsmath(latex).replace(",\\ ", ",\\ \\allowbreak ").replace(",\\,", ",\\,\\allowbreak ")


def _amsmath(latex: str) -> str:
    """Without the letters of amssymb."""
    return latex.replace("\\mathbb{E}", "\\operatorname{E}").replace("\\mathbb{R}", "\\mathbf{R}")


# ---------------------------------------------------------------- formulas


def display(latex: str) -> str:
    """A displayed formula, in several lines where it is long."""
    return f"\\begin{{equation*}}\n  {_rows(latex)}\n\\end{{equation*}}"


def _rows(latex: str) -> str:
    made = lines(_amsmath(latex), LINE)
    if len(made) == 1:
        return made[0]
    inner = " \\\\\n  &\\quad ".join(line.strip() for line in made)
    return f"\\begin{{split}}\n  &{inner}\n  \\end{{split}}"


def calculation(chain: Calculation) -> str:
    """The start and its steps, aligned at their signs, each with its reason beside it, or below where the formula needs the line."""
    short = width(chain.start) <= START
    room = LINE - width(chain.start) if short else LINE
    start = 0.0 if short else max(map(width, lines(_amsmath(chain.start), LINE)))  # it stands in the column of the formulas
    beside = all(width(step.latex) <= room - REASON for step in chain.steps) and start <= LINE - REASON + 12
    rows = [] if short else [f"  & {_joined(lines(_amsmath(chain.start), LINE))}"]
    for number, step in enumerate(chain.steps):
        why = prose(step.why)
        left = _amsmath(chain.start) if short and number == 0 else ""
        formula = _joined(lines(_amsmath(step.latex), room - 6))
        if beside:
            rows.append(f"  {left}& {step.relation} {formula} &\\quad& \\parbox[t]{{0.4\\textwidth}}{{\\small\\raggedright {why}}}")
        else:
            rows.append(f"  {left}& {step.relation} {formula}")
            rows.append(f"  & \\qquad\\parbox[t]{{0.72\\textwidth}}{{\\small\\raggedright {why}}}")
    return "\\begin{alignat*}{2}\n" + " \\\\\n".join(rows) + "\n\\end{alignat*}"


def _joined(parts: list[str]) -> str:
    return " \\\\\n  & \\qquad ".join(part.strip() for part in parts)


# ---------------------------------------------------------------- theorems


def theorem(card: Card) -> str:
    """A theorem with its proofs, points and near misses."""
    kind = "example" if _numbers(card) else "theorem"
    parts = [f"\\begin{{{kind}}}[{{{prose(card.title)}}}]\\label{{thm:{card.name}}}"]
    if card.doc:
        parts.append(prose(card.doc))
    if card.hypotheses:
        parts.append("Given " + ", ".join(map(prose, card.hypotheses)) + ".")
    parts += _statements(card.statements)
    parts.append(f"\\end{{{kind}}}")
    parts.append(_standing(card))
    for chain in card.chains:
        parts += [_proof(chain)]
    if card.points:
        parts.append("\\begin{itemize}\\raggedright")
        parts += [f"\\item At ${inline(point.at)}$: {_shown(point.value)}" for point in card.points]
        parts.append("\\end{itemize}")
    for miss in card.near_misses:
        parts.append("\\begin{remark}[close, but false]\\raggedright")
        parts.append(f"{prose(miss.why)} It is not true that")
        parts.append(display(miss.latex))
        if miss.counterexample:
            point = miss.counterexample
            parts.append(f"At ${inline(point.at)}$ the left side is ${inline(point.left)}$ and the right side is ${inline(point.right)}$.")
        else:
            parts.append("No counterexample was found.")
        parts.append("\\end{remark}")
    return "\n".join(parts)


def _numbers(card: Card) -> bool:
    return all(badge.kind == "evaluated" for statement in card.statements for badge in statement.badges)


def _statements(statements: Sequence[Statement]) -> Iterable[str]:
    """The claims with their numbers; those without words between them share one display."""
    waiting: list[str] = []
    for number, statement in enumerate(statements, 1):
        if statement.label:
            yield from _gathered(waiting)
            words = prose(_capital(statement.label)).rstrip(".")
            yield f"{words}:" if statement.index or statement.matrix else f"{words}."
        tag = f" \\tag*{{({number})}}" if len(statements) > 1 else ""
        formulas = [_rows(one) for one in (statement.index, statement.matrix) if one]
        if len(formulas) == 2 and width("".join(formulas)) <= LINE - 20 and "split" not in "".join(formulas):
            formulas = ["\\qquad\\text{in matrices}\\qquad ".join(formulas)]
        waiting += [one + (tag if place == 0 else "") for place, one in enumerate(formulas)]
        if statement.why:
            yield from _gathered(waiting)
            yield prose(statement.why)
    yield from _gathered(waiting)


def _gathered(waiting: list[str]) -> Iterable[str]:
    if waiting:
        yield "\\begin{gather*}\n  " + " \\\\\n  ".join(waiting) + "\n\\end{gather*}"
    waiting.clear()


def _shown(latex: str) -> str:
    """A formula in a line of text, or below it where it is long."""
    return f"${inline(latex)}$." if width(latex) <= LINE else display(latex)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _standing(card: Card) -> str:
    said = "; ".join(prose(badge.text or status(badge.kind).text) for badge in card.badges)
    parts = [f"{_capital(said)}." if said else "", f"File \\texttt{{{_escape(card.name, _CODE)}}}, {', '.join(map(_plain, card.sources))}."]
    if card.uses:
        parts.append("Rests on " + ", ".join(f"Theorem~\\ref{{thm:{link.name}}}" for link in card.uses) + ".")
    if card.principles:
        parts.append("Leans on " + ", ".join(map(prose, card.principles)) + ".")
    return "{\\small\\raggedright\\noindent " + " ".join(filter(None, parts)) + "\\par}"


def _proof(chain: Calculation) -> str:
    facts = dict.fromkeys(fact for step in chain.steps for fact in step.facts)
    assumptions = dict.fromkeys(text for step in chain.steps for text in step.assumptions)
    used = "Facts needed: " + ", ".join(map(prose, facts)) + "." if facts else ""
    needs = " Assumed: " + ", ".join(map(prose, assumptions)) + "." if assumptions else ""
    head = f"[{{{prose(chain.title)}}}]" if chain.title else "[Derivation]"
    closing = f"{{\\small {used}{needs}}}" if used or needs else ""
    return f"\\begin{{proof}}{head}\\raggedright\\leavevmode\n{calculation(chain)}\n{closing}\n\\end{{proof}}"


def _source(record: Source) -> str:
    fields = "; ".join(f"{_plain(name)}: {prose(value)}" for name, value in record.fields)
    return f"\\bibitem{{{record.name}}} \\emph{{{prose(record.title)}}} {prose(record.says)}" + (f" {fields}." if fields else "")


def _coverage(report: Report) -> dict[str, list[tuple[str, str]]]:
    """The rows of the coverage table by paragraph of the sources."""
    theorems = {card.name for card in report.cards}
    records = {record.name for part in report.parts for record in part.records}
    found: dict[str, list[tuple[str, str]]] = {}
    for row in report.coverage:
        places = [
            f"\\ref{{thm:{link.name}}}" if link.name in theorems
            else f"\\cite{{{link.name}}}" if link.name in records
            else f"Figure~\\ref{{fig:{link.name.removeprefix('figure-')}}}"
            for link in row.settled
        ]  # fmt: skip
        where = "; ".join(filter(None, (", ".join(places), prose(row.note or ""))))
        found.setdefault(row.source, []).append((prose(row.sentence), where))
    return found
