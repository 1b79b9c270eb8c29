"""The audit itself: every check on one subject, and the mistakes that explain what failed. Imports the checks and the catalogue."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

from lnsym.audit.asked import Options
from lnsym.audit.check import Case, checks
from lnsym.audit.diagnose import diagnose
from lnsym.audit.fault import faults
from lnsym.audit.judge import Record, examined, judged, reason_of, shown, unanswered
from lnsym.audit.offers import formats_of, how_it_was_called, lacks, offers_of, session_of
from lnsym.audit.result import CheckResult, Diagnosis, Result
from lnsym.audit.session import Runner, Session
from lnsym.audit.subject import SubjectError

MAIN_STEPS = 240  # trials to shrink the failure that is shown first
HABITS = ("LN415", "LN423")  # what even careful code does, and what explains no wrong number elsewhere


def run(runner: Runner, options: Options, progress: Callable[[str], None] = lambda _: None) -> Result:
    """Audit what the runner holds; the runner stays open."""
    started = time.perf_counter()
    session = session_of(runner, options)
    session.formats, notes, broken = formats_of(session, options)
    found: list[CheckResult] = []
    record = Record()
    offered, refused = offers_of(session, broken)
    for check in checks().values():
        progress(check.code)
        if options.only and check.code not in options.only:
            found.append(CheckResult(check, "not_run", "not asked for"))
        elif broken:
            found.append(CheckResult(check, "not_run", f"it does not answer an ordinary call: {broken}"))
        elif lacking := sorted(check.needs - offered):
            found.append(CheckResult(check, "not_run", refused.get(lacking[0]) or lacks(lacking[0], session)))
        elif options.exit_first and any(one.status == "failed" and not one.expected for one in found):
            found.append(CheckResult(check, "not_run", "an earlier check failed, and --exit-first was given"))
        else:
            result = examined(check, session, record)
            found.append(_expected(result, options.expect_fail))
            if result.evidence is not None and record.fatal:
                broken = record.fatal
    if broken and not record.fatal:
        found = unanswered(found, session, broken, record)
        notes += how_it_was_called(session) if record.signs.keys() & {"LN403", "LN420"} else []
    notes += _notes(session, options.expect_fail, found)
    diagnosis = diagnose(record.seen, record.observed, record.signs)
    if not options.formats and any(one.complete and one.sure and one.fault.code == "LN210" for one in diagnosis):
        notes.append("where float32 is all that is meant, audit that: --dtype float32")
    failed = any(one.status == "failed" for one in found)
    if record.nonfinite and failed and not any(one.complete and one.fault.code not in HABITS for one in diagnosis):
        diagnosis = (Diagnosis(faults()["LN425"], {}, record.nonfinite, record.nonfinite + record.finite, "behaviour"), *diagnosis)
    whole = Result(
        session.about, tuple(found), diagnosis, options.seed, session.formats, options.eps, options.full_range, 0.0,
        tuple(notes), options.command, _unexplained(record, diagnosis),
    )  # fmt: skip
    main = whole.main
    if main is not None and main.evidence is not None and main.check.fits and not record.fatal:
        smaller = shown(main, session, MAIN_STEPS)
        whole = replace(whole, checks=tuple(smaller if one is main else one for one in found))
    return replace(whole, seconds=time.perf_counter() - started)


def _unexplained(record: Record, diagnosis: Iterable[Diagnosis]) -> tuple[str, ...]:
    """Of what is wrong, what no mistake that is named accounts for; a formula or an arithmetic accounts for the gradients too."""
    named = [one for one in diagnosis if one.complete and (one.fault.kind != "behaviour" or one.fault.code in ("LN402", "LN425"))]
    if record.fatal or any(one.fault.kind != "gradient" for one in named):
        return ()
    explained = {quantity for one in named for quantity in one.about.split(", ")}
    return tuple(one for one in record.quantities if one not in explained)


def _expected(result: CheckResult, expect_fail: Mapping[str, str]) -> CheckResult:
    reason = expect_fail.get(result.check.code, "")
    return replace(result, expected=reason) if reason and result.status == "failed" else result


def _notes(session: Session, expect_fail: Mapping[str, str], found: Iterable[CheckResult]) -> list[str]:
    notes = [*session.about.notes]
    if session.printed:
        notes.append(f"it prints: {session.printed.splitlines()[0][:60]!r}")
    status = {one.check.code: one.status for one in found}
    notes += [f"{code} was expected to fail ({reason}) and held" for code, reason in expect_fail.items() if status[code] == "held"]
    return notes


def one_case(runner: Runner, options: Options, identity: str) -> CheckResult:
    """Judge one case again, named as in V01.3, and shrink it thoroughly."""
    code, _, number = identity.partition(".")
    if code not in checks() or not number.isdigit():
        near = get_close_matches(code, checks(), 1)
        raise SubjectError(
            f"--case {identity}: expected a check and a number, as in {near[0] if near else 'V01'}.0; `lnsym audit` prints it"
        )
    check = checks()[code]
    session = session_of(runner, options)
    session.formats, _, broken = formats_of(session, options)
    if broken:
        return unanswered([CheckResult(check, "not_run")], session, broken, Record())[0]
    offered, refused = offers_of(session)
    if lacking := sorted(check.needs - offered):
        return CheckResult(check, "not_run", refused.get(lacking[0]) or lacks(lacking[0], session))
    case = next(_nth(check.cases(session), int(number)), None)
    if case is None:
        raise SubjectError(f"--case {identity}: {code} has fewer inputs for this subject; run the audit without --case to see what fails")
    evidence, fault = judged(check, session, int(number), case, Record())
    if evidence is None:
        return CheckResult(check, "held", "this input")
    return shown(CheckResult(check, "failed", reason_of(evidence), evidence, fault), session, MAIN_STEPS)


def _nth(cases: Iterable[Case], number: int) -> Iterator[Case]:
    return (case for k, case in enumerate(cases) if k == number)
