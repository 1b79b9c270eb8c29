"""What a lesson file holds, what a task is, and what marking answers. Imports the terms and records of the book."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Union

from lnsym.derivation import Rule
from lnsym.errors import LnsymError
from lnsym.kernel.terms import Array, Hypothesis, Relation, Term
from lnsym.refute import Counterexample


class LessonError(LnsymError):
    """A lesson file or a lesson's name that cannot be used; the message tells its author what to do."""


# ---------------------------------------------------------------- what an author writes


@dataclass(frozen=True)
class NextLine:
    """Write the next line of a derivation: step number `step` of a claim of the theorem, both counted from 1."""

    theorem: str
    step: int
    claim: int = 1


@dataclass(frozen=True)
class NameRule:
    """Name the rule that leads to step number `step`."""

    theorem: str
    step: int
    claim: int = 1


@dataclass(frozen=True)
class Coefficient:
    """Fill in factor number `factor` of the right side of a claim, counted from 1."""

    theorem: str
    factor: int
    claim: int = 1


@dataclass(frozen=True)
class FindFlaw:
    """Find the flaw: near miss number `miss` of the theorem among true claims."""

    theorem: str
    miss: int = 1


@dataclass(frozen=True)
class Compute:
    """Compute the left side of a claim at point number `point` of the theorem."""

    theorem: str
    point: int = 1
    claim: int = 1


@dataclass(frozen=True)
class Predict:
    """Say before computing whether something changes: a claim that says it stays, or near miss number `miss` that says it does not."""

    theorem: str
    question: str  # in words, references in braces as in Lesson.idea
    claim: int = 1
    miss: int = 0  # 0: the claim is the answer


Ask = Union[NextLine, NameRule, Coefficient, FindFlaw, Compute, Predict]


@dataclass(frozen=True)
class Lesson:
    """One lesson: what a proof does not hold. Formulas stand in its prose only as references to theorems: {variance_core_eq},
    {variance_core_eq.2} for the second claim, {variance_core_eq.1.left} for one side.
    """

    title: str
    question: str  # the question before it
    theorems: tuple[str, ...]  # in the order in which they are told
    idea: str  # what to see, in words with references
    tasks: tuple[Ask, ...]
    figure: str = ""  # a name of lnsym.lesson.figures
    after: tuple[str, ...] = ()  # lessons that come before
    prose: str = ""  # more words, where the theorems' own do not suffice


# ---------------------------------------------------------------- what is asked

Kind = Literal["next line", "rule", "coefficient", "flaw", "compute", "predict"]


@dataclass(frozen=True)
class Task:
    """One question to a learner, made from an Ask and its theorem. Lines are shown above it; the answer is a text.

    `target` is the right expression where an expression is asked for; else `choices` are offered and `right` is the right one's letter.
    """

    id: str  # lesson and number, as in variance.3
    kind: Kind
    prompt: str
    lines: tuple[Term | Array | Relation, ...] = ()
    given: tuple[Hypothesis, ...] = ()
    target: Term | Array | None = None
    before: Term | Array | None = None  # the line above: to repeat it is no step
    rules: tuple[Rule, ...] = ()
    choices: tuple[str, ...] = ()
    right: str = ""
    hints: tuple[str, ...] = ()
    solution: tuple[str, ...] = ()  # lines of text
    theorem: str = ""
    vectors: tuple[str, ...] = ()  # names that the parser must know besides its own


Verdict = Literal["correct", "another form", "needs", "wrong rule", "slip", "different", "unreadable", "undecided"]


@dataclass(frozen=True)
class Mark:
    """What marking says of one answer. `right` is what is right in it, to be said first; `message` the rest, in whole sentences."""

    verdict: Verdict
    message: str
    right: str = ""
    needs: tuple[str, ...] = ()
    slip: str = ""  # a code of the catalogue of mistakes, or the name of a slip of algebra
    witness: Counterexample | None = None
    caret: str = ""  # two lines: the text and a caret

    @property
    def done(self) -> bool:
        """Whether the task is solved."""
        return self.verdict in ("correct", "another form")


def lessons_in_order(lessons: Sequence[tuple[str, Lesson]]) -> tuple[str, ...]:
    """Names so that each lesson comes after those that it names; LessonError for a circle or an unknown name."""
    known = dict(lessons)
    done: list[str] = []
    waiting = [name for name, _ in lessons]
    while waiting:
        ready = [name for name in waiting if all(one in done for one in known[name].after)]
        for name in waiting:
            if unknown := [one for one in known[name].after if one not in known]:
                raise LessonError(f"lesson {name} comes after {unknown[0]}, and there is no such lesson; name one of {', '.join(known)}")
        if not ready:
            raise LessonError(f"the lessons {', '.join(waiting)} wait for one another; take one name out of `after`")
        done.append(ready[0])
        waiting.remove(ready[0])
    return tuple(done)
