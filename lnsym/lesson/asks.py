"""Makes a task of what an author asks: prompt, lines, choices, hints and solution come from the theorem. Imports up to the library."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, singledispatchmethod

from lnsym.derivation import (
    Chain,
    CheckedClaim,
    CheckedStep,
    Example,
    Theorem,
)
from lnsym.kernel.terms import (
    Array,
    Components,
    Entry,
    Hypothesis,
    Index,
    Mul,
    Num,
    Relation,
    Root,
    Sym,
    Term,
    free_indices,
    substitute_indices,
    walk,
)
from lnsym.lesson.pieces import BLANK, SIGNS, Form, Formula, Node, Numbers, Piece, Words, formula, listed, notation, written
from lnsym.lesson.records import Ask, Coefficient, Compute, FindFlaw, Lesson, LessonError, NameRule, NextLine, Predict, Task
from lnsym.lesson.references import claim_of, is_claim, lines_of, miss_of, named, told_claims, words
from lnsym.lesson.rules import misleading, rule_words
from lnsym.lesson.values import as_term, place, relations, speaks, statistics, told, value
from lnsym.library import book
from lnsym.notation import text
from lnsym.refute import Counterexample, Point, find_counterexample
from lnsym.statement import MATRICES, VECTORS
from lnsym.surd import Plain, Surd

LETTERS = "abcd"
CHANGES, STAYS = "it changes", "it stays"
MOVES = "Ask what happens to the mean, to the deviations and to the root, one after the other."
READABLE = 72  # characters of a choice
_NAME = re.compile(r"(?:mean|var|cov|core|rms|tr|diag)(?=[ (])|([A-Za-zα-ω][₀-₉]*′?[ᵢⱼₖₗₘₙₐ₀-₉]*(?:\[[^\]]*\])?)")


def conditions(given: Sequence[Hypothesis], start: str = "if ") -> Words:
    """Hypotheses before a statement: "if q > 0: ", nothing where there are none."""
    return (start, *listed(map(formula, given)), ": ") if given else ()


def reason(checked: CheckedClaim) -> str:
    """Why a claim holds, in a sentence; for a calculation why its first step does."""
    claim = checked.claim
    if isinstance(claim, Example):
        return claim.why
    return claim.proof.steps[0].why if isinstance(claim.proof, Chain) else claim.proof.why


@dataclass(frozen=True)
class Maker:
    """Makes the tasks of one lesson, their texts in one form."""

    name: str
    lesson: Lesson
    form: Form = "text"

    def tasks(self, where: str) -> Iterator[Task]:
        """The tasks in order; LessonError names the place `where` the lesson is written."""
        for number, ask in enumerate(self.lesson.tasks, 1):
            try:
                yield self.task(ask, f"{self.name}.{number}")
            except LessonError as error:
                raise LessonError(f"{where}, task {number} ({type(ask).__name__}): {error}") from None

    @singledispatchmethod
    def task(self, ask: Ask, id: str) -> Task:  # noqa: A002 - the field's name
        """The task of one ask."""
        known = "NextLine, NameRule, Coefficient, FindFlaw, Compute or Predict"
        raise LessonError(f"{id} is no task: expected {known}, found {ask!r}")

    def say(self, *said: Piece | Words) -> str:
        """Words in the form of the tasks."""
        return "".join(written(one, self.form) for one in said)

    # ---- the next line, and the rule that leads to it

    @task.register
    def _(self, ask: NextLine, id: str) -> Task:  # noqa: A002
        found, checked, step, lines = _step(ask.theorem, ask.claim, ask.step)
        if step.relation.kind != "=":
            raise LessonError(
                f"step {ask.step} is an inequality, and many lines would be right; ask NameRule, or name a step that is equal"
            )
        target, before = lines[ask.step], lines[ask.step - 1]
        last = ask.step == len(lines) - 1
        single = last and ask.step == 1
        prompt = "Write the other side of this equation." if single else "Write the last line." if last else "Write the next line."
        why, rules = step.step.why, step.step.rules
        shape = blanked(text(target, notation(*lines)))
        return Task(
            id,
            "next line",
            self.say(prompt),
            lines=lines[: ask.step],
            given=checked.given,
            target=target,
            before=before,
            rules=rules,
            hints=(self.say(why), self.say("Use this: ", rule_words(rules), "."), self.say(shape)),
            solution=(self.say(Formula(target, notation(*lines), "=")), self.say(why)),
            theorem=found.name,
            vectors=vectors(*lines, *checked.given),
        )

    @task.register
    def _(self, ask: NameRule, id: str) -> Task:  # noqa: A002
        found, checked, step, lines = _step(ask.theorem, ask.claim, ask.step)
        order = random.Random(id)
        true = rule_words(step.step.rules)
        wrong = misleading(found, step, order, len(LETTERS))
        if len(wrong) < len(LETTERS) - 1:
            raise LessonError(f"too many rules lead to step {ask.step}, so none can be the only right one; ask for another step")
        choices, right = shuffled(order, true, wrong[: len(LETTERS) - 1])
        letters = [letter for letter in LETTERS if letter != right]
        order.shuffle(letters)
        how = notation(*lines)
        return Task(
            id,
            "rule",
            self.say(
                f"Which rule{'s lead' if len(step.step.rules) > 1 else ' leads'} from ",
                Formula(lines[ask.step - 1], how),
                " to ",
                Formula(lines[ask.step], how),
                "?",
            ),
            lines=lines[: ask.step + 1],
            given=checked.given,
            rules=step.step.rules,
            choices=tuple(map(self.say, choices)),
            right=right,
            hints=(
                self.say(step.step.why),
                self.say(f"It is not {letters[0]}."),
                self.say(f"It is not {letters[1]} either."),
            ),
            solution=(self.say(f"{right}: ", true, "."), self.say(step.step.why)),
            theorem=found.name,
            vectors=vectors(*lines, *checked.given),
        )

    # ---- a factor

    @task.register
    def _(self, ask: Coefficient, id: str) -> Task:  # noqa: A002
        found = named(ask.theorem)
        checked = claim_of(found, ask.claim)
        said = _relation(found, ask.claim, checked)
        body = said.right.body if isinstance(said.right, Array) else said.right
        factors = body.args if isinstance(body, Mul) else ()
        if not 1 <= ask.factor <= len(factors):
            has = f"has {len(factors)} factors, counted from 1" if factors else "is no product"
            raise LessonError(f"the right side {text(said.right)} {has}; there is no factor {ask.factor}")
        target = factors[ask.factor - 1]
        holed = Mul((*factors[: ask.factor - 1], BLANK, *factors[ask.factor :]))
        line = Relation(said.kind, said.left, Array(said.right.indices, holed) if isinstance(said.right, Array) else holed)
        return Task(
            id,
            "coefficient",
            self.say("What belongs in the place of ", Formula(BLANK), "?"),
            lines=(line,),
            given=checked.given,
            target=target,
            rules=checked.steps[-1].step.rules if checked.steps else (),
            hints=(self.say(reason(checked)), *self.numbers(found, checked), self.say(blanked(text(target)))),
            solution=(self.say(formula(said)), self.say(reason(checked))),
            theorem=found.name,
            vectors=vectors(said.left, said.right, *checked.given),
        )

    def numbers(self, found: Theorem, checked: CheckedClaim) -> Iterator[str]:
        """What both sides are at a point, in a sentence, where there is one."""
        point = place(found, checked)
        if point is not None:
            said = relations(checked)[0]
            left = value(said.left, point)
            assert left is not None
            aside = statistics(point)
            extra = (", with ", *aside, ",") if aside else ()
            yield self.say("At ", told(point, said.left, said.right), *extra, " the left side is ", left, ".")

    # ---- the false one among true ones

    @task.register
    def _(self, ask: FindFlaw, id: str) -> Task:  # noqa: A002
        found = named(ask.theorem)
        said = miss_of(found, ask.miss)
        miss = found.derivation.near_misses[ask.miss - 1]
        given = found.derivation.given if miss.given is None else miss.given
        against = witness(said, given)
        if against is None:
            raise LessonError(f"near miss {ask.miss} of {found.name} has no counterexample; name another one")
        shown = Relation(said.kind, *said.opened()) if against.at else said
        order = random.Random(id)
        true = self.true_claims(found, order)[: len(LETTERS) - 1]
        if len(true) < len(LETTERS) - 1:
            few = "too few short claims stand beside it in its theorem, this lesson and its chapter"
            raise LessonError(f"near miss {ask.miss} of {found.name} cannot be asked for: {few}; add a theorem to the lesson")
        choices, right = shuffled(order, (*conditions(given), formula(said)), true)
        sides = (_exact(against.left), f" {SIGNS[against.kind]} ", _exact(against.right))
        at = self.say("At ", _place(against))
        return Task(
            id,
            "flaw",
            self.say("Three of these lines are proved, one is false. Which one?"),
            given=(),
            choices=tuple(map(self.say, choices)),
            right=right,
            hints=(
                self.say("A line is false if one point speaks against it. ", "Put numbers into each."),
                f"{at}{self.say(' one of them fails.')}",
                self.say("There it would say ", *sides, "."),
            ),
            solution=(
                self.say(f"{right}: ", formula(shown), " is false."),
                self.say(miss.why),
                f"{at}{self.say(' it would say ', *sides, '.')}",
            ),
            theorem=found.name,
        )

    def true_claims(self, found: Theorem, order: random.Random) -> list[Words]:
        """Short claims of the book to stand beside a near miss, the nearest first."""
        kept: dict[str, Words] = {}
        for claims in self.neighbours(found):
            if len(kept) >= len(LETTERS):
                break
            order.shuffle(claims)
            for checked in claims:
                line = (*conditions(checked.given), *map(formula, relations(checked)))
                if is_claim(checked) and len(written(line)) <= READABLE:
                    kept.setdefault(written(line), line)
        return list(kept.values())

    def neighbours(self, found: Theorem) -> Iterator[list[CheckedClaim]]:
        """Claims near a theorem: what the lesson tells of it, what it tells of others, the rest of the theorem, and its chapter."""
        told_here = {theorem.name: [theorem.claims[n - 1] for n in numbers] for theorem, numbers in map(told_claims, self.lesson.theorems)}
        yield list(told_here.get(found.name, found.claims))
        yield [checked for claims in told_here.values() for checked in claims]
        yield list(found.claims)
        chapter = (name for name, (where, _) in book().derivations.items() if where.name == found.chapter)
        yield [checked for name in chapter for checked in named(name).claims]

    # ---- a number

    @task.register
    def _(self, ask: Compute, id: str) -> Task:  # noqa: A002
        found = named(ask.theorem)
        checked = claim_of(found, ask.claim)
        said = relations(checked)
        example = isinstance(checked.claim, Example)
        many = len(said) if example else len(found.derivation.points)
        if not said or not 1 <= ask.point <= many:
            what = "relation" if example else "point"
            has = f"{many if said else 0} {what}{'s' * (many != 1)} to compute"
            raise LessonError(f"claim {ask.claim} of {found.name} has {has}; there is no number {ask.point}")
        one = said[ask.point - 1] if example else said[0]
        point = place(found, checked, 0 if example else ask.point)
        if point is None:
            raise LessonError(f"claim {ask.claim} of {found.name} has no value at point {ask.point}; name another point or claim")
        side = one.left
        side = last_entry(side, point)
        number = value(side, point)
        if number is None or isinstance(number.value, tuple):
            raise LessonError(f"the left side of claim {ask.claim} of {found.name} has no value at that point; name another claim")
        return Task(
            id,
            "compute",
            self.say("Compute ", formula(side), " at ", told(point, side), "."),
            lines=(side,),
            target=number.value,
            hints=tuple(map(self.say, self.way(checked, point, side))) + (self.say(_looks(number.value)),),
            solution=(
                self.say(formula(side), " = ", number),
                *(() if example else (self.say("In general ", formula(one), "."),)),
                self.say(reason(checked)),
            ),
            theorem=found.name,
        )

    def way(self, checked: CheckedClaim, point: Point, side: Term) -> Iterator[Words]:
        """Two hints on the way to a number."""
        aside = statistics(point, side) if "z" in speaks((side,)) else ()
        if isinstance(checked.claim, Example):
            yield (
                "Begin with the mean, then the deviations, then their squares." if aside else "Put the numbers in, from the inside out.",
            )
            yield ("There ", *aside, ".") if aside else (reason(checked),)
        else:
            yield (reason(checked),)
            yield ("There ", *aside, ".") if aside else ("In general ", *map(formula, relations(checked)), ".")

    # ---- does it change?

    @task.register
    def _(self, ask: Predict, id: str) -> Task:  # noqa: A002
        found = named(ask.theorem)
        said, why, example = self.prediction(found, ask)
        names = speaks(side for piece in said if isinstance(piece, Formula) for side in _sides(piece.node))
        right = "ab"[not ask.miss]
        return Task(
            id,
            "predict",
            self.say(words(ask.question)),
            choices=(self.say(CHANGES), self.say(STAYS)),
            right=right,
            hints=(
                self.say(MOVES if "z" in names else "Write it down before and after, and compare."),
                self.say(example or "Try it with two or three numbers of your own."),
                self.say(why),
            ),
            solution=(self.say(f"{right}: {CHANGES if ask.miss else STAYS}. ", said), self.say(why), *filter(None, (self.say(example),))),
            theorem=found.name,
        )

    def prediction(self, found: Theorem, ask: Predict) -> tuple[Words, str, Words]:
        """What is true, why, and numbers that show it."""
        if ask.miss:
            said = miss_of(found, ask.miss)
            miss = found.derivation.near_misses[ask.miss - 1]
            given = found.derivation.given if miss.given is None else miss.given
            against = witness(said, given)
            if against is None:
                raise LessonError(f"near miss {ask.miss} of {found.name} has no counterexample; name another one")
            shown = Relation(said.kind, *said.opened()) if against.at else said
            left: Words = (Formula(shown.left), " is ", _exact(against.left))
            right: Words = () if isinstance(shown.right, Num) else (" and ", Formula(shown.right), " is ", _exact(against.right))
            return (formula(said), " does not always hold."), miss.why, ("At ", *_place(against), ", ", *left, *right, ".")
        checked = claim_of(found, ask.claim)
        claim = _relation(found, ask.claim, checked)
        point = place(found, checked)
        shown_left = value(claim.left, point) if point else None
        numbers: Words = ()
        if point and shown_left and claim.kind == "=":
            numbers = ("At ", *told(point, claim.left, claim.right), " both sides are ", shown_left, ".")
        return (*conditions(checked.given, "If "), formula(claim), "."), reason(checked), numbers


# ---------------------------------------------------------------- parts of tasks


def _step(name: str, claim: int, step: int) -> tuple[Theorem, CheckedClaim, CheckedStep, tuple[Term | Array, ...]]:
    found = named(name)
    checked = claim_of(found, claim)
    lines = lines_of(found, claim)
    if not 1 <= step < len(lines):
        has = "one step" if len(lines) == 2 else f"{len(lines) - 1} steps, counted from 1"
        raise LessonError(f"the calculation of claim {claim} of {name} has {has}; there is no step {step}")
    return found, checked, checked.steps[step - 1], lines


def _relation(found: Theorem, number: int, checked: CheckedClaim) -> Relation:
    if not is_claim(checked):
        kind = "an example" if isinstance(checked.claim, Example) else "a fact of calculus"
        raise LessonError(f"claim {number} of {found.name} is {kind}; name a claim that is one relation")
    return relations(checked)[0]


def shuffled(order: random.Random, true: Words, wrong: Sequence[Words]) -> tuple[list[Words], str]:
    """The choices in a mixed order, and the letter of the one asked for."""
    choices = [true, *wrong]
    order.shuffle(choices)
    return choices, LETTERS[choices.index(true)]


def last_entry(side: Term | Array, point: Point) -> Term:
    """One number of a list: its last entry."""
    if isinstance(side, Array):
        side = side[tuple(Index(str(point.sizes[index.range.length]), index.range) for index in side.indices)]
    last: dict[Index, Index] = {index: Index(str(point.sizes[index.range.length]), index.range) for index in free_indices(side)}
    return substitute_indices(side, last)  # type: ignore[no-any-return]


@cache
def witness(said: Relation, given: tuple[Hypothesis, ...]) -> Counterexample | None:
    """A small point at which a near miss fails."""
    return find_counterexample(book().theory, said, given)


def _place(against: Counterexample) -> Words:
    point = against.point
    everything = [Sym(name) for name in (*point.vectors, *point.scalars)]
    return listed([told(point, *everything), *(f"{name} = {at}" for name, at in against.at.items())])


def _exact(number: Plain) -> Piece:
    return Numbers(as_term(number)) if isinstance(number, (Fraction, Surd)) else str(number)


def _sides(node: Node) -> tuple[Term | Array, ...]:
    return (node.left, node.right) if isinstance(node, Relation) else node.entries if isinstance(node, Components) else (node,)


def blanked(line: str) -> str:
    """The form of a line: its names left out."""
    if re.fullmatch(r"-?[\d/]+", line):
        return "What is left is a number."
    shape = _NAME.sub(lambda found: "□" if found[1] else found[0], line)
    return "What is left is one name." if shape in ("□", "-□") else f"It has this form: {shape}"


def _looks(number: Term | tuple[Numbers, ...]) -> str:
    roots = [text(node) for node in walk(number) if isinstance(node, Root)] if isinstance(number, Term) else []
    if roots:
        return f"The root {roots[0]} stands in it."
    assert isinstance(number, Num)
    under = number.value.denominator
    sign = "negative " if number.value < 0 else ""
    return f"It is a {sign}fraction with the denominator {under}." if under > 1 else f"It is a {sign}whole number."


def vectors(*nodes: Term | Array | Hypothesis) -> tuple[str, ...]:
    """The vectors that stand in some formulas and are not words of the language."""
    sides: list[Term | Array] = []
    for node in nodes:
        sides += [node] if isinstance(node, (Term, Array)) else [node.left, node.right] if isinstance(node, Relation) else []
    found = {node.vector for side in sides for node in walk(side) if isinstance(node, Entry) and len(node.indices) == 1}
    return tuple(sorted(found - VECTORS.keys() - MATRICES.keys()))


__all__ = ["Maker", "blanked", "conditions", "reason", "rule_words", "witness"]
