"""`lnsym prove`: check theorems in this process and say what was proved. The verdict that counts comes from here."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.pool import Pool
from multiprocessing.resource_tracker import ensure_running
from time import perf_counter

import click

from lnsym import library
from lnsym.commands.layout import values, width
from lnsym.derivation import Calculus, CheckedClaim, Claim, Example, Theorem, point_of
from lnsym.errors import DerivationError
from lnsym.kernel.terms import Hypothesis, Relation, Theory
from lnsym.library import Book
from lnsym.notation import text
from lnsym.refute import holds
from lnsym.view.columns import formula, words

PROCESSES = 2
REFUTED = "refuted"
SHORT = {"proved for every d": "proved", "evaluated exactly": "evaluated"}  # other statuses are short already

TALLIED = {"agrees": "agrees with", "disagrees": "disagrees with", "undecided": "undecided on", "not applicable": "not applicable to"}


@dataclass(frozen=True)
class Question:
    """What SymPy is asked of a claim: a relation under hypotheses, or a fact of scalar calculus."""

    relation: Relation | None
    given: tuple[Hypothesis, ...]
    fact: str
    theory: Theory


@dataclass(frozen=True)
class Said:
    """SymPy's answer: a status of lnsym.model.Opinion, the d at which it agrees, and the reason where it does not."""

    status: str
    dimensions: tuple[int, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Row:
    """A theorem that the kernel accepted, and how long that took."""

    theorem: Theorem
    ms: float


def run(*, names: tuple[str, ...], second_opinion: str | None, as_json: bool) -> int:
    """Prove the named theorems, or all; returns 0, or 1 if a theorem fails or SymPy disagrees."""
    found = library.book()
    for name in names:
        library.known(name)
    order = library.in_order(names or found.derivations, found.derivations)
    rows, failures = _checked(order, found)
    failures |= _false_examples(rows, found.theory)
    said = _asked(rows, names, found.theory) if second_opinion else {}
    failures |= _against(rows, said)
    shown = [row for name, row in rows.items() if not names or name in names]
    report = _Report(shown, said, failures, second_opinion is not None, len(order) - len(shown) - len(failures.keys() - rows.keys()))
    click.echo(json.dumps(report.data(), ensure_ascii=False, indent=1) if as_json else "\n".join(report.lines(bool(names))))
    return int(bool(failures))


# ---------------------------------------------------------------- judging


def _checked(order: Iterable[str], found: Book) -> tuple[dict[str, Row], dict[str, str]]:
    """What the kernel accepts, and an error for each theorem that it does not, or that leans on such a one."""
    rows: dict[str, Row] = {}
    failures: dict[str, str] = {}
    for name in order:
        broken = [other for other in library.cited_by(found.derivations[name][1]) if other in failures]
        if broken:
            failures[name] = f"{name}: cites {broken[0]}, which failed"
            continue
        start = perf_counter()
        try:
            theorem = library.prove([name])[name]
        except DerivationError as error:
            failures[name] = str(error)
        else:
            rows[name] = Row(theorem, 1e3 * (perf_counter() - start))
    return rows, failures


def _false_examples(rows: Mapping[str, Row], theory: Theory) -> dict[str, str]:
    """An error for each theorem with an example that does not hold exactly."""
    failures = {}
    for name, row in rows.items():
        for number, checked in enumerate(row.theorem.claims, 1):
            claim = checked.claim
            if isinstance(claim, Example):
                point = point_of(claim.at, claim.relations, checked.given, theory)
                for relation in claim.relations:
                    if holds(theory, point, relation) is not True:
                        failures[name] = f"{name}, claim {number} (exact evaluation): {text(relation)} does not hold at {point}"
    return failures


Key = tuple[str, int]


def _asked(rows: Mapping[str, Row], names: tuple[str, ...], theory: Theory) -> dict[Key, Said]:
    """SymPy's answers by theorem and number of the claim, worked out in two fresh processes."""
    from lnsym.cli import progress

    questions: dict[Key, Question] = {}
    for name, row in rows.items():
        for number, checked in enumerate(row.theorem.claims, 1):
            claim = checked.claim
            if isinstance(claim, Claim) and (not names or name in names):
                fact = claim.proof.fact if isinstance(claim.proof, Calculus) else ""
                questions[name, number] = Question(claim.relation, checked.given, fact, theory)
    with _workers() as pool:
        answers = pool.imap(ask, questions.values())
        with progress(answers, len(questions), "SymPy's second opinion") as going:
            return dict(zip(questions, going, strict=True))


def _workers() -> Pool:
    """Fresh processes that leave Ctrl-C, which reaches the whole group of processes, to this one: it ends them on its way out.

    A process that is starting cannot yet say that it leaves it: it inherits that from this one, for which Ctrl-C waits so long.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return get_context("spawn").Pool(PROCESSES, signal.signal, (signal.SIGINT, signal.SIG_IGN))
    ensure_running()  # the tracker lets Ctrl-C through again when it starts, so it must not start below
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return get_context("spawn").Pool(PROCESSES)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ask(question: Question) -> Said:
    """What SymPy says of one claim."""
    from lnsym.model import calculus_fact, opinion

    if question.relation is None:
        fact = calculus_fact(question.fact)
        return Said("agrees") if fact.holds else Said("disagrees", (), f"SymPy does not reach {fact.text}")
    found = opinion(question.relation, question.given, theory=question.theory)
    return Said(found.status, found.dimensions, found.reason)


def _against(rows: Mapping[str, Row], said: Mapping[Key, Said]) -> dict[str, str]:
    failures = {}
    for (name, number), answer in said.items():
        if answer.status == "disagrees":
            relation = rows[name].theorem.claims[number - 1].claim
            stated = f" with {text(relation.relation)}" if isinstance(relation, Claim) and relation.relation else ""
            failures[name] = f"{name}, claim {number} (second opinion): SymPy disagrees{stated}: {answer.reason}"
    return failures


# ---------------------------------------------------------------- reporting


class _Report:
    """What is printed of checked theorems."""

    def __init__(self, rows: list[Row], said: Mapping[Key, Said], failures: Mapping[str, str], asked: bool, premises: int) -> None:
        self.rows, self.said, self.failures, self.asked, self.premises = rows, said, failures, asked, premises

    def status(self, row: Row, number: int, checked: CheckedClaim) -> str:
        """The status of a claim; a claim against which an example or SymPy speaks is refuted."""
        failure = self.failures.get(row.theorem.name, "")
        return REFUTED if failure.startswith(f"{row.theorem.name}, claim {number} (") else checked.status

    def checked_by(self, row: Row, number: int, checked: CheckedClaim) -> list[str]:
        """Who has judged a claim in this run, and found it true."""
        if self.status(row, number, checked) == REFUTED:
            return []
        answer = self.said.get((row.theorem.name, number))
        judges = ["kernel"] if checked.proved else ["exact evaluation"] if isinstance(checked.claim, Example) else []
        if answer and answer.status == "agrees":
            judges.append(f"SymPy at d = {', '.join(map(str, answer.dimensions))}" if answer.dimensions else "SymPy")
        return judges

    def counts(self) -> dict[str, int]:
        return dict(sorted(Counter(self.status(row, n, c) for row in self.rows for n, c in enumerate(row.theorem.claims, 1)).items()))

    def data(self) -> dict[str, object]:
        """For JSON."""
        theorems = [
            {
                "name": row.theorem.name,
                "catalogue": list(row.theorem.catalogue),
                "claims": [
                    {"statement": statement(c), "status": self.status(row, n, c), "checked_by": self.checked_by(row, n, c)}
                    for n, c in enumerate(row.theorem.claims, 1)
                ],
                "ms": round(row.ms, 2),
            }
            for row in self.rows
        ]
        failures = [{"name": name, "error": error} for name, error in self.failures.items()]
        return {"schema": "lnsym.prove/1", "theorems": theorems, "counts": self.counts(), "failures": failures}

    # ---- text

    def lines(self, in_full: bool) -> Iterator[str]:
        """One line for each theorem; every claim of those that were named."""
        columns = width()
        names = max((len(row.theorem.name) for row in self.rows), default=0)
        for row in self.rows:
            failed = row.theorem.name in self.failures
            mark = click.style("failed", fg="red", bold=True) if failed else self.tally(row)
            yield f"{row.theorem.name:<{names}}  {row.ms:6.1f} ms  {mark}"
            if in_full:
                for number, checked in enumerate(row.theorem.claims, 1):
                    yield from formula(statement(checked), columns, f"  {number}. ", " " * 7)
                    yield from words(self.verdict(row, number, checked), 5, columns)
        for failure in self.failures.values():
            yield click.style("failed: ", fg="red", bold=True) + failure
        if self.rows or not self.failures:
            yield ""
        yield from words(self.summary(), 0, columns)
        if self.failures:
            yield "Next: mend the theorem file named, then lnsym prove"
        else:
            name = self.rows[0].theorem.name if in_full else "NAME"
            yield f"Next: lnsym show {name}" + ("" if self.asked else f", or lnsym prove {f'{name} ' if in_full else ''}--with sympy")

    def tally(self, row: Row) -> str:
        """How many claims of a theorem have which status, and on how many SymPy agrees."""
        claims = list(enumerate(row.theorem.claims, 1))
        parts = [f"{n} {SHORT.get(status, status)}" for status, n in Counter(c.status for _, c in claims).items()]
        if self.asked:
            answers = [answer for n, _ in claims if (answer := self.said.get((row.theorem.name, n)))]
            asked = [answer for answer in answers if answer.status != "not applicable"]
            parts += [f"SymPy agrees on {sum(x.status == 'agrees' for x in asked)} of {len(asked)}" if asked else "SymPy not applicable"]
        elif any(c.status == "scalar calculus" for _, c in claims):
            parts[-1] += " (not run)"
        return ", ".join(parts)

    def verdict(self, row: Row, number: int, checked: CheckedClaim) -> str:
        """The status of a claim and who judged it, in words."""
        judges = self.checked_by(row, number, checked)
        answer = self.said.get((row.theorem.name, number))
        told = f"; SymPy: {answer.status}, {answer.reason}" if answer and answer.status not in ("agrees", "disagrees") else ""
        by = ", ".join(judges) if judges else "not run: needs --with sympy" if not self.asked else "nobody"
        return f"[{self.status(row, number, checked)}: {by}{told}]"

    def summary(self) -> str:
        """The counts, complete: what held, what failed, what was not run."""
        counts = self.counts()
        said = {"scalar calculus": "of scalar calculus" + (" decided by SymPy" if self.asked else ": not run")}
        order = sorted(counts, key=lambda status: (status == REFUTED, status == "scalar calculus", status != "proved for every d", status))
        parts = [f"{counts[status]} {said.get(status, status)}" for status in order]
        if self.asked:
            tally = Counter(answer.status for answer in self.said.values())
            parts.append("SymPy " + ", ".join(f"{word} {tally[status]}" for status, word in TALLIED.items() if tally[status]))
        one = len(self.rows) == 1
        premises = f" (and {self.premises} that {'it cites' if one else 'they cite'})" if self.premises > 0 else ""
        failed = f"{len(self.failures)} failed" if self.failures else "none failed"
        return f"{len(self.rows)} {'theorem' if one else 'theorems'}{premises}, claims: {', '.join(parts)}; {failed}."


def statement(checked: CheckedClaim) -> str:
    """A claim in Unicode, with the hypotheses or the point it stands under."""
    claim = checked.claim
    if isinstance(claim, Example):
        where = values(claim.at)
        return f"at {where}: {', '.join(map(text, claim.relations))}" if where else ", ".join(map(text, claim.relations))
    if claim.relation is None:
        assert isinstance(claim.proof, Calculus)
        return f"{claim.proof.fact}: {claim.label or claim.proof.why}"
    given = ", ".join(map(text, checked.given))
    return f"if {given}: {text(claim.relation)}" if given else text(claim.relation)
