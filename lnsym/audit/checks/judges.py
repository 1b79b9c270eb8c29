"""How cases are judged: right answers of the oracle, remembered, and the usual comparisons. Imports the audit's records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from lnsym.audit import reference, tolerance
from lnsym.audit.call import Array, Call, Gradient
from lnsym.audit.check import Case, Check, Judge, Outcome
from lnsym.audit.session import Session
from lnsym.audit.subject import SubjectFailed

REMEMBERED = 2048  # right answers that are kept, most of a few kilobytes
QUANTITY = {"x": "dx", "weight": "dweight", "bias": "dbias"}

Cases = Callable[[Session], Iterator[Case]]


# ---------------------------------------------------------------- right answers, remembered


class _Asked:
    """A call with other arrays, found again by what they hold."""

    def __init__(self, call: Call, *more: Array) -> None:
        self.call, self.more = call, more
        arrays = (call.x, call.weight, call.bias, call.mask, *more)
        held = tuple(None if one is None else (one.shape, one.dtype.str, one.tobytes()) for one in arrays)
        self.key = (held, call.eps, call.axis)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.key == other.key


@lru_cache(REMEMBERED)
def _output(asked: _Asked) -> Array:
    return reference.output(asked.call)


@lru_cache(REMEMBERED)
def _gradient(asked: _Asked) -> Gradient:
    return reference.gradient(asked.call, *asked.more)


@lru_cache(REMEMBERED)
def _jvp(asked: _Asked) -> Array:
    return reference.jvp(asked.call, *asked.more)


@lru_cache(REMEMBERED)
def _double(asked: _Asked) -> Gradient:
    return reference.double(asked.call, *asked.more)


def exact_output(call: Call) -> Array:
    """y from the oracle."""
    return _output(_Asked(call))


def exact_gradient(call: Call, dy: Array) -> Gradient:
    """dx, dweight and dbias from the oracle."""
    return _gradient(_Asked(call, dy))


# ---------------------------------------------------------------- comparisons


def output_bound(session: Session, call: Call, fmt: str = "", gradual: bool = False) -> Array:
    """How far y may be off."""
    return tolerance.output(call, fmt or call.x.dtype.name, session.rows_model, gradual)


def judge_exactly(session: Session, case: Case) -> Iterator[Outcome]:
    """y, which must be the exact answer."""
    exact = exact_output(case.call)
    yield Outcome("y", session.forward(case.call), exact, np.zeros(exact.shape))


def judge_compensated(session: Session, case: Case) -> Iterator[Outcome]:
    """y, as near as compensated sums bring it."""
    fmt = case.call.x.dtype.name
    yield Outcome("y", session.forward(case.call), exact_output(case.call), tolerance.output(case.call, fmt, "compensated"))


def gradient_bound(session: Session, call: Call, dy: Array) -> Gradient:
    """How far the gradients may be off."""
    return tolerance.gradient(call, dy, call.x.dtype.name, session.rows_model)


def judge_output(session: Session, case: Case) -> Iterator[Outcome]:
    """y against the oracle."""
    yield Outcome("y", session.forward(case.call), exact_output(case.call), output_bound(session, case.call))


def unless_refused(session: Session, call: Call) -> Array | None:
    """The subject's output, None where it raises an error: for inputs that one may refuse."""
    try:
        return session.forward(call)
    except SubjectFailed as error:
        if error.kind != "raised":
            raise
        return None


def judge_gradient(session: Session, case: Case) -> Iterator[Outcome]:
    """dx, dweight and dbias, those that the subject gives, against the oracle."""
    call, dy = case.call, cotangent(case)
    exact, bound = exact_gradient(call, dy), gradient_bound(session, call, dy)
    for name, yours in session.gradient(call, dy, wanted(session)).items():
        yield Outcome(QUANTITY[name], yours, exact[name], bound[name])


def judge_jvp(session: Session, case: Case) -> Iterator[Outcome]:
    """The derivative along the case's dy against the oracle."""
    call, dx = case.call, cotangent(case)
    yield Outcome("jvp", session.jvp(call, dx), _jvp(_Asked(call, dx)), tolerance.jvp(call, dx, call.x.dtype.name, session.rows_model))


def judge_double(session: Session, case: Case) -> Iterator[Outcome]:
    """The double backward along the case's "along" against the oracle."""
    call, dy, along = case.call, cotangent(case), case.more["along"]
    exact, bound = _double(_Asked(call, dy, along)), tolerance.double(call, dy, along, call.x.dtype.name, session.rows_model)
    for name, yours in session.double(call, dy, along).items():
        fault = _second_mistake(call, dy, along, yours, exact[name], bound[name]) if name == "x" else ""
        yield Outcome(f"double {name}", yours, exact[name], bound[name], "", fault)


def _second_mistake(call: Call, dy: Array, along: Array, yours: Array, exact: Array, bound: Array) -> str:
    """The mistake that a wrong second derivative shows: it is zero, of the wrong sign, or taken with mean and rstd as constants."""
    rows = call.rows()
    a, k = (call.flat(one).astype(np.float64) for one in (along, dy))
    k = rows.weight * k
    held = -((a * (rows.u * k).mean(axis=1, keepdims=True) + k * (rows.u * a).mean(axis=1, keepdims=True)) / rows.s**2)
    models = {"LN341": np.zeros(exact.shape), "LN343": -exact.astype(np.float64), "LN340": call.shaped(held)}
    return next((code for code, model in models.items() if bool((np.abs(yours - model) <= 4 * bound).all())), "")


def if_not_finite(outcome: Outcome, fault: str) -> Outcome:
    """The outcome, the sign of this mistake where it holds NaN or infinity in place of a number."""
    spoilt = ~np.isfinite(outcome.yours.astype(np.float64)) & np.isfinite(outcome.exact)
    return replace(outcome, fault=fault) if spoilt.any() else outcome


def wanted(session: Session) -> tuple[str, ...]:
    """The gradients to ask for: of what the subject takes."""
    return ("x", *(name for name in ("weight", "bias") if name in session.about.takes))


def cotangent(case: Case) -> Array:
    """The case's dy, which its check has given."""
    if case.dy is None:
        raise ValueError("this check needs dy")
    return case.dy


def flag(wrong: bool, quantity: str, reason: str, fault: str = "") -> Outcome:
    """An outcome that is a matter of yes or no."""
    return Outcome(quantity, np.array([float(wrong)]), np.zeros(1), np.zeros(1), reason if wrong else "", fault)


def check(
    code: str, title: str, theorem: str, cases: Callable[[Session], Iterable[Case]], judge: Judge, needs: str = "",
    *, fits: bool = False, strict: bool = False, raising: str = "",
) -> Check:  # fmt: skip
    """A check, its needs as words in one text."""
    return Check(code, title, theorem, cases, judge, frozenset(needs.split()), fits, strict, raising)
