"""Checks what marking says of a wrong answer, without asking what said it: the witness, the part called right, the assumptions."""

from __future__ import annotations

import re

from lnsym.derivations.definitions import THEORY, beta, eps, g, gamma, h, mu, q, u, w

from lnsym.audit.fault import faults
from lnsym.kernel.terms import Hypothesis, Index, Relation, Sym, Term, free_indices
from lnsym.lang import Eq, dot, mean, one, positive
from lnsym.lesson.marking.expressions import at_the_entry
from lnsym.lesson.marking.parts import denominator, numerator, summands
from lnsym.lesson.records import Mark, Task
from lnsym.refute import enclose, exact_value, holds, sample_points, satisfies
from lnsym.statement import parse_expression
from lnsym.surd import Interval

ASSUMPTIONS: dict[str, tuple[Hypothesis, ...]] = {
    "eps = 0": (Eq(eps, 0), positive(q)),
    "mean(z) = 0": (Eq(mu, 0),),
    "all gains are 1": (Eq(gamma, one),),
    "all gains are equal": (Eq(gamma, Sym("c") * one),),
    "beta = 0": (Eq(beta, 0 * one),),
    "d = 2": (Eq(Sym("d"), 2),),
    **{f"mean({name}) = 0": (Eq(mean(x), 0),) for name, x in (("g", g), ("h", h), ("w", w), ("gamma*g", gamma * g))},
    **{f"{name} is orthogonal to u": (Eq(dot(x, u), 0),) for name, x in (("g", g), ("h", h), ("w", w), ("gamma*g", gamma * g))},
    **{f"{name} {kind}": found for name in "act" for kind, found in (("> 0", (positive(Sym(name)),)), ("= 1", (Eq(Sym(name), 1),)))},
    **{f"{name} = 0": (Eq(Sym(name), 0),) for name in "act"},
}


def insist_on_truth(task: Task, answer: str, said: Mark) -> None:
    """Check the witness, the part called right, and the assumptions, each without asking the one that said it."""
    assert task.target is not None
    mine, theirs = at_the_entry(parse_expression(answer), task.target)
    if said.witness is not None:
        insist_on_witness(task, mine, theirs, said)
    if said.right:
        insist_on_right(task, mine, theirs, said.right)
    if said.needs:
        insist_on_needs(task, Eq(mine, theirs), said)
    if said.slip:
        assert said.slip in faults() if said.slip.startswith("LN") else said.slip in said.slip.lower()


def insist_on_witness(task: Task, mine: Term, theirs: Term, said: Mark) -> None:
    """At the witness the hypotheses hold and both sides have the values told, which differ."""
    point, at = said.witness.point, said.witness.at  # type: ignore[union-attr]
    assert satisfies(THEORY, point, task.given)
    env = {index: at[index.name] for side in (mine, theirs) for index in free(side)}
    told = said.witness.left, said.witness.right  # type: ignore[union-attr]
    if any(isinstance(value, Interval) for value in told):  # a root under a root: bounds, which lie apart
        (low, high), (other_low, other_high) = (enclose(THEORY, point, side, env) for side in (mine, theirs))
        assert high < other_low or other_high < low
        assert not isinstance(told[0], Interval) or (told[0].low <= high and low <= told[0].high)
    else:
        assert (exact_value(THEORY, point, mine, env), exact_value(THEORY, point, theirs, env)) == told
        assert told[0] != told[1]


def free(term: Term) -> list[Index]:
    """The free indices of a term."""
    return list(free_indices(term))


def insist_on_right(task: Task, mine: Term, theirs: Term, said: str) -> None:
    """Each part called right stands in the answer, and is a summand, the numerator or the denominator of the line."""
    match = re.fullmatch(r"The (terms?|numerator|denominator) (.*) (?:is|are) right\.", said)
    assert match, said
    kind, shown = match.groups()
    parts = [shown] if kind not in ("term", "terms") else re.split(r", | and ", shown)
    if kind == "terms" and len(parts) == 1:
        raise AssertionError(said)
    take = {"numerator": lambda x: (numerator(x),), "denominator": lambda x: (denominator(x),)}.get(kind, summands)
    for part in [parse_expression(text) for text in (parts if readable(parts) else [])]:
        assert isinstance(part, Term)
        assert any(agree(task, part, other, theirs) for other in take(theirs)), (said, "not in the line")
        assert any(agree(task, part, other, mine) for other in take(mine)), (said, "not in the answer")


def readable(parts: list[str]) -> bool:
    """Whether each part can be read: a comma inside a part makes it look like two."""
    return all(part.count("(") == part.count(")") and part.count("[") == part.count("]") for part in parts)


def agree(task: Task, left: Term, right: Term, other: Term) -> bool:
    """Whether two terms agree at points that the marking did not see."""
    points = list(sample_points(THEORY, [Eq(left, right), Eq(other, other)], task.given, 5, seed=77))
    return bool(points) and all(holds(THEORY, point, Eq(left, right)) is not False for point in points)


def insist_on_needs(task: Task, relation: Relation, said: Mark) -> None:
    """Under the assumption the answer is right at every point tried; without it there is the witness."""
    more = tuple(one for name in said.needs for one in ASSUMPTIONS[name])
    given = tuple(one for one in task.given if "eps = 0" not in said.needs or one != positive(eps))
    points = list(sample_points(THEORY, [relation], (*given, *more), 5, seed=78))
    assert points, said.needs
    assert all(holds(THEORY, point, relation) is not False for point in points), said.needs
    assert said.witness is not None
