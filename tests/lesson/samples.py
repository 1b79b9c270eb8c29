"""Tasks made directly from theorem files, for the tests of marking."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from lnsym.derivation import Chain, Claim, claims_of
from lnsym.errors import LnsymError
from lnsym.kernel.terms import Array, Entry, Mul, Num, Sym, free_indices, walk
from lnsym.lesson.records import Task
from lnsym.library import book, theorem
from lnsym.notation import text
from lnsym.statement import MATRICES, SCALARS, VECTORS, parse_expression


def _is_typed(node: object) -> bool:
    """Whether a learner can type a line: its text is read, and it has nothing beyond the names of the language."""
    try:
        parse_expression(text(node, ascii=True))  # type: ignore[arg-type]
    except LnsymError:
        return False
    spoken = list(walk(node))  # type: ignore[arg-type]
    names = {x.name for x in spoken if isinstance(x, Sym)} | {x.vector for x in spoken if isinstance(x, Entry)}
    return names <= {*SCALARS, *VECTORS, *MATRICES}


def next_lines() -> Iterator[Task]:
    """Every line of every calculation of the book that a learner can type."""
    for name, (_, found) in sorted(book().derivations.items(), key=lambda one: (one[1][0].number, one[0])):
        for number, claim in enumerate(claims_of(found), 1):
            if not isinstance(claim, Claim) or not isinstance(claim.proof, Chain):
                continue
            before = claim.proof.start
            for place, step in enumerate(claim.proof.steps, 1):
                if step.kind == "=" and _is_typed(step.after) and not isinstance(step.after, Num):
                    given = (*found.given, *claim.given)
                    yield Task(f"{name}.{number}.{place}", "next line", "", (before,), given, step.after, before, step.rules, theorem=name)
                before = step.after


def coefficients() -> Iterator[Task]:
    """Every factor of the right side of a claim that is a product, where a learner can type it."""
    for name, (_, found) in sorted(book().derivations.items(), key=lambda one: (one[1][0].number, one[0])):
        for number, claim in enumerate(claims_of(found), 1):
            if not isinstance(claim, Claim) or claim.relation is None or claim.relation.kind != "=":
                continue
            side = claim.relation.right
            body = side.body if isinstance(side, Array) else side
            for place, factor in enumerate(body.args if isinstance(body, Mul) else ()):
                if not isinstance(factor, Num) and not free_indices(factor) and _is_typed(factor):
                    yield Task(f"{name}.{number}.f{place}", "coefficient", "", (), (*found.given, *claim.given), factor, theorem=name)


@cache
def chosen(lines: int = 30, factors: int = 10) -> tuple[Task, ...]:
    """So many tasks of both kinds, spread over the book."""
    found: list[Task] = []
    for every, count in ((list(next_lines()), lines), (list(coefficients()), factors)):
        found += [every[n * len(every) // count] for n in range(min(count, len(every)))]
    return tuple(found)


@cache
def lines() -> dict[str, Task]:
    """Every line of the book that can be typed, by name, claim and step."""
    return {task.id: task for task in next_lines()}


CORE = "output_eq.1.1"  # v/sqrt(q + eps)
VARIANCE = "variance_core_eq.1.4"  # q/(q + eps), after q/s^2
JACOBIAN = "jacobian_core_eq.1.5"
BACKWARD = "gradient_dot_output_eq.1.2"


def line(name: str) -> Task:
    """A task of the book, such as "variance_core_eq.1.4"."""
    return lines()[name]


def rule_task(name: str, claim: int, step: int) -> Task:
    """A task that asks for the rule of a step, without choices."""
    checked = theorem(name).claims[claim - 1].steps[step - 1]
    both = checked.relation.left, checked.relation.right
    return Task("t", "rule", "", both, checked.proved.given, rules=checked.step.rules, theorem=name)
