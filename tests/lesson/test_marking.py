"""Right answers made by eight rewrites are accepted; mutants, near misses and slips are answered with something true."""

from __future__ import annotations

import re
import time
from collections import Counter
from random import Random

import pytest
from lnsym.derivations.definitions import THEORY, eps, g, gamma, u

from lnsym.audit.fault import faults
from lnsym.kernel.terms import Index, Term
from lnsym.lang import Eq, mean, positive
from lnsym.lesson import book as course
from lnsym.lesson.marking import mark, slips
from lnsym.lesson.marking.expressions import at_the_entry
from lnsym.lesson.marking.sample import Sample
from lnsym.lesson.records import Task
from lnsym.library import book
from lnsym.notation import text
from lnsym.refute import find_counterexample
from lnsym.statement import parse_expression
from tests.lesson.rewrites import NAMES, right_answers, typed, written, wrong_answers
from tests.lesson.samples import chosen, lines
from tests.lesson.truth import insist_on_truth

SLOWEST = 2.0  # seconds of processor time for one answer; measured 0.3 at most, more where both cores are at work
WITHOUT_A_POINT = ("That is the line you have. Take one step from it.", "Not yet. Your line differs from the right one at every point.")
LONG = {"core_add_iff.1.3"}  # a line of 160 characters, which no lesson asks for


def judge(task: Task, count: int) -> tuple[Counter[str], float]:
    """Mark right and wrong answers of a task; the uses of each rewrite, and the longest time."""
    assert task.target is not None
    used: Counter[str] = Counter()
    slowest = 0.0
    for answer, names in right_answers(task.target, count, Random(task.id)).items():
        began = time.process_time()
        said = mark(task, answer)
        slowest = max(slowest, time.process_time() - began)
        assert said.done or said.message.startswith("That is the line you have"), (task.id, answer, names, said)
        used.update(names)
    for answer in wrong_answers(task.target, count, Random(task.id)):
        relation = Eq(*at_the_entry(parse_expression(answer), task.target))
        if find_counterexample(THEORY, relation, task.given, seed=5, budget=20_000) is None:
            continue  # right by chance
        began = time.process_time()
        said = mark(task, answer)
        slowest = max(slowest, time.process_time() - began)
        assert said.verdict in ("slip", "needs", "different"), (task.id, answer, said)
        assert said.witness is not None or said.message in WITHOUT_A_POINT, (task.id, answer, said)
        insist_on_truth(task, answer, said)
        used["wrong"] += 1
    return used, slowest


QUICK = [task for task in chosen() if task.theorem not in ("core_add_iff", "expectation_corrected_accumulator")][::6]


@pytest.mark.parametrize("task", QUICK, ids=lambda task: task.id)
def test_right_ones_are_accepted_and_wrong_ones_answered_truly(task: Task) -> None:
    """Five of each for some tasks of the book."""
    used, slowest = judge(task, 5)
    assert used["wrong"] > 0
    assert slowest < SLOWEST


@pytest.mark.full
@pytest.mark.parametrize("task", chosen(), ids=lambda task: task.id)
def test_thirty_of_each_for_forty_tasks(task: Task) -> None:
    """Thirty of each, as far as the line is long enough to have so many."""
    _, slowest = judge(task, 30)
    assert slowest < SLOWEST or task.id in LONG


@pytest.mark.full
def test_every_rewrite_is_used() -> None:
    """Each of the eight makes many of the right answers, or it proves nothing."""
    used: Counter[str] = Counter()
    for task in chosen():
        assert task.target is not None
        for names in right_answers(task.target, 30, Random(task.id)).values():
            used.update(names)
    assert len(NAMES) == 8
    assert all(used[name] > 50 for name in NAMES), used


def test_near_misses_are_answered_truly() -> None:
    """The right side of a near miss, given as the last line of the calculation that it is near to."""
    tried = 0
    for task in lines().values():
        misses = book().derivations[task.theorem][1].near_misses if task.id.endswith(".1.1") else ()
        for miss in misses:
            answer = written(typed(miss.relation.right)) if miss.given is None and miss.relation.kind == "=" else None
            if answer is None or miss.relation.left != task.before or tried > 15:
                continue
            said = mark(task, answer)
            assert said.verdict in ("slip", "needs", "different"), (task.id, answer, said)
            insist_on_truth(task, answer, said)
            tried += 1
    assert tried > 5


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.full)])
def test_every_task_of_the_course_accepts_what_it_asks_for(every: int) -> None:
    """The model line, the number or the letter; and of several choices no other."""
    kinds: Counter[str] = Counter()
    for name, lesson in list(course.lessons().items())[::every]:
        for task in course.tasks(name, lesson):
            answer = task.right if task.target is None else text(task.target, ascii=True)
            assert mark(task, answer).done, (task.id, answer, mark(task, answer))
            others = [letter for letter in "abcd"[: len(task.choices)] if letter != task.right]
            assert not any(mark(task, letter).done for letter in others), task.id
            kinds[task.kind] += 1
    assert every > 1 or set(kinds) == {"next line", "coefficient", "compute", "rule", "flaw", "predict"}
    assert len(kinds) > 3


def test_the_slips_are_those_of_the_catalogue() -> None:
    """Each code exists, and is called what the catalogue calls it."""
    i = Index("i")
    named = {code: {what} for code, what, _ in slips.ROOTS}
    for target in (parse_expression("v_i/s"), parse_expression("gamma_i*v_i/s + beta_i")):
        assert isinstance(target, Term)
        sample = Sample(target, target + u[i], (positive(eps),))
        sample.target = sample.answer
        for code, what, _ in slips._core(sample):
            named.setdefault(code, set()).add(what)
    for k in (g, gamma * g):
        target = (k[i] - mean(k) - u[i] * mean(k * u)) / parse_expression("s")
        sample = Sample(target, target + u[i], (positive(eps),))
        sample.target = sample.answer
        for code, what, _ in slips._backward(sample):
            named.setdefault(code, set()).add(what)
    assert len(named) > 45
    for code, titles in named.items():
        pattern = re.sub(r"\\\{\w+\\\}", r"-?\\d+", re.escape(faults()[code].title))
        assert all(re.fullmatch(pattern, title) for title in titles), (code, titles, faults()[code].title)
