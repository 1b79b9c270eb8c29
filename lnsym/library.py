"""Finds the book's theorem files by scanning, orders them by what they cite, and has each checked. Imports up to derivation."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from lnsym.derivation import Chain, Claim, Derivation, Direct, Record, Theorem, check, claims_of
from lnsym.errors import DerivationError, StatementError
from lnsym.kernel.terms import Theory


@dataclass(frozen=True)
class Chapter:
    """A folder of the book: its name, title and number."""

    name: str
    title: str
    number: int


@dataclass(frozen=True)
class Book:
    """All that the scan found: chapters in order, derivations and records by name, and the theory they are stated in."""

    chapters: tuple[Chapter, ...]
    derivations: Mapping[str, tuple[Chapter, Derivation]]
    records: Mapping[str, tuple[Chapter, Record]]
    theory: Theory


@cache
def book() -> Book:
    """Read every theorem file: a chapter is a folder with TITLE and NUMBER, a theorem a file with THEOREM, a record one with RECORD."""
    root = importlib.import_module("lnsym.derivations")
    theory = importlib.import_module("lnsym.derivations.definitions").THEORY
    chapters, derivations, records = [], {}, {}
    for folder in sorted(x.name for x in pkgutil.iter_modules(root.__path__) if x.ispkg):
        package = importlib.import_module(f"lnsym.derivations.{folder}")
        chapter = Chapter(folder, package.TITLE, package.NUMBER)
        chapters.append(chapter)
        for name in sorted(x.name for x in pkgutil.iter_modules(package.__path__)):
            module = importlib.import_module(f"lnsym.derivations.{folder}.{name}")
            if name in derivations or name in records:
                raise DerivationError(f"two files are named {name}; a name is used everywhere, so it must be unique")
            if isinstance(getattr(module, "THEOREM", None), Derivation):
                derivations[name] = (chapter, module.THEOREM)
            elif isinstance(getattr(module, "RECORD", None), Record):
                records[name] = (chapter, module.RECORD)
            else:
                raise DerivationError(f"{folder}/{name}.py defines neither THEOREM nor RECORD")
    chapters.sort(key=lambda c: c.number)
    return Book(tuple(chapters), derivations, records, theory)


def cited_by(derivation: Derivation) -> tuple[str, ...]:
    """The names of the theorems that the steps of a derivation name."""
    names: dict[str, None] = {}
    for claim in claims_of(derivation):
        if isinstance(claim, Claim):
            proof = claim.proof
            steps = [s.rules for s in proof.steps] if isinstance(proof, Chain) else [proof.rules] if isinstance(proof, Direct) else []
            names.update((r.theorem, None) for rules in steps for r in rules if r.theorem is not None)
    return tuple(names)


def in_order(names: Iterable[str], derivations: Mapping[str, tuple[Chapter, Derivation]]) -> tuple[str, ...]:
    """The names and all that they cite, each after what it cites, else by chapter and name. A cycle is an error."""
    order: dict[str, None] = {}
    open_names: list[str] = []

    def visit(name: str, source: str) -> None:
        if name in order:
            return
        if name in open_names:
            raise DerivationError(f"a cycle of citations: {' -> '.join([*open_names[open_names.index(name) :], name])}")
        if name not in derivations:
            raise DerivationError(f"{source} cites {name}, which is not in the book")
        open_names.append(name)
        for other in cited_by(derivations[name][1]):
            visit(other, name)
        open_names.pop()
        order[name] = None

    for name in sorted(names, key=lambda x: (derivations[x][0].number, x) if x in derivations else (0, x)):
        visit(name, "the request")
    return tuple(order)


def prove(names: str | Iterable[str] | None = None) -> dict[str, Theorem]:
    """Check theorems of the book, with all that they cite, in this process.

    Formula:
        none; each theorem's own claims.

    Shapes:
        none.

    Units:
        none.

    Args:
        names: the theorems to check, or the name of one; None for the whole book.

    Returns:
        Theorem by name, each after what it cites.

    Raises:
        DerivationError: a step or claim that the kernel does not accept.
        StatementError: a name that is not in the book.

    Source:
        the theorem files in derivations/.

    >>> sorted(prove(["variance_core_eq"]))[-1]
    'variance_core_eq'
    """
    found = book()
    wanted = tuple(found.derivations) if names is None else (names,) if isinstance(names, str) else tuple(names)
    for name in wanted:
        known(name)
    checked: dict[str, Theorem] = {}
    for name in in_order(wanted, found.derivations):
        if name not in checked:
            checked[name] = _checked(name, checked)
    return checked


_PROVED: dict[str, Theorem] = {}


def _checked(name: str, earlier: Mapping[str, Theorem]) -> Theorem:
    if name not in _PROVED:
        found = book()
        chapter, derivation = found.derivations[name]
        _PROVED[name] = check(derivation, found.theory, name, chapter.name, earlier)
    return _PROVED[name]


def entries(found: Book) -> dict[str, tuple[Chapter, Derivation | Record]]:
    """The theorems and records by name, in the order of the chapters."""
    everything: dict[str, tuple[Chapter, Derivation | Record]] = {**found.derivations, **found.records}
    return dict(sorted(everything.items(), key=lambda item: (item[1][0].number, item[0])))


def ids(item: Derivation | Record) -> tuple[str, ...]:
    """The ids of the catalogue that an entry settles."""
    return (item.catalogue,) if isinstance(item.catalogue, str) else item.catalogue


def entry(name: str) -> str:
    """The name, if a theorem or record has it; else an error with the nearest names, or with the entries of a catalogue's id."""
    if not isinstance(name, str):
        raise StatementError(f"expected the name of a theorem, such as 'variance_core_eq', got {name!r}")
    everything = entries(book())
    if name in everything:
        return name
    if settled := [own for own, (_, item) in everything.items() if name in ids(item)]:
        raise StatementError(f"{name} is an id of the catalogue; name one of its entries: {', '.join(settled)}")
    near = get_close_matches(name, everything, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "`lnsym list` names them all"
    raise StatementError(f"the book has no theorem {name[:60]!r}; {hint}")


def known(name: str) -> str:
    """The name, if a theorem has it; else an error that says what there is."""
    if entry(name) in book().records:
        raise StatementError(f"{name} is a record, there is nothing to prove; read it with `lnsym show {name}`")
    return name


def theorem(name: str) -> Theorem:
    """One theorem of the book, checked in this process.

    Formula:
        none; the theorem's own claims.

    Shapes:
        none.

    Units:
        none.

    Args:
        name: the file's name, such as "variance_core_eq".

    Returns:
        Theorem.

    Raises:
        DerivationError: a step or claim that the kernel does not accept.
        StatementError: a name that is not in the book.

    Source:
        the theorem files in derivations/.

    >>> theorem("variance_core_eq").derivation.title
    "The core's coordinate variance is q/(q + eps), not 1."
    """
    return prove([name])[name]


def theorems() -> tuple[Theorem, ...]:
    """Every theorem of the book, checked in this process, each after what it cites.

    Formula:
        none; the theorems' own claims.

    Shapes:
        none.

    Units:
        none.

    Args:
        none.

    Returns:
        tuple of Theorem.

    Raises:
        DerivationError: a step or claim that the kernel does not accept.

    Source:
        the theorem files in derivations/.

    >>> len(theorems()) > 40
    True
    """
    return tuple(prove().values())
