"""The audit itself: every check on one subject, failures shrunk and explained. Imports the records, checks and catalogue."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from lnsym import oracle
from lnsym.audit.call import Call
from lnsym.audit.check import Case, Check, Outcome, checks
from lnsym.audit.checks.inputs import TooSlow, gains, like, make, number_type, offsets
from lnsym.audit.diagnose import Observation, diagnose
from lnsym.audit.fault import Seen, faults
from lnsym.audit.result import CheckResult, Diagnosis, Evidence, Result, expectations
from lnsym.audit.session import Answer, Runner, Session
from lnsym.audit.shrink import shrink
from lnsym.audit.subject import About, SubjectError, SubjectFailed

FORMATS = ("float64", "float32", "float16", "bfloat16")
HALF = ("float16", "bfloat16")  # audited only where asked for, or where the subject takes nothing else
STEPS, MAIN_STEPS = 40, 240  # trials to shrink a failure, and the one that is shown first
KIND_OF_FAILURE = {"raised": "LN420", "shape": "LN403", "type": "LN404", "hung": "LN408", "crashed": "LN409"}
FATAL = ("hung", "crashed")
NO_GRADIENT = "does not require grad"  # what torch says of an output that no gradient flows through
HABITS = ("LN415", "LN423")  # what even careful code does, and what explains no wrong number elsewhere
ORDINARY_SIZE = 2.0**32  # of numbers whose squares fit the format too: there NaN and infinity are a mistake by themselves
LACKS = {
    "weight": "it takes no weight",
    "bias": "it takes no bias",
    "eps": "it takes no eps",
    "axis": "it takes no axis",
    "mask": "it takes no mask",
    "vjp": "no gradient given: add --grad FILE.py:function",
    "jvp": "it has no derivative along a direction",
    "double": "it has no double backward",
    "widths": "it takes one width only",
    "ranks": "it takes one number of axes only",
    "half": "half formats were not asked for: add --dtype float64,float32,float16",
    "several": "it takes one format only",
}


@dataclass(frozen=True)
class Options:
    """What an audit was asked to do."""

    eps: float = 1e-5
    axis: tuple[int, ...] = (-1,)
    formats: tuple[str, ...] = ()  # empty: those that the subject answers in
    full_range: bool = False
    seed: int = 0
    only: tuple[str, ...] = ()  # codes of checks; empty for all
    exit_first: bool = False  # whether to stop at the first failure that was not expected
    expect_fail: Mapping[str, str] = field(default_factory=dict)
    command: str = ""


def run(runner: Runner, options: Options, progress: Callable[[str], None] = lambda _: None) -> Result:
    """Audit what the runner holds; the runner stays open."""
    started = time.perf_counter()
    session = session_of(runner, options)
    session.formats, notes, broken = _formats(session, options)
    found: list[CheckResult] = []
    record = _Record()
    offered, refused = _offered(session, broken)
    for check in checks().values():
        progress(check.code)
        if options.only and check.code not in options.only:
            found.append(CheckResult(check, "not_run", "not asked for"))
        elif broken:
            found.append(CheckResult(check, "not_run", f"it does not answer an ordinary call: {broken}"))
        elif lacking := sorted(check.needs - offered):
            found.append(CheckResult(check, "not_run", refused.get(lacking[0]) or _lacks(lacking[0], session)))
        elif options.exit_first and any(one.status == "failed" and not one.expected for one in found):
            found.append(CheckResult(check, "not_run", "an earlier check failed, and --exit-first was given"))
        else:
            result = _try(check, session, record)
            found.append(_expected(result, options.expect_fail))
            if result.evidence is not None and record.fatal:
                broken = record.fatal
    if broken and not record.fatal:
        found = _unanswered(found, session, broken, record)
    notes += _notes(session, options.expect_fail, found)
    diagnosis = diagnose(record.seen, record.observed, record.signs)
    failed = any(one.status == "failed" for one in found)
    if record.nonfinite and failed and not any(one.complete and one.fault.code not in HABITS for one in diagnosis):
        diagnosis = (Diagnosis(faults()["LN425"], {}, record.nonfinite, record.nonfinite, "behaviour"), *diagnosis)
    main = next((k for k, one in enumerate(found) if one.status == "failed" and not one.expected and one.check.fits), None)
    if main is not None and found[main].evidence is not None and not record.fatal:
        found[main] = _shown(found[main], session, MAIN_STEPS)
    seconds = time.perf_counter() - started
    return Result(
        session.about, tuple(found), diagnosis, options.seed, session.formats, options.eps, options.full_range, seconds,
        tuple(notes), options.command,
    )  # fmt: skip


def session_of(runner: Runner, options: Options, formats: tuple[str, ...] = ("float64",)) -> Session:
    """A session for these options."""
    return Session(runner, options.seed, formats, options.eps, options.axis, options.full_range)


@dataclass
class _Record:
    """What an audit remembers for the diagnosis."""

    seen: list[Seen] = field(default_factory=list)
    observed: list[Observation] = field(default_factory=list)
    signs: dict[str, tuple[int, int]] = field(default_factory=dict)
    nonfinite: int = 0  # failures that are NaN or infinite where a number is right
    fatal: str = ""

    def sign(self, code: str) -> None:
        if code:
            explains, of = self.signs.get(code, (0, 0))
            self.signs[code] = (explains + 1, of + 1)


# ---------------------------------------------------------------- before the checks


ORDINARY = np.array([[1.0, 2.0, 4.0, 9.0], [0.0, 3.0, 3.0, -5.0]])
dtype = number_type


def ordinary(session: Session, fmt: str, rank: int | None = None) -> Call:
    """A call that every layer norm of its width answers, if it takes so many axes."""
    others = None if rank is None else rank - len(session.axis)
    batch = None if others is None else (2, *[1] * (others - 1)) if others else ()
    return make(session, ORDINARY, eps=session.eps, fmt=fmt, batch=batch)


@dataclass
class _OneRank:
    """A subject that answers one number of axes only."""

    runner: Runner
    rank: int

    @property
    def about(self) -> About:
        return replace(self.runner.about, rank=self.rank)

    def ask(self, verb: str, arguments: Sequence[Any]) -> Answer:
        return self.runner.ask(verb, arguments)

    def close(self) -> None:
        self.runner.close()


def _narrowed(session: Session, fmt: str) -> None:
    """Note it where the subject takes matrices only, or arrays of three or four axes only: the others it may refuse."""
    if session.about.rank is not None:
        return
    least = max(len(session.axis), *(axis + 1 if axis >= 0 else -axis for axis in session.axis))
    answers = {rank: _refusal(session, ordinary(session, fmt, rank)) for rank in (2, 1, 3, 4) if rank >= least}
    if answers.pop(2, "shape") in ("raised", "shape"):
        taken = [rank for rank in (3, 4) if not answers[rank]]
    else:
        taken = [2] if set(answers.values()) == {"raised"} else []
    if len(taken) == 1:
        session.runner = _OneRank(session.runner, taken[0])


def _refusal(session: Session, call: Call) -> str:
    """How a call fails: raised, shape, ...; nothing where it is answered."""
    try:
        session.forward(call)
    except SubjectFailed as error:
        return error.kind
    return ""


def _formats(session: Session, options: Options) -> tuple[tuple[str, ...], list[str], str]:
    """The formats to audit, what is to be said about the others, and why the subject cannot be audited at all."""
    whole = tuple(one for one in session.about.formats if one not in HALF)
    wanted = options.formats or whole or session.about.formats
    if unknown := [one for one in wanted if one not in FORMATS]:
        raise SubjectError(f"--dtype {unknown[0]}: expected one of {', '.join(FORMATS)}")
    answered: list[str] = []
    notes: list[str] = []
    broken = ""
    for fmt in wanted:
        try:
            if not answered:
                _narrowed(session, fmt)
            answer = session.forward(ordinary(session, fmt))
        except SubjectFailed as error:
            broken = broken or str(error)
            if fmt == wanted[0] and (options.formats or error.kind != "raised"):
                break
            notes.append(f"{fmt} was not audited: {error}")
            continue
        except ModuleNotFoundError:
            notes.append(f"{fmt} was not audited: ml_dtypes is missing, pip install ml-dtypes")
            continue
        if answer.dtype.name != fmt and not options.formats and answered:
            notes.append(f"{fmt} was not audited: it answers {fmt} in {answer.dtype.name}; ask for it with --dtype {fmt}")
            continue
        answered.append(fmt)
    return (tuple(answered), notes, "") if answered else (wanted[:1], [], broken)


def _offered(session: Session, broken: str = "") -> tuple[frozenset[str], dict[str, str]]:
    """What the subject offers, in the words of a check's needs; and of which derivatives it refuses even an ordinary one, and how."""
    about = session.about
    refused = {} if broken else _refused(session)
    offered = set(about.takes) | (set(about.gradients) - set(refused))
    if about.width is None:
        offered.add("widths")
    if about.rank is None:
        offered.add("ranks")
    if any(one in HALF for one in session.formats):
        offered.add("half")
    if len(session.formats) > 1:
        offered.add("several")
    return frozenset(offered), refused


def _refused(session: Session) -> dict[str, str]:
    """The derivatives that raise for ordinary rows with a weight and a bias. A gradient may raise where the output carries none."""
    rows = make(session, ORDINARY, gains(4), offsets(4), 0.25)
    dy = like(rows, rows.flat(np.ones(rows.x.shape)))
    derivatives: dict[str, Callable[[], object]] = {
        "vjp": lambda: session.gradient(rows, dy),
        "jvp": lambda: session.jvp(rows, dy),
        "double": lambda: session.double(rows, dy, dy),
    }
    refused: dict[str, str] = {}
    for need, derivative in derivatives.items():
        if need not in session.about.gradients:
            continue
        try:
            derivative()
        except SubjectFailed as error:
            if error.kind == "raised" and (need != "vjp" or NO_GRADIENT in str(error)):
                refused[need] = f"{LACKS[need].partition(':')[0]}: {error}"
    return refused


def _lacks(need: str, session: Session) -> str:
    if need == "vjp" and session.about.framework == "onnx":
        return "an ONNX file has no gradient"
    return LACKS.get(need, f"it has no {need}")


def _unanswered(found: Sequence[CheckResult], session: Session, broken: str, record: _Record) -> list[CheckResult]:
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


# ---------------------------------------------------------------- one check


def _try(check: Check, session: Session, record: _Record) -> CheckResult:
    """Judge every case of a check; the first failure is shrunk and kept."""
    failure: Evidence | None = None
    fault, tried = "", 0
    try:
        for number, case in enumerate(check.cases(session)):
            tried += 1
            evidence, code = _judged(check, session, number, case, record)
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
    result = CheckResult(check, "failed", _reason(failure), failure, fault)
    if not record.fatal:
        result = _shown(result, session, STEPS)
    if not _counts(check, session):
        record.fatal = ""
        return CheckResult(check, "not_run", f"more than is asked of ordinary code; it counts with --range full: {result.reason}")
    return result


def _counts(check: Check, session: Session) -> bool:
    """Whether a failure counts: not where more is asked than two passes can do, or gradients of a half format rounded once."""
    is_half = session.format in HALF and bool(check.needs & {"vjp", "jvp", "double"})
    return session.full_range or not (check.strict or is_half)


def _judged(check: Check, session: Session, number: int, case: Case, record: _Record) -> tuple[Evidence | None, str]:
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
    if check.fits:
        record.seen.append(_seen(case, outcomes))
    if _counts(check, session) and check.code[0] in "VFS" and case.call.mask is None and case.call.x.dtype.name in FORMATS:
        record.observed += (
            Observation(case.call, one.yours, one.exact, np.asarray(one.tolerance))
            for one in outcomes
            if one.quantity == "y" and one.yours.shape == case.call.x.shape and one.yours.dtype.name in FORMATS and not one.reason
        )
    for outcome in outcomes:
        if outcome.failed:
            lost = np.isfinite(outcome.exact) & ~np.isfinite(outcome.yours.astype(np.float64))
            record.nonfinite += _counts(check, session) and _ordinary_size(case.call) and bool(lost.any())
            return _evidence(identity, case, outcome), outcome.fault
    return None, ""


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


def _reason(evidence: Evidence) -> str:
    if evidence.reason:
        return evidence.reason
    return f"{evidence.quantity} is {evidence.factor}" if evidence.factor else f"{evidence.quantity} is wrong"


def _shown(result: CheckResult, session: Session, steps: int) -> CheckResult:
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
    return replace(result, evidence=new, reason=_reason(new))


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


# ---------------------------------------------------------------- after the checks


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
    session.formats, _, broken = _formats(session, options)
    if broken:
        return _unanswered([CheckResult(check, "not_run")], session, broken, _Record())[0]
    offered, refused = _offered(session)
    if lacking := sorted(check.needs - offered):
        return CheckResult(check, "not_run", refused.get(lacking[0]) or _lacks(lacking[0], session))
    case = next(_nth(check.cases(session), int(number)), None)
    if case is None:
        raise SubjectError(f"--case {identity}: {code} has fewer inputs for this subject; run the audit without --case to see what fails")
    evidence, fault = _judged(check, session, int(number), case, _Record())
    if evidence is None:
        return CheckResult(check, "held", "this input")
    return _shown(CheckResult(check, "failed", _reason(evidence), evidence, fault), session, MAIN_STEPS)


def _nth(cases: Iterable[Case], number: int) -> Iterator[Case]:
    return (case for k, case in enumerate(cases) if k == number)


def audit_options(
    *, eps: float | None, axis: int | Sequence[int], dtype: str | Sequence[str] | None, full_range: bool, seed: int,
    only: Sequence[str], expect_fail: Mapping[str, str] | Sequence[str], exit_first: bool = False, command: str = "",
) -> Options:  # fmt: skip
    """The options of an audit from what a person gave, checked."""
    if eps is not None and not 0 < eps < float("inf"):
        raise SubjectError(f"eps: expected a number > 0, got {eps}; with eps = 0 a layer norm is defined only where the variance is not 0")
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    formats = () if dtype is None else tuple(dtype.split(",")) if isinstance(dtype, str) else tuple(dtype)
    if unknown := [code for code in only if code not in checks()]:
        near = get_close_matches(unknown[0], checks(), 3) or list(checks())[:3]
        raise SubjectError(f"--only: there is no check {unknown[0]}; did you mean {', '.join(near)}? `lnsym audit --list` shows all")
    expected = dict(expect_fail) if isinstance(expect_fail, Mapping) else expectations(expect_fail)
    if isinstance(expect_fail, Mapping):
        expectations([f"{code}={reason}" for code, reason in expect_fail.items()])
    return Options(1e-5 if eps is None else eps, axes, formats, full_range, seed, tuple(only), exit_first, expected, command)
