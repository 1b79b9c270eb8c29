"""Marks an answer to a task: the kernel proves it right, the refuter finds the point at which it is wrong, slips name the mistake.

Imports the verdict, the records of lessons, their reader and their slips.
"""

from __future__ import annotations

import re
from contextlib import suppress

from lnsym import library
from lnsym.decide import check
from lnsym.derivations.definitions import THEORY, eps
from lnsym.errors import KernelError
from lnsym.kernel.prove import Proved, prove
from lnsym.kernel.terms import COORDINATES, Array, Hypothesis, Relation, Term, free_indices, opened, walk
from lnsym.lang import Eq, Ne, positive
from lnsym.lesson.marking.aligned import aligned
from lnsym.lesson.marking.parts import shown
from lnsym.lesson.marking.reading import Line, Value, read_line
from lnsym.lesson.marking.same import same
from lnsym.lesson.marking.sample import differ
from lnsym.lesson.marking.slips import Findings, examine
from lnsym.lesson.pieces import notation
from lnsym.lesson.records import Mark, Task
from lnsym.refute import Counterexample, find_counterexample, find_point
from lnsym.surd import Interval, Plain

BUDGET = 10_000  # evaluated nodes in the search for a witness


def expression(task: Task, answer: str) -> Mark:
    """What is to be said of an expression, or of a line whose last side is one."""
    line = read_line(task, answer)
    assert task.target is not None
    if fault := _shape_fault(line.last, task.target, task.before):
        return Mark("different", fault)
    return _Judged(task, line).mark()


KINDS = ("number", "vector", "matrix")


def _kind(value: Value) -> int:
    return len(value.indices) if isinstance(value, Array) else 0


def _asked(target: Value, before: Value | None = None) -> int:
    """How many indices an answer may have: those of the line, or of the line above where this one is a constant such as 0."""
    return max(len(one.indices) if isinstance(one, Array) else len(free_indices(one)) for one in (target, before) if one is not None)


def _shape_fault(value: Value, target: Value, before: Value | None = None) -> str:
    """What is to be said where an answer cannot be compared with the line."""
    if _kind(value) and _kind(value) != _asked(target, before):
        return f"Your answer is a {KINDS[_kind(value)]}, and a {KINDS[_asked(target)]} is asked for."
    return ""


def _index_fault(value: Value, task: Task) -> str:
    """What is to be said of a wrong line with more indices than the right one."""
    if isinstance(value, Array) or task.target is None:
        return ""
    mine = sorted(index.name for index in free_indices(value))
    asked = _asked(task.target, task.before)
    if len(mine) <= asked:
        return ""
    indices = f"ind{'ices' if len(mine) > 1 else 'ex'} {' and '.join(mine)}"
    return f"Not yet. Your answer depends on the {indices}, and {('no index', 'one index', 'two indices')[asked]} can stand there."


def at_the_entry(value: Value, target: Value) -> tuple[Term, Term]:
    """Both as terms: a vector or matrix beside an entry is taken at the indices of that entry, and the other way round."""
    if isinstance(value, Array) != isinstance(target, Array):
        array, entry = (value, target) if isinstance(value, Array) else (target, value)
        free = tuple(sorted(free_indices(entry), key=lambda index: index.name))
        if isinstance(array, Array) and [x.range for x in free] == [x.range for x in array.indices]:
            value, target = (array[free], target) if array is value else (value, array[free])
    left, right = opened(value, target)
    return left, right


class _Judged:
    """One expression against the line that is asked for."""

    def __init__(self, task: Task, line: Line) -> None:
        assert task.target is not None
        self.task, self.line = task, line
        self.answer, self.target = at_the_entry(line.last, task.target)

    def mark(self) -> Mark:
        """Right first, then what is wrong with it."""
        if broken := self.broken_chain():
            return broken
        before = self.task.before
        if before is not None and same(*at_the_entry(self.line.last, before)) and not same(self.answer, self.target):
            return Mark("different", "That is the line you have. Take one step from it.")
        if same(self.answer, self.target):
            return Mark("another form", renamed) if (renamed := self.renamed()) else Mark("correct", "Correct.")
        relation = Eq(self.answer, self.target)
        proved, needs, witness = decided(relation, self.task)
        if not proved and witness is None:
            near = aligned(self.answer, self.target, lambda one: proves(one, self.task))
            proved = proves(Eq(near, self.target), self.task)
        if proved:
            if needs:
                needs = tuple(map(_plainly, needs))
                where = " and ".join(needs)
                return Mark("needs", f"This is true only where {where}: elsewhere your line is not defined.", needs=needs)
            return Mark("another form", self.renamed() or f"Correct, in another form of {shown(self.target)}.")
        if fault := _index_fault(self.line.last, self.task):
            return Mark("different", fault)
        found = examine(self.task, self.answer, self.target, witness)
        if witness is None:
            if proves(Ne(self.answer, self.target), self.task):
                return Mark("different", "Not yet. Your line differs from the right one at every point.", found.right)
            return self.nowhere() or self.undecided(found)
        return self.wrong(found, witness)

    def renamed(self) -> str:
        """What is to be said where the lines of a task are shown by entries, and the answer calls the indices otherwise."""
        value, target = self.line.last, self.task.target
        if isinstance(value, Array) or not isinstance(target, Array) or notation(*self.task.lines) != "index":
            return ""
        if not self.task.lines or any(index.range != COORDINATES for index in target.indices):
            return ""
        mine = sorted(index.name for index in free_indices(value))
        above = list("ijk"[: len(target.indices)])
        return f"Correct, with {' and '.join(mine)} in place of {' and '.join(above)}." if len(mine) == len(above) and mine != above else ""

    def broken_chain(self) -> Mark | None:
        """A line with equals signs whose other sides are not the line above."""
        for said, side in self.line.sides[:-1]:
            if self.holds_above(side):
                continue
            assert self.task.target is not None
            reference = self.task.before if self.task.before is not None else self.task.target
            if fault := _shape_fault(side, reference):
                return Mark("different", f"In {said}: {fault[0].lower()}{fault[1:]}")
            _, _, witness = decided(Eq(*at_the_entry(side, reference)), self.task)
            return Mark("different", f"The side {said} of your line is not the line above. {_told(witness)}".rstrip(), witness=witness)
        return None

    def holds_above(self, side: Value) -> bool:
        for reference in (self.task.before, self.task.target):
            if reference is not None and not _shape_fault(side, reference):
                left, right = at_the_entry(side, reference)
                if same(left, right) or decided(Eq(left, right), self.task)[0]:
                    return True
        return False

    def nowhere(self) -> Mark | None:
        """Where the answer has a value at no point tried, and the line has one."""
        given = _with_eps(self.task.given)
        mine, theirs = (find_point(THEORY, given, [Eq(side, side)], limit=BUDGET) for side in (self.answer, self.target))
        if mine is not None or theirs is None:
            return None
        why = "it divides by 0, or takes the root of a negative number"
        return Mark("different", f"Not yet. Your line has no value at any point tried: {why}.")

    def undecided(self, found: Findings) -> Mark:
        points = f"and your line agrees with the right one at {found.agreed} exact points"
        said = points if found.agreed else "nor a point at which to compare"
        return Mark("undecided", f"Not decided: no proof was found, {said}. Write it in a simpler form.")

    def wrong(self, found: Findings, witness: Counterexample) -> Mark:
        told = _told(witness)
        where = f" is true where {' and '.join(found.needs)}, but not in general"
        if found.slip:
            code, what = found.slip
            named = f"{code}: {what}" if code.startswith("LN") else what
            if code == "LN104" and found.needs == ("eps = 0",):
                return Mark("needs", f"This{where}. {named}. {told}", found.right, found.needs, code, witness)
            also = f" It{where}." if found.needs else ""
            return Mark("slip", f"Not yet. {named}.{also} {told}", found.right, found.needs, code, witness)
        if found.needs:
            return Mark("needs", f"This{where}. {told}", found.right, found.needs, "", witness)
        return Mark("different", f"Not yet. {told}", found.right, witness=witness)


def _plainly(condition: str) -> str:
    """A side condition as one says it: d != 1 for 1 - d != 0."""
    apart = re.fullmatch(r"(\S+) - (\S+) != 0", condition)
    if apart is None:
        return condition
    left, right = apart.groups()
    return f"{right} != {left}" if left.isdigit() else f"{left} != {right}"


def _told(witness: Counterexample | None) -> str:
    if witness is None:
        return ""
    return f"At {witness.place}: yours {_number(witness.left)}, exact {_number(witness.right)}."


def _number(value: Plain) -> str:
    return f"about {float(value.low):.6g}" if isinstance(value, Interval) else str(value)


# ---------------------------------------------------------------- proofs and witnesses


def known_to(task: Task) -> tuple[Proved, ...]:
    """What the theorems that a task's rules name prove under its hypotheses."""
    names = [rule.theorem for rule in task.rules if rule.theorem is not None]
    return tuple(p for one in names for p in library.theorem(one).proved if set(p.given) <= set(task.given))


def decided(relation: Relation, task: Task) -> tuple[bool, tuple[str, ...], Counterexample | None]:
    """Whether a relation is proved under the hypotheses of a task, what it needs besides, and else a point at which it fails.

    Points are tried first: to evaluate a wrong line is less work than to look for its proof.
    """
    given = _with_eps(task.given)
    if differ(*relation.opened(), given) and (hit := find_counterexample(THEORY, relation, given, budget=BUDGET)) is not None:
        return False, (), hit
    relations = [hypothesis for hypothesis in given if isinstance(hypothesis, Relation)]
    if len(relations) == len(given):
        verdict = check(relation, relations)
        found = verdict.verdict == "proved", verdict.needs, verdict.counterexample
    else:  # the entries of a vector are given, of which check() knows nothing
        proved = proves(relation, task)
        found = proved, (), None if proved else find_counterexample(THEORY, relation, given, budget=BUDGET)
    return found if found[0] or found[2] else (proves(relation, task, known_to(task)), (), None)


def proves(relation: Relation, task: Task, known: tuple[Proved, ...] = ()) -> bool:
    """Whether the kernel proves a relation under the hypotheses of a task, without a side condition."""
    signs = tuple(h for h in task.given if isinstance(h, Relation) and h.kind != "=")
    for given in dict.fromkeys((task.given, signs if not known else task.given)):
        with suppress(KernelError):
            if not prove(THEORY, relation, _with_eps(given), known=known).conditions:
                return True
    return False


def _with_eps(given: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
    """The hypotheses, with eps > 0 where they say nothing of eps; as check() does."""
    sides = (side for h in given if isinstance(h, Relation) for side in (h.left, h.right))
    return given if any(eps in walk(side) for side in sides) else (*given, positive(eps))
