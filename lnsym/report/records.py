"""What a report holds, in the words of its readers: formulas as LaTeX, texts with $formulas$ and `code`. Standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Badge:
    """A status: a key of lnsym.view.status, and words of its own where the usual ones are not exact enough."""

    kind: str
    text: str | None = None


@dataclass(frozen=True)
class Link:
    """A theorem of the report by name, with its title."""

    name: str
    title: str


@dataclass(frozen=True)
class Step:
    """One line of a calculation, and all that opens behind its sign."""

    relation: str
    latex: str
    why: str
    rule: str
    rule_link: str | None
    facts: tuple[str, ...]
    assumptions: tuple[str, ...]
    shapes: str | None
    copy_latex: str
    copy_sympy: str | None


@dataclass(frozen=True)
class Calculation:
    """A start and the steps from it."""

    title: str | None
    start: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Statement:
    """One claim in the notations asked for; `label` names its part, `why` tells what an example is there for."""

    index: str | None
    matrix: str | None
    label: str | None
    why: str | None
    badges: tuple[Badge, ...]
    copy_latex: str
    copy_sympy: str | None


@dataclass(frozen=True)
class Value:
    """The left side of the first claim, evaluated exactly at a point."""

    at: str
    value: str
    badge: Badge | None


@dataclass(frozen=True)
class Counterexample:
    """A point at which a near miss fails, with both sides there."""

    at: str
    left: str
    relation: str
    right: str


@dataclass(frozen=True)
class Miss:
    """A false statement near a theorem, with the point that refutes it."""

    latex: str
    why: str
    counterexample: Counterexample | None
    badge: Badge


@dataclass(frozen=True)
class Card:
    """One theorem."""

    name: str
    title: str
    sources: tuple[str, ...]
    badges: tuple[Badge, ...]
    doc: str | None
    hypotheses: tuple[str, ...]
    statements: tuple[Statement, ...]
    chains: tuple[Calculation, ...]
    points: tuple[Value, ...]
    near_misses: tuple[Miss, ...]
    principles: tuple[str, ...]
    uses: tuple[Link, ...]
    used_by: tuple[Link, ...]
    emitted: tuple[str, ...] = ()  # the results of emitted functions that rest on it, as function: result


@dataclass(frozen=True)
class Source:
    """A bibliographic record."""

    name: str
    title: str
    says: str
    fields: tuple[tuple[str, str], ...]
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """A chapter with its theorems and records."""

    name: str
    number: int
    title: str
    cards: tuple[Card, ...]
    records: tuple[Source, ...]


@dataclass(frozen=True)
class Settled:
    """A sentence of the sources and what settles it; `note` says why a part of it needs nothing."""

    source: str
    sentence: str
    settled: tuple[Link, ...]
    badges: tuple[Badge, ...]
    note: str | None


@dataclass(frozen=True)
class Notion:
    """A line of the glossary; `names` gives the word of each framework, or None."""

    latex: str
    word: str
    meaning: str | None
    shape: str
    units: str
    names: Mapping[str, str | None]


@dataclass(frozen=True)
class Count:
    """How many claims have a status."""

    kind: str
    number: int
    text: str | None


@dataclass(frozen=True)
class Result:
    """One result of an emitted function: its formula, which is the right side of the claim."""

    name: str
    latex: str
    theorem: Link
    claim: int


@dataclass(frozen=True)
class Function:
    """An emitted function, and the tiers that have it."""

    name: str
    tiers: tuple[str, ...]
    results: tuple[Result, ...]


@dataclass(frozen=True)
class Promised:
    """What a function promises in a tier: the bound, and what of it is proved, derived on paper, measured."""

    function: str
    bound: str
    proved: str
    derived: str
    measured: str


@dataclass(frozen=True)
class Module:
    """An emitted file: its promise, what was proved of its very text, its certificate's hash, and the text."""

    tier: str
    file: str
    lead: str
    promised: tuple[Promised, ...]
    validated: tuple[str, ...]
    certificate: str
    source: str


@dataclass(frozen=True)
class Code:
    """All emitted code, with the hypotheses and symbols of the bounds."""

    functions: tuple[Function, ...]
    modules: tuple[Module, ...]
    hypotheses: str
    symbols: str


@dataclass(frozen=True)
class Report:
    """The whole report. `command` regenerates it; `partial` names the theorems asked for where it is not the whole book."""

    parts: tuple[Part, ...]
    counts: tuple[Count, ...]
    principles: tuple[tuple[str, str], ...]
    coverage: tuple[Settled, ...]
    glossary: tuple[Notion, ...]
    frameworks: tuple[str, ...]
    command: str
    partial: tuple[str, ...]
    notation: str
    code: Code | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every theorem, in the order of the report."""
        return tuple(card for part in self.parts for card in part.cards)
