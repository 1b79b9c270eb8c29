"""`lnsym show NAME`: one derivation in the terminal, step by step. Proves the theorem first; what fails is not shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

import click

from lnsym import library
from lnsym.commands.export import as_latex, as_sympy
from lnsym.commands.layout import values, width, written
from lnsym.commands.point import read, suggestion
from lnsym.derivation import PRINCIPLES, Calculus, CheckedClaim, Claim, Example, Gap, Induction, NearMiss, OnlyIf, Record, Theorem
from lnsym.errors import LnsymError, StatementError
from lnsym.kernel.terms import Array, Entry, Index, Relation, Sym, Term, Theory, free_indices, fresh_index
from lnsym.notation import text
from lnsym.refute import Point, exact_value, find_counterexample, satisfies
from lnsym.surd import Undefined
from lnsym.view.columns import formula, words

SIGNS = {"=": "=", "<=": "≤", "<": "<", "!=": "≠"}
COLUMN = 46  # where the numbers of --at stand, if the formula leaves room


def run(*, name: str, at: str | None, fmt: str) -> int:
    """Print the derivation of one theorem, or what a record says."""
    found = library.book()
    if at is not None and fmt != "text":
        raise StatementError(f"--at puts numbers into the text; leave out --at or --format {fmt}")
    if library.entry(name) in found.records:
        if at is not None:
            raise StatementError(f"{name} is a record without formulas; leave out --at")
        click.echo("\n".join(_record(name, found.records[name][1], fmt)))
        return 0
    proved = library.prove([name])
    theorem = proved[name]
    if fmt == "json":
        from lnsym.certificate import certificate, dumps

        click.echo(dumps(certificate(list(proved.values()), found.theory)), nl=False)
    elif fmt == "sympy":
        click.echo("\n".join(as_sympy(theorem)))
    elif fmt == "latex":
        click.echo("\n\n".join(as_latex(theorem)))
    else:
        point = read(theorem, found.theory, at) if at is not None else None
        click.echo("\n".join(_Page(theorem, found.theory, point, width()).lines()))
    return 0


def _record(name: str, record: Record, fmt: str) -> Iterator[str]:
    if fmt == "json":
        data = {"name": name, "catalogue": record.catalogue, "title": record.title, "says": record.says, "fields": dict(record.fields)}
        yield json.dumps({"schema": "lnsym.record/1", **data, "sources": list(record.cites)}, ensure_ascii=False, indent=1)
        return
    if fmt != "text":
        raise StatementError(f"{name} is a record without formulas; leave out --format {fmt}")
    yield click.style(name, bold=True)
    yield from words(record.title, 0, width())
    yield from words(f"A record, nothing to prove. {_sources((record.catalogue,), record.cites)}", 0, width())
    yield ""
    yield from words(record.says, 0, width())
    yield ""
    for key, value in record.fields:
        yield from words(f"{key}: {value}", 2, width())


def _sources(catalogue: Sequence[str], cites: Sequence[str]) -> str:
    return f"Catalogue {', '.join(catalogue)}; " + (f"sources {', '.join(cites)}." if cites else "not in the sources.")


# ---------------------------------------------------------------- text


class _Page:
    """One theorem as lines of text, with the numbers of a point where one is given."""

    def __init__(self, theorem: Theorem, theory: Theory, point: Point | None, columns: int) -> None:
        self.theorem, self.theory, self.point, self.columns = theorem, theory, point, columns

    def lines(self) -> Iterator[str]:
        derivation = self.theorem.derivation
        yield click.style(self.theorem.name, bold=True)
        yield from words(derivation.title, 0, self.columns)
        yield from words(_sources(self.theorem.catalogue, derivation.cites), 0, self.columns)
        if derivation.given:
            yield from formula(", ".join(map(text, derivation.given)), self.columns, "Given ", "      ")
        for principle in derivation.leans_on:
            yield from words(f"Leans on the {principle}: {PRINCIPLES[principle]}", 0, self.columns)
        if derivation.note:
            yield from words(derivation.note, 0, self.columns)
        if self.point is not None:
            yield from formula(_place(self.point), self.columns, "At ", "   ")
        for number, checked in enumerate(self.theorem.claims, 1):
            yield ""
            yield from self.claim(number, checked)
        for miss in derivation.near_misses:
            yield ""
            yield from self.miss(miss)
        yield ""
        yield from self.next()

    def next(self) -> Iterator[str]:
        name, premises = self.theorem.name, self.theorem.premises
        numbers = None if self.point is not None else suggestion(self.theorem, self.theory)
        if numbers:
            yield f'Next: lnsym show {name} --at "{numbers}"'
        elif premises:
            yield f"Next: lnsym show {premises[0]}"
        else:
            yield f"Next: lnsym report --only {name}"

    # ---- claims

    def claim(self, number: int, checked: CheckedClaim) -> Iterator[str]:
        claim, head = checked.claim, f"{number}. "
        pad = " " * len(head)
        if isinstance(claim, Example):
            yield from self.headed(f"At {values(claim.at)}: " + ", ".join(map(text, claim.relations)), head, checked.status)
            yield from words(claim.why, 5, self.columns)
            return
        if claim.relation is None:
            yield from self.fact(claim, head)
            return
        extra = [h for h in checked.given if h not in self.theorem.derivation.given]
        condition = f"If {', '.join(map(text, extra))}: " if extra else ""
        if claim.label:
            first, *others = words(_sentence(claim.label), 0, self.columns - len(head))
            yield from (head + first, *(pad + line for line in others))
        yield from self.headed(condition + text(claim.relation), pad if claim.label else head, checked.status)
        point = self.point
        if point is not None and extra and not satisfies(self.theory, point, extra):
            yield from words("At this point the condition does not hold: no numbers.", 5, self.columns)
            point = None
        yield from self.proof(claim)
        if checked.steps:
            yield from self.chain(checked, point)
        elif point is not None:
            sides = (self.number(side, point) for side in (claim.relation.left, claim.relation.right))
            yield from formula(f" {SIGNS[claim.relation.kind]} ".join(sides), self.columns, "     → ", " " * 9)

    def headed(self, statement: str, head: str, status: str) -> Iterator[str]:
        """A statement and its status, on one line if there is room."""
        *before, last = formula(statement, self.columns, head, " " * (len(head) + 2))
        yield from before
        fits = len(last) + len(status) + 4 <= self.columns
        shown = click.style(f"[{status}]", fg="green")
        yield f"{last}  {shown}" if fits else last
        if not fits:
            yield " " * len(head) + shown

    def proof(self, claim: Claim) -> Iterator[str]:
        match claim.proof:
            case Gap(term, why, squared):
                yield from words(why, 5, self.columns)
                what = "The difference of the squares" if squared else "The difference"
                assert claim.relation is not None
                sign = "positive" if claim.relation.kind == "<" else "not negative"
                yield from words(f"{what}, right minus left, is {sign} by its structure:", 5, self.columns)
                yield from formula(text(term), self.columns, " " * 7, " " * 9)
            case OnlyIf(premise, cofactor, why):
                yield from words(why, 5, self.columns)
                factor = f"{text(premise)}: left minus right has the factor {text(cofactor)}, which is never 0."
                yield from formula(factor, self.columns, "     From ", " " * 7)
            case Induction(variable, why):
                yield from words(f"{why} [induction on {text(variable)}]", 5, self.columns)

    def chain(self, checked: CheckedClaim, point: Point | None) -> Iterator[str]:
        sides = [checked.steps[0].relation.left, *(step.relation.right for step in checked.steps)]
        values = ["→ " + self.number(side, point) if point else "" for side in sides]
        yield from self.line(sides[0], "", values[0], "")
        for n, step in enumerate(checked.steps):
            yield from self.line(sides[n + 1], f"{SIGNS[step.relation.kind]} ", values[n + 1], values[n])
            yield from words(f"{step.step.why} [{', '.join(rule.name for rule in step.step.rules)}]", 9, self.columns)

    def line(self, side: Term | Array, sign: str, value: str, before: str) -> Iterator[str]:
        """A line of a calculation with its number, which stands beside it if there is room; a table is not written twice."""
        *lines, last = formula(text(side), self.columns, f"     {sign}", " " * 9)
        yield from lines
        beside = f"{last:<{COLUMN}}  {value}".rstrip()
        if len(beside) <= self.columns:
            yield beside
        elif value == before:
            yield f"{last:<{COLUMN}}  → the same numbers"
        else:
            yield last
            yield from formula(value, self.columns, " " * 7, " " * 9)

    def number(self, side: Term | Array, point: Point) -> str:
        places: tuple[Index, ...] = ()
        for own in side.indices if isinstance(side, Array) else ():
            places = (*places, fresh_index(own.range, side, Entry("", places)))
        term = side[places] if isinstance(side, Array) else side
        free = [*places, *sorted(free_indices(term).keys() - {*places}, key=lambda index: index.name)]
        try:
            return written(self.table(term, free, {}, point))
        except Undefined:
            return "undefined"
        except LnsymError as error:
            raise StatementError(f"{self.theorem.name} cannot be evaluated at this point: {error}; choose another") from None

    def table(self, term: Term, free: Sequence[Index], at: Mapping[Index, int], point: Point) -> object:
        """The value of a term, or its values over its free indices, rows first."""
        if not free:
            return exact_value(self.theory, point, term, at)
        first, *rest = free
        return tuple(self.table(term, rest, {**at, first: n}, point) for n in range(1, point.sizes[first.range.length] + 1))

    def fact(self, claim: Claim, head: str) -> Iterator[str]:
        from lnsym.model import calculus_fact

        assert isinstance(claim.proof, Calculus)
        fact = calculus_fact(claim.proof.fact)
        yield from self.headed(fact.title, head, "scalar calculus" if fact.holds else "SymPy disagrees")
        for one in fact.text.split("; "):
            yield from formula(one, self.columns, "     ", " " * 9)
        yield from words(f"{claim.proof.why} [SymPy: {claim.proof.fact}]", 9, self.columns)

    # ---- near misses

    def miss(self, miss: NearMiss) -> Iterator[str]:
        mine = self.theorem.derivation.given
        given = mine if miss.given is None else miss.given
        found = find_counterexample(self.theory, miss.relation, given)
        added = [h for h in given if h not in mine]
        dropped = [h for h in mine if h not in given]
        condition = ", ".join(map(text, added))
        condition = f"{'with' if dropped else 'if'} {condition} " if added else ""
        condition += f"{'in place of' if added else 'without'} {', '.join(map(text, dropped))} " if dropped else ""
        condition = condition and condition[:-1] + ": "
        relation = Relation(miss.relation.kind, *miss.relation.opened())  # with the letters that the counterexample gives places to
        first, *rest = formula(condition + text(relation), self.columns, "Not true: ", " " * 12)
        yield click.style(first[:9], fg="red") + first[9:]
        yield from rest
        yield from words(miss.why, 5, self.columns)
        if found is None:
            yield "     No counterexample was found."
        else:
            says = f"{found.left} {SIGNS[found.kind]} {found.right}"
            places = "".join(f", {name} = {place}" for name, place in found.at.items())
            yield from formula(f"{_place(found.point)}{places} it would say {says}.", self.columns, "     At ", " " * 7)


def _sentence(label: str) -> str:
    return label[0].upper() + label[1:]


def _place(point: Point) -> str:
    """A point; a length is told only where no vector shows it."""
    seen = {len(entries) for entries in point.vectors.values()}
    parts = [f"{name} = {size}" for name, size in sorted(point.sizes.items()) if size not in seen]
    parts += [f"{text(Sym(name))} = {written(entries)}" for name, entries in point.vectors.items()]
    return ", ".join(parts + [f"{text(Sym(name))} = {value}" for name, value in point.scalars.items()])
