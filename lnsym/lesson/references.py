"""References in a lesson's words to the formulas of the book, such as {variance_core_eq.1.right}. Imports up to the library.

- {q}: a notion of the book, a scalar, vector or matrix of its language;
- {theorem}, {theorem.2}: what its first, or its second claim says;
- {theorem.2.3}: the third relation of its second claim, where that is an example;
- {theorem.2.left}, {theorem.2.right}: one side;
- {theorem.2.step.3}: line 3 of the calculation; line 0 is its start;
- {theorem.2.given}: the hypotheses of the claim, {theorem.given} those of the theorem, with .1 after it the first of them;
- {theorem.miss.1}: the first near miss; .left and .right as above;
- {theorem.2.at}: the point at which the claim is shown, {theorem.2.at.3} the third point of the theorem;
- .value after a side or a line: its exact value at that point, .value.3 at the third point of the theorem.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from lnsym import statement
from lnsym.derivation import CheckedClaim, Claim, Theorem
from lnsym.errors import StatementError
from lnsym.kernel.terms import Array, Hypothesis, Relation, Term
from lnsym.lesson.pieces import Formula, Node, Piece, Words, formula, listed
from lnsym.lesson.records import LessonError
from lnsym.lesson.values import place, relations, told, value
from lnsym.library import book, theorem

REFERENCE = re.compile(r"\{([^{}]*)\}")
OWN = "one of your own must first stand in the book, as a file in a chapter of derivations/"
NOTIONS: dict[str, Node] = {**statement.SCALARS, **statement.VECTORS, **statement.MATRICES}


def words(said: str) -> Words:
    """A text with its references put in. Raises LessonError for one that does not resolve."""
    pieces: list[Piece] = []
    for number, part in enumerate(REFERENCE.split(said)):
        if number % 2:
            pieces += resolved(part)
        elif part:
            if "{" in part or "}" in part:
                alone = part.strip()[:60]
                raise LessonError(f"a brace stands alone in {alone!r}; a reference is written {{theorem}} or {{theorem.2.left}}")
            pieces.append(part)
    return tuple(pieces)


def named(name: str) -> Theorem:
    """A theorem of the book, checked; LessonError with close names."""
    try:
        return theorem(name)
    except StatementError:
        near = get_close_matches(name, book().derivations, n=3, cutoff=0.5)
        remedy = f"did you mean {' or '.join(near)}?" if near else f"`lnsym list` names them all; {OWN}"
        raise LessonError(f"the book has no theorem {name!r}; {remedy}") from None


def claim_of(found: Theorem, number: int) -> CheckedClaim:
    """A claim by its number, counted from 1."""
    if not 1 <= number <= len(found.claims):
        raise LessonError(f"{found.name} has {_many(len(found.claims), 'claim')}, counted from 1; there is no claim {number}")
    return found.claims[number - 1]


def lines_of(found: Theorem, number: int) -> tuple[Term | Array, ...]:
    """The lines of a claim's calculation, the start first."""
    steps = claim_of(found, number).steps
    if not steps:
        remedy = f"`lnsym show {found.name}` shows which claims have them"
        raise LessonError(f"claim {number} of {found.name} is not proved by a calculation, so it has no steps; {remedy}")
    return (steps[0].relation.left, *(step.relation.right for step in steps))


def miss_of(found: Theorem, number: int) -> Relation:
    """A near miss by its number, counted from 1."""
    misses = found.derivation.near_misses
    if not misses:
        raise LessonError(f"{found.name} has no near misses; name another theorem, or write one into its file")
    if not 1 <= number <= len(misses):
        has = _many(len(misses), "near miss", "near misses")
        raise LessonError(f"{found.name} has {has}, counted from 1; there is no near miss {number}")
    return misses[number - 1].relation


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


# ---------------------------------------------------------------- one reference


def resolved(reference: str) -> Words:
    """What a reference stands for."""
    name, *path = reference.split(".")
    if not path and name in NOTIONS:
        return (Formula(NOTIONS[name], "matrix"),)
    if name in NOTIONS and name not in book().derivations:
        raise LessonError(f"{{{reference}}}: {name} is a notion and has no parts; write {{{name}}}")
    if name not in book().derivations:
        near = get_close_matches(name, [*book().derivations, *NOTIONS], n=3, cutoff=0.5)
        remedy = f"did you mean {' or '.join(near)}?" if near else "`lnsym list` names the theorems"
        raise LessonError(f"{{{reference}}} names neither a theorem nor a notion of the book; {remedy}")
    try:
        return _Reference(named(name), path).words()
    except LessonError as error:
        raise LessonError(f"{{{reference}}}: {error}") from None


class _Reference:
    """Reads the path of one reference from left to right."""

    def __init__(self, found: Theorem, path: Sequence[str]) -> None:
        self.found, self.path = found, list(path)

    def words(self) -> Words:
        if self.path[:1] == ["given"]:
            self.path.pop(0)
            return self.given(self.found.derivation.given)
        if self.path[:1] == ["miss"]:
            self.path.pop(0)
            return self.relation(miss_of(self.found, self.number("the number of a near miss")), None)
        return self.claim(self.number("the number of a claim") if self.path else 1)

    def claim(self, number: int) -> Words:
        checked = claim_of(self.found, number)
        match self.path[:1]:
            case ["given"]:
                self.path.pop(0)
                return self.given(checked.given)
            case ["at"]:
                self.path.pop(0)
                return self.at(checked)
            case ["step"]:
                self.path.pop(0)
                lines, at = lines_of(self.found, number), self.number("the number of a line")
                if at >= len(lines):
                    raise LessonError(f"the calculation has lines 0 to {len(lines) - 1}")
                return self.side(lines[at], checked, lines)
        said = relations(checked)
        if not said:
            raise LessonError("this claim is a fact of calculus and has no formula; name another claim")
        if self.path[:1] and self.path[0].isdigit():
            at = self.number("the number of a relation")
            if not 1 <= at <= len(said):
                raise LessonError(f"claim {number} says {_many(len(said), 'relation')}; there is no relation {at}")
            said = (said[at - 1],)
        if len(said) > 1 and not self.path:
            return listed(map(formula, said))
        return self.relation(said[0], checked)

    def given(self, hypotheses: Sequence[Hypothesis]) -> Words:
        if not self.path:
            return listed(map(formula, hypotheses))
        at = self.number("the number of a hypothesis")
        if not 1 <= at <= len(hypotheses):
            raise LessonError(f"there are {_many(len(hypotheses), 'hypothesis', 'hypotheses')}, counted from 1; there is no number {at}")
        return self.end((formula(hypotheses[at - 1]),))

    def relation(self, said: Relation, checked: CheckedClaim | None) -> Words:
        if self.path[:1] == ["value"]:
            self.path.insert(0, "left")
        if self.path[:1] in (["left"], ["right"]):
            return self.side(getattr(said, self.path.pop(0)), checked, ())
        return self.end((formula(said),))

    def side(self, node: Term | Array, checked: CheckedClaim | None, beside: Sequence[Node]) -> Words:
        if self.path[:1] != ["value"]:
            return self.end((formula(node, *beside),))
        self.path.pop(0)
        if checked is None:
            raise LessonError("a near miss has no point; leave out .value")
        at = self.number("the number of a point") if self.path else 0
        point = place(self.found, checked, at)
        found = value(node, point) if point else None
        if found is None:
            raise LessonError("there is no point at which this has a value; name a claim for which the theorem has one")
        return self.end((found,))

    def at(self, checked: CheckedClaim) -> Words:
        point = place(self.found, checked, self.number("the number of a point") if self.path else 0)
        if point is None:
            raise LessonError("the theorem has no point at which this claim can be shown; give it one in its file")
        return self.end(told(point, *(side for one in relations(checked) for side in (one.left, one.right))))

    def number(self, what: str) -> int:
        if not self.path or not self.path[0].isdigit():
            found = f", not {self.path[0]!r}" if self.path else ""
            raise LessonError(f"expected {what}{found}; write for example {{theorem.2.left}}, {{theorem.1.step.3}} or {{theorem.miss.1}}")
        return int(self.path.pop(0))

    def end(self, found: Words) -> Words:
        if self.path:
            raise LessonError(f"cannot read {'.'.join(self.path)!r}; a side is .left or .right, its number .value")
        return found


def told_claims(theorem_and_claims: str) -> tuple[Theorem, tuple[int, ...]]:
    """What an entry of Lesson.theorems names: a theorem with all its claims, or, as in `name.1.3`, with some."""
    name, *numbers = theorem_and_claims.split(".")
    found = named(name)
    if not all(number.isdigit() for number in numbers):
        raise LessonError(f"{theorem_and_claims!r} is no theorem with numbers of claims; write {name} or {name}.1.3")
    for number in numbers:
        claim_of(found, int(number))
    return found, tuple(map(int, numbers)) or tuple(range(1, len(found.claims) + 1))


def is_claim(checked: CheckedClaim) -> bool:
    """Whether a claim says one relation that is proved, and is no example."""
    return isinstance(checked.claim, Claim) and checked.claim.relation is not None
