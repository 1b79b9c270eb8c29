"""The page model: the cards of all theorems, what is counted, the coverage of the sources. Imports up to view, and SymPy never."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from lnsym.coverage import rows
from lnsym.derivation import PRINCIPLES, Theorem
from lnsym.library import Book, Chapter
from lnsym.report.card import CardWriter
from lnsym.report.choice import Choice, Findings
from lnsym.report.code import code
from lnsym.report.glossary import FRAMEWORKS, glossary
from lnsym.report.records import Badge, Card, Count, Link, Part, Report, Settled, Source
from lnsym.view.figures import figure_tables
from lnsym.view.typeset import typeset


def report(theorems: Mapping[str, Theorem], book: Book, choice: Choice, findings: Findings) -> Report:
    """The whole report of checked theorems."""
    titles = {name: typeset(theorem.derivation.title).rstrip(".") for name, theorem in theorems.items()}
    writers = {name: CardWriter(theorem, book, titles, choice, findings, _used_by(name, theorems)) for name, theorem in theorems.items()}
    cards = {name: writer.card() for name, writer in writers.items()}
    parts = tuple(filter(None, (_part(chapter, cards, theorems, book, choice) for chapter in book.chapters)))
    leant_on = sorted({principle for theorem in theorems.values() for principle in theorem.derivation.leans_on})
    return Report(
        parts=parts,
        counts=_counts(cards.values()),
        principles=tuple((name, typeset(PRINCIPLES[name])) for name in leant_on),
        coverage=() if choice.only else _coverage(titles, cards, book),
        glossary=glossary(book.theory),
        frameworks=FRAMEWORKS,
        command=choice.command,
        partial=choice.only,
        notation=choice.notation,
        code=code(findings.code, titles) if findings.code else None,
    )


def _used_by(name: str, theorems: Mapping[str, Theorem]) -> tuple[str, ...]:
    return tuple(other for other, theorem in theorems.items() if name in theorem.premises)


def _part(chapter: Chapter, cards: Mapping[str, Card], theorems: Mapping[str, Theorem], book: Book, choice: Choice) -> Part | None:
    own = tuple(card for name, card in cards.items() if theorems[name].chapter == chapter.name)
    records = () if choice.only else tuple(_source(name, book) for name, (home, _) in book.records.items() if home == chapter)
    return Part(chapter.name, chapter.number, chapter.title, own, records) if own or records else None


def _source(name: str, book: Book) -> Source:
    record = book.records[name][1]
    # A field may name theorems of the book; they are shown as such.
    fields = tuple((key, _named(value) if key == "theorems" else typeset(value)) for key, value in record.fields)
    return Source(name, record.title, typeset(record.says), fields, (record.catalogue, *record.cites))


_SETTLES = ("proved", "calculus", "evaluated")


def _named(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", "))


def _coverage(titles: Mapping[str, str], cards: Mapping[str, Card], book: Book) -> tuple[Settled, ...]:
    names = {name: Link(name, title) for name, title in titles.items()}
    names |= {name: Link(name, record.title) for name, (_, record) in book.records.items()}
    tables = figure_tables()
    found = []
    for row in rows():
        figures = dict.fromkeys(part.figure for part in row.parts if part.figure)
        links = [names[name] for name in row.settled if name in names]
        links += [Link(f"figure-{name}", f"the figure “{tables[name].title}”") for name in figures]
        kinds = dict.fromkeys(
            badge.kind for link in links if link.name in cards for badge in cards[link.name].badges if badge.kind in _SETTLES
        )
        notes = dict.fromkeys(part.reason for part in row.parts if part.reason)
        found.append(Settled(row.source, row.text.replace("^[ref]", ""), tuple(links), tuple(map(Badge, kinds)), "; ".join(notes) or None))
    return tuple(found)


_COUNTED = {
    "proved": ("claims proved for every d that their hypotheses allow", "claim proved for every d that its hypotheses allow"),
    "sympy": ("claims proved at d = 1..4 by SymPy too", "claim proved at d = 1..4 by SymPy too"),
    "checked": ("claims checked by mpmath at 60 digits", "claim checked by mpmath at 60 digits"),
    "calculus": ("facts of scalar calculus", "fact of scalar calculus"),
    "evaluated": ("exact evaluations", "exact evaluation"),
    "refuted": ("near misses refuted at a point", "near miss refuted at a point"),
    "principle": ("theorems that rest on a principle of analysis", "theorem that rests on a principle of analysis"),
    "not-run": ("claims on which SymPy was not asked: not run", "claim on which SymPy was not asked: not run"),
}


def _counts(cards: Iterable[Card]) -> tuple[Count, ...]:
    tally: Counter[str] = Counter()
    for card in cards:
        tally.update(badge.kind for statement in card.statements for badge in statement.badges)
        tally.update(badge.kind for value in card.points if (badge := value.badge))
        tally.update(miss.badge.kind for miss in card.near_misses)
        tally["principle"] += bool(card.principles)
    return tuple(Count(kind, tally[kind], texts[tally[kind] == 1]) for kind, texts in _COUNTED.items() if tally[kind])
