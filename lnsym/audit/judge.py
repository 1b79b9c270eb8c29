"""One check on one subject: each case judged, the first failure shrunk, and what the diagnosis needs remembered. Imports the records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lnsym import oracle
from lnsym.audit.call import Call
from lnsym.audit.check import Case, Check, Outcome
from lnsym.audit.checks.inputs import TooSlow
from lnsym.audit.diagnose import PLACES, Observation
from lnsym.audit.fault import Seen
from lnsym.audit.offers import FORMATS, HALF, ordinary
from lnsym.audit.result import CheckResult, Evidence
from lnsym.audit.session import Session
from lnsym.audit.shrink import shrink
from lnsym.audit.subject import SubjectFailed

STEPS = 40  # trials to shrink a failure
KIND_OF_FAILURE = {"raised": "LN420", "shape": "LN403", "type": "LN404", "hung": "LN408", "crashed": "LN409"}
FATAL = ("hung", "crashed")
ORDINARY_SIZE = 2.0**32  # of numbers whose squares fit the format too: there NaN and infinity are a mistake by themselves


@dataclass
class Record:
    """What an audit remembers for the diagnosis."""

    seen: list[Seen] = field(default_factory=list)
    observed: list[Observation] = field(default_factory=list)
    signs: dict[str, tuple[int, int]] = field(default_factory=dict)
    nonfinite: int = 0  # failures that are NaN or infinite where a number is right
    finite: int = 0  # failures that are not, in cases that show the formula
    quantities: dict[str, None] = field(default_factory=dict)  # what is wrong in cases that show the formula: y, dx, ...
    fatal: str = ""

    def sign(self, code: str) -> None:
        if code:
            explains, of = self.signs.get(code, (0, 0))
            self.signs[code] = (explains + 1, of + 1)


def examined(check: Check, session: Session, record: Record) -> CheckResult:
    """Judge every case of a check; the first failure is shrunk and kept."""
    failure: Evidence | None = None
    fault, tried = "", 0
    try:
        for number, case in enumerate(check.cases(session)):
            tried += 1
            evidence, code = judged(check, session, number, case, record)
            if evidence is None:
                continue
            if failure is None and not record.fatal and _changes(check, session, evidence):
                code, evidence = "LN402", replace(evidence, reason="the same input, tried again, has another answer")
            if _counts(check, session):
                record.sign(code)
            if failure is None:
                failure, fault = evidence, code
            if not check.fits or record.fatal:
                break
    except MemoryError:
        return CheckResult(check, "not_run", "not enough memory for its input")
    except TooSlow as error:
        return CheckResult(check, "not_run", str(error))
    if not tried:
        return CheckResult(check, "not_run", "none of its inputs fits what the subject takes")
    if failure is None:
        return CheckResult(check, "held", f"{tried} inputs" if tried > 1 else "1 input")
    result = CheckResult(check, "failed", reason_of(failure), failure, fault)
    if not record.fatal:
        result = shown(result, session, STEPS)
    if not _counts(check, session):
        record.fatal = ""
        return CheckResult(check, "not_run", f"more than is asked of ordinary code; it counts with --range full: {result.reason}")
    return result


def _counts(check: Check, session: Session) -> bool:
    """Whether a failure counts: not where more is asked than two passes can do, or gradients of a half format rounded once."""
    is_half = session.format in HALF and bool(check.needs & {"vjp", "jvp", "double"})
    return session.full_range or not (check.strict or is_half)


def judged(check: Check, session: Session, number: int, case: Case, record: Record) -> tuple[Evidence | None, str]:
    """The failure of one case, if any, and the mistake that it names itself."""
    identity = f"{check.code}.{number}"
    try:
        outcomes = _outcomes(check, session, case)
    except SubjectFailed as error:
        if error.kind in FATAL:
            record.fatal = str(error)
        own = "" if error.kind in FATAL else check.raising
        code = own or KIND_OF_FAILURE[error.kind]
        return Evidence(identity, case, "y", None, None, None, str(error)), code
    told = [_in_its_format(one, case.call) for one in outcomes]
    if check.fits:
        record.seen.append(_seen(case, told))
    if _counts(check, session) and check.code[0] in "VFS" and case.call.mask is None and case.call.x.dtype.name in FORMATS:
        record.observed += (
            Observation(case.call, one.yours, one.exact, np.asarray(one.tolerance))
            for one in told
            if one.quantity == "y" and one.yours.shape == case.call.x.shape and one.yours.dtype.name in FORMATS and not one.reason
        )
    for outcome in outcomes:
        if outcome.failed:
            if check.fits and not outcome.fault:
                record.quantities.update((one.quantity, None) for one in told if one.failed and not one.reason)
            lost = np.isfinite(outcome.exact) & ~np.isfinite(outcome.yours.astype(np.float64))
            record.finite += check.fits and not outcome.fault and not bool(lost.any())
            record.nonfinite += _counts(check, session) and _ordinary_size(case.call) and bool(lost.any())
            return _evidence(identity, case, outcome), outcome.fault
    return None, ""


def _in_its_format(outcome: Outcome, call: Call) -> Outcome:
    """The outcome, with what rounding allows in the format of the answer, where that is narrower than x's: a mistake of its own."""
    own, asked = (PLACES.get(array.dtype.name, 0.0) for array in (outcome.yours, call.x))
    return replace(outcome, tolerance=outcome.tolerance * (own / asked)) if own > asked > 0 else outcome


def _ordinary_size(call: Call) -> bool:
    form = oracle.FORMATS.get(call.x.dtype.name)
    most = ORDINARY_SIZE if form is None else min(ORDINARY_SIZE, 2.0 ** (form.largest // 2))
    return bool(np.abs(call.x.astype(np.float64)).max(initial=0.0) <= most)


def _outcomes(check: Check, session: Session, case: Case) -> list[Outcome]:
    with np.errstate(all="ignore"):  # a subject may answer with anything
        return list(check.judge(session, case))


def _evidence(identity: str, case: Case, outcome: Outcome) -> Evidence:
    return Evidence(identity, case, outcome.quantity, outcome.yours, outcome.exact, outcome.tolerance, outcome.reason)


def _seen(case: Case, outcomes: Iterable[Outcome]) -> Seen:
    """What a fitting case showed, as rows of float64."""
    call = case.call
    own = {"y": "y", "dx": "x", "dweight": "weight", "dbias": "bias"}
    answers, tolerances = {}, {}
    for one in outcomes:
        if one.quantity in own and not one.reason:
            flat: Callable[[Any], Any] = call.flat if one.quantity in ("y", "dx") else lambda array: array.reshape(-1)
            answers[own[one.quantity]] = flat(one.yours).astype(np.float64)
            tolerances[own[one.quantity]] = flat(np.broadcast_to(np.asarray(one.tolerance, dtype=np.float64), one.yours.shape))
    y = answers.pop("y", None)
    return Seen(call, call.rows(), y, None if case.dy is None else call.flat(case.dy).astype(np.float64), answers, tolerances)


def reason_of(evidence: Evidence) -> str:
    """What is wrong, in a few words."""
    if evidence.reason:
        return evidence.reason
    return f"{evidence.quantity} is {evidence.factor}" if evidence.factor else f"{evidence.quantity} is wrong"


def shown(result: CheckResult, session: Session, steps: int) -> CheckResult:
    """The same failure on the smallest input found."""
    old, check = result.evidence, result.check
    assert old is not None
    kept: dict[int, Evidence] = {}

    def fails(case: Case) -> bool:
        evidence = _again(check, session, old, case)
        if evidence is None:
            return False
        kept[id(case)] = evidence
        return True

    about = session.about
    case = shrink(old.case, fails, steps, "eps" in about.takes and not check.strict, about.width is None)
    new = kept.get(id(case), old)
    return replace(result, evidence=new, reason=reason_of(new))


def _changes(check: Check, session: Session, old: Evidence) -> bool:
    """Whether the same case does not fail again, or fails with other numbers than rounding could bring."""
    new = _again(check, session, old, old.case)
    if new is None or old.yours is None or new.yours is None:
        return new is None
    with np.errstate(all="ignore"):
        near = np.abs(new.yours.astype(np.float64) - old.yours.astype(np.float64)) <= np.asarray(old.tolerance)
    return new.yours.shape != old.yours.shape or not bool((near | ~np.isfinite(new.yours.astype(np.float64))).all())


def _again(check: Check, session: Session, old: Evidence, case: Case) -> Evidence | None:
    """The failure of the same quantity on another case, if it is one."""
    try:
        outcomes = _outcomes(check, session, case)
    except SubjectFailed as error:
        return None if old.yours is not None else Evidence(old.id, case, "y", None, None, None, str(error))
    except (ArithmeticError, ValueError, IndexError):
        return None  # the smaller case is none of this check's
    same = (one for one in outcomes if one.failed and one.quantity == old.quantity and bool(one.reason) == bool(old.reason))
    return next((_evidence(old.id, case, one) for one in same), None)


def unanswered(found: Sequence[CheckResult], session: Session, broken: str, record: Record) -> list[CheckResult]:
    """Every check is not run, but for the first, which says what happened to an ordinary call."""
    call = ordinary(session, session.format)
    try:
        session.forward(call)
        kind = "raised"
    except SubjectFailed as error:
        kind, broken = error.kind, str(error)
    code = KIND_OF_FAILURE[kind]
    record.sign(code)
    first, *rest = found
    evidence = Evidence(f"{first.check.code}.0", Case(call, "an ordinary call"), "y", None, None, None, broken)
    return [CheckResult(first.check, "failed", broken, evidence, code), *rest]
