"""Everything that a report is made of, from the checked theorems to the bytes of its files. Imports the parts of the report."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

from lnsym import library
from lnsym.derivation import Theorem
from lnsym.emit.promise import TIERS
from lnsym.kernel.terms import Hypothesis, Relation, Theory
from lnsym.refute import Counterexample, find_counterexample
from lnsym.report.choice import Choice, Findings
from lnsym.report.code import emitted
from lnsym.report.html import html
from lnsym.report.model import report
from lnsym.report.opinions import Opinions, Progress, gather, questions
from lnsym.report.records import Report
from lnsym.report.tex import tex
from lnsym.view.figures import figure_tables, svg

TEX = "layer_norm.tex"
PROCESSES = 2
Search = tuple[Theory, Relation, tuple[Hypothesis, ...]]


@dataclass(frozen=True)
class Built:
    """The model, the files by name, and what was said against the book."""

    report: Report
    files: Mapping[str, bytes]
    against: tuple[str, ...]


def build(choice: Choice, formats: tuple[str, ...], progress: Progress) -> Built:
    """Check the theorems asked for and write the report in memory; a PDF is made from the LaTeX file by its own tool."""
    book = library.book()
    names = library.in_order(choice.only or book.derivations, book.derivations)
    searches = {name: _searches(name, book) for name in names}
    # Fresh interpreters, where a copy of this one would carry its locks. While they search, this process proves and writes.
    with _pool(1 if choice.quick else PROCESSES) as pool:
        modules = {} if choice.only else {tier: pool.submit(emitted, tier) for tier in TIERS}
        found = pool.map(_search, [one for own in searches.values() for one in own], chunksize=4)
        theorems = library.prove(choice.only or None)
        for theorem in theorems.values():
            for claim in theorem.claims:
                for step in claim.steps:
                    step.needed  # noqa: B018 - found now, while others search, and kept
        opinions = None if choice.quick else gather(questions(theorems.values(), book.theory), pool, progress)
        against = {name: [next(found) for _ in own] for name, own in searches.items()}
        code = {tier: module.result() for tier, module in modules.items()}
    made = report(theorems, book, choice, Findings(against, opinions.badges if opinions else None, code))
    files = _files(made, formats, _certificate(theorems, book.theory, against, opinions))
    return Built(made, files, (*_unrefuted(against), *(opinions.against if opinions else ())))


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that leave Ctrl-C to this one, which then waits for nothing that has not begun."""
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _unrefuted(against: Mapping[str, Sequence[Counterexample | None]]) -> Iterator[str]:
    for name, own in against.items():
        for number, point in enumerate(own, 1):
            if point is None:
                yield f"{name}, near miss {number}: no counterexample was found; it may be true, or its hypotheses may have no point"


def _searches(name: str, book: library.Book) -> list[Search]:
    derivation = book.derivations[name][1]
    return [(book.theory, miss.relation, tuple(derivation.given if miss.given is None else miss.given)) for miss in derivation.near_misses]


def _search(search: Search) -> Counterexample | None:
    return find_counterexample(*search)


def _files(made: Report, formats: tuple[str, ...], certificate: bytes) -> dict[str, bytes]:
    tables = {} if made.partial else figure_tables()
    files = {"certificate.json": certificate}
    if "html" in formats:
        files["index.html"] = html(made, tables).encode()
    if "tex" in formats or "pdf" in formats:
        files[TEX] = tex(made, tables).encode()
    for module in made.code.modules if made.code else ():
        files[module.file] = module.source.encode()
    for name, table in tables.items():
        files[f"figures/{name}.svg"] = svg(table, standalone=True).encode() + b"\n"
        files[f"figures/{name}.csv"] = table.csv().encode()
    return files


def _certificate(
    theorems: Mapping[str, Theorem], theory: Theory, against: Mapping[str, Sequence[Counterexample | None]], opinions: Opinions | None
) -> bytes:
    """certificate.json, with the facts that each step needs, SymPy's opinions and the counterexamples of the near misses."""
    from lnsym.certificate import certificate, dumps

    points = {name: [point.as_dict() if point else None for point in own] for name, own in against.items()}
    said: dict[str, dict[str, list[str]]] | None = None
    if opinions is not None:
        said = {name: {} for name in theorems}
        for (name, number), badges in opinions.badges.items():
            said[name][str(number)] = [badge.text or badge.kind for badge in badges]
    return dumps(certificate(list(theorems.values()), theory, said, points, needed=True)).encode()
