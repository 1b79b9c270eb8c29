"""What SymPy and mpmath say of the book's claims, asked in processes of their own. Imports SymPy when it asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from dataclasses import dataclass

from lnsym.derivation import Calculus, Claim, Theorem
from lnsym.kernel.terms import Hypothesis, Relation, Theory
from lnsym.report.records import Badge

Progress = Callable[[Iterable["Answer"], int, str], AbstractContextManager[Iterator["Answer"]]]


@dataclass(frozen=True)
class Question:
    """A claim of a theorem: a relation with its hypotheses, or a fact of scalar calculus."""

    theorem: str
    number: int
    relation: Relation | None
    given: tuple[Hypothesis, ...]
    fact: str | None
    theory: Theory


@dataclass(frozen=True)
class Answer:
    """The badges that a claim earns, and what was said against it."""

    theorem: str
    number: int
    badges: tuple[Badge, ...]
    against: tuple[str, ...] = ()


@dataclass(frozen=True)
class Opinions:
    """All answers: badges by theorem and number of the claim, and every disagreement in words."""

    badges: Mapping[tuple[str, int], tuple[Badge, ...]]
    against: tuple[str, ...]


def questions(theorems: Iterable[Theorem], theory: Theory) -> list[Question]:
    """One question for each claim that is not an example."""
    found = []
    for theorem in theorems:
        for number, checked in enumerate(theorem.claims, 1):
            claim = checked.claim
            if isinstance(claim, Claim):
                fact = claim.proof.fact if isinstance(claim.proof, Calculus) else None
                found.append(Question(theorem.name, number, claim.relation, checked.given, fact, theory))
    return found


def gather(asked: list[Question], pool: Executor, progress: Progress) -> Opinions:
    """All answers, in the order of the questions; a disagreement is kept and not raised."""
    with progress(pool.map(answer, asked, chunksize=2), len(asked), "SymPy's opinions") as answers:
        found = list(answers)
    return Opinions({(one.theorem, one.number): one.badges for one in found}, tuple(text for one in found for text in one.against))


def answer(question: Question) -> Answer:
    """What SymPy and mpmath say of one claim."""
    name, number = question.theorem, question.number
    if question.fact is not None:
        from lnsym.model.calculus import calculus_fact

        fact = calculus_fact(question.fact)
        if fact.holds:
            return Answer(name, number, (Badge("calculus"),))
        return Answer(name, number, (Badge("refuted", "SymPy disagrees"),), (f"{name}, claim {number}: SymPy does not reach {fact.text}",))
    assert question.relation is not None
    from lnsym.model.opinion import opinion
    from lnsym.model.third_look import mpmath_check

    badges, against = [], []
    second = opinion(question.relation, question.given, theory=question.theory)
    third = mpmath_check(question.relation, question.given, theory=question.theory)
    if second.status == "agrees":
        badges.append(Badge("sympy", f"proved at d = {', '.join(map(str, second.dimensions))} by SymPy"))
    if third.status == "agrees":
        badges.append(Badge("checked", f"checked by mpmath at {third.digits} digits"))
    for who, said in (("SymPy", second), ("mpmath", third)):
        if said.status == "disagrees":
            badges.append(Badge("refuted", f"{who} disagrees"))
            against.append(f"{name}, claim {number}: {who} disagrees: {said.reason}")
        elif said.status == "undecided":
            badges.append(Badge("undecided", f"{who}: undecided"))
    return Answer(name, number, tuple(badges), tuple(against))
