"""The three depths at which a lesson is told, as lists of parts for any printer. Imports up to the library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lnsym.derivation import PRINCIPLES, Calculus, Chain, CheckedClaim, Claim, Example, Gap, Induction, OnlyIf, Theorem
from lnsym.kernel.terms import Array, Term
from lnsym.lesson.pieces import Formula, Heading, Line, Paragraph, Part, Statement, formula, listed, notation
from lnsym.lesson.records import Lesson, LessonError, NameRule, NextLine
from lnsym.lesson.references import told_claims, words
from lnsym.lesson.rules import rule_words
from lnsym.lesson.values import place, relations, told, value

DEPTHS = {1: "the idea, with numbers", 2: "the derivation, with every step", 3: "the derivation, with steps to fill in"}

Asked = Mapping[tuple[str, int, int], str]  # theorem, claim and step -> the id of the task that asks for it


def parts(name: str, lesson: Lesson, depth: int, where: str) -> Iterator[Part]:
    """A lesson at one depth; LessonError names the place `where` the lesson is written."""
    if depth not in DEPTHS:
        known = "; ".join(f"{number}: {says}" for number, says in DEPTHS.items())
        raise LessonError(f"there is no depth {depth}; {known}")
    yield Heading((lesson.title,), 1)
    yield Paragraph(prose(lesson.question, f"{where}, question"), "question")
    if depth == 1:
        yield Paragraph(prose(lesson.idea, f"{where}, idea"), "idea")
    elif lesson.prose:
        yield Paragraph(prose(lesson.prose, f"{where}, prose"))
    lines = {(ask.theorem, ask.claim, ask.step): f"{name}.{n}" for n, ask in enumerate(lesson.tasks, 1) if isinstance(ask, NextLine)}
    rules = {(ask.theorem, ask.claim, ask.step): f"{name}.{n}" for n, ask in enumerate(lesson.tasks, 1) if isinstance(ask, NameRule)}
    for number, one in enumerate(lesson.theorems, 1):
        try:
            theorem, claims = told_claims(one)
        except LessonError as error:
            raise LessonError(f"{where}, theorem {number}: {error}") from None
        yield from _theorem(theorem, claims, depth, lines if depth == 3 else {}, rules if depth == 3 else {})


def prose(said: str, where: str) -> tuple[str | Formula, ...]:
    """A lesson's words with the references put in."""
    try:
        return words(said)  # type: ignore[return-value]
    except LessonError as error:
        raise LessonError(f"{where}: {error}") from None


def _theorem(theorem: Theorem, claims: tuple[int, ...], depth: int, lines: Asked, rules: Asked) -> Iterator[Part]:
    derivation = theorem.derivation
    only = theorem.claims[claims[0] - 1].claim if len(claims) == 1 and len(theorem.claims) > 1 else None
    label = only.label if isinstance(only, Claim) else ""
    yield Heading((f"{label[0].upper()}{label[1:]}." if label else derivation.title,))
    if derivation.given:
        yield Paragraph(("Given ", *listed(map(formula, derivation.given))), "given")
    for principle in derivation.leans_on if depth > 1 else ():
        yield Paragraph((f"Leans on the {principle}: {PRINCIPLES[principle]}",), "note")
    if derivation.note and depth > 1:
        yield Paragraph((derivation.note,), "note")
    for number in claims:
        checked = theorem.claims[number - 1]
        yield from _statement(theorem, checked, told_label=label)
        if depth > 1:
            yield from _proof(theorem, number, checked, lines, rules)


def _statement(theorem: Theorem, checked: CheckedClaim, told_label: str) -> Iterator[Part]:
    claim, point = checked.claim, place(theorem, checked)
    at = told(point, *(side for one in relations(checked) for side in (one.left, one.right))) if point else ()
    if isinstance(claim, Example):
        for relation in claim.relations:
            yield Statement(formula(relation), checked.status, at=at)
        yield Paragraph((claim.why,), "reason")
    elif claim.relation is None:
        assert isinstance(claim.proof, Calculus)
        yield Paragraph((claim.proof.why,), "reason")
    else:
        extra = tuple(one for one in checked.given if one not in theorem.derivation.given)
        left, right = (value(side, point) if point else None for side in (claim.relation.left, claim.relation.right))
        given = listed(map(formula, extra))
        yield Statement(formula(claim.relation), checked.status, given, "" if told_label else claim.label, at, left, right)


def _proof(theorem: Theorem, number: int, checked: CheckedClaim, lines: Asked, rules: Asked) -> Iterator[Part]:
    claim = checked.claim
    if checked.steps:
        yield from _calculation(theorem, number, checked, lines, rules)
    if not isinstance(claim, Claim) or isinstance(claim.proof, (Calculus, Chain)):
        return
    match claim.proof:
        case Gap(term, why, squared):
            assert claim.relation is not None
            what = "The difference of the squares" if squared else "The difference"
            sign = "positive" if claim.relation.kind == "<" else "not negative"
            yield Paragraph((why,), "reason")
            yield Paragraph((f"{what}, right minus left, is {sign} by its structure: ", formula(term), "."), "reason")
        case OnlyIf(premise, cofactor, why):
            yield Paragraph((why,), "reason")
            factor = ("In ", formula(premise), " left minus right has the factor ", formula(cofactor), ", which is never 0.")
            yield Paragraph(factor, "reason")
        case Induction(variable, why):
            yield Paragraph((why, " By induction on ", formula(variable), "."), "reason")


def _calculation(theorem: Theorem, number: int, checked: CheckedClaim, asked: Asked, asked_rules: Asked) -> Iterator[Part]:
    point = place(theorem, checked)
    sides: list[Term | Array] = [checked.steps[0].relation.left, *(step.relation.right for step in checked.steps)]
    how = notation(*sides)
    values = [value(side, point) if point else None for side in sides]
    yield Line(Formula(sides[0], how), values[0])
    for at, step in enumerate(checked.steps, 1):
        key = (theorem.name, number, at)
        shown = Formula(sides[at], how, step.relation.kind)
        if key in asked:
            yield Line(None, task=asked[key])
        elif key in asked_rules:
            yield Line(shown, values[at], task=asked_rules[key])
        else:
            yield Line(shown, values[at], step.step.why, rule_words(step.step.rules))


__all__ = ["DEPTHS", "parts", "prose"]
