"""The audit judged: every mistake of the public reports is caught and named, and no right implementation is accused."""

from __future__ import annotations

from functools import cache

import pytest

from lnsym.audit import audit
from lnsym.audit.result import Result
from tests.audit.honest_subjects import HONEST, Honest
from tests.audit.subjects_of_cases import SUBJECTS, CaseSubject

QUICK = 6  # every so many subjects are judged in the quick run


@cache
def judged(name: str) -> Result:
    """The audit of one subject; cases that share a subject share its audit."""
    subject = SUBJECTS[name]
    return audit(
        subject.forward, grad=subject.grad, dtype=subject.formats, full_range=subject.full_range, isolate=False
    )  # fmt: skip


def first_with(subject: CaseSubject) -> str:
    return next(name for name, one in SUBJECTS.items() if one == subject)


def cases() -> list[object]:
    marks = {name: () if k % QUICK == 0 else (pytest.mark.full,) for k, name in enumerate(SUBJECTS)}
    return [pytest.param(name, marks=marks[name]) for name in SUBJECTS]


@pytest.mark.parametrize("name", cases())
def test_a_reported_mistake_is_caught_and_named(name: str) -> None:
    found = judged(first_with(SUBJECTS[name]))
    assert found.verdict == "failed"
    named = [one.fault.code for one in found.named]
    assert set(named) & set(SUBJECTS[name].codes), f"named {named}, expected one of {SUBJECTS[name].codes}\n{found}"
    assert all(one.evidence is not None for one in found.failed)


@pytest.mark.parametrize("honest", HONEST, ids=lambda one: one.name)
def test_a_right_implementation_is_not_accused(honest: Honest) -> None:
    found = audit(honest.forward, grad=honest.grad, dtype=honest.formats, isolate=False)
    assert found.verdict == "held", str(found)
    assert not found.named
    assert found.counts["held"] >= 35


def false_names(found: Result, subject: CaseSubject) -> list[str]:
    """Formulas and arithmetic that were named and are not the subject's. In the full range the squares of every two-pass code overflow."""
    true = {*subject.codes, *(("LN203",) if subject.full_range else ())}
    return [one.fault.code for one in found.named if one.fault.kind != "behaviour" and one.fault.code not in true]


@pytest.mark.full
def test_the_confusion_matrix() -> None:
    """Printed with -s: how many were caught, how many named right, how many false names and false alarms."""
    caught = sum(judged(first_with(one)).verdict == "failed" for one in SUBJECTS.values())
    right = sum(any(d.fault.code in one.codes for d in judged(first_with(one)).named) for one in SUBJECTS.values())
    strangers = {name: false_names(judged(first_with(one)), one) for name, one in SUBJECTS.items()}
    alarms = [one.name for one in HONEST if audit(one.forward, dtype=one.formats, isolate=False).verdict != "held"]
    print(f"subjects {len(SUBJECTS)}: caught {caught}, named right {right}; false alarms {len(alarms)} of {len(HONEST)}")  # noqa: T201
    assert caught == right == len(SUBJECTS)
    assert not alarms
    assert not {name: codes for name, codes in strangers.items() if codes}
