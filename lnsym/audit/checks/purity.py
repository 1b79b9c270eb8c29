"""P: what a call does besides: writes, memory that is shared or kept, answers that change. Imports the audit's records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.check import Case, Outcome
from lnsym.audit.checks.inputs import gains, like, make, mixed, offsets, width_of
from lnsym.audit.checks.judges import QUANTITY, check, cotangent, flag, wanted
from lnsym.audit.session import Session

Judged = Iterator[Outcome]


def _cases(session: Session) -> Iterator[Case]:
    d = width_of(session, 5)
    call = make(session, mixed(3, d, 1), gains(d), offsets(d), 0.25)
    yield Case(call, "three rows", like(call, mixed(call.flat(call.x).shape[0], d, 4)))


@contextmanager
def _noted(notes: dict[str, Call]) -> Iterator[dict[str, Call]]:
    """What one call adds to a session's notes, whatever was noted before."""
    before = dict(notes)
    notes.clear()
    try:
        yield notes
    finally:
        notes.update(before)


def _forward(session: Session, case: Case) -> None:
    session.forward(case.call)


def _gradient(session: Session, case: Case) -> None:
    session.gradient(case.call, cotangent(case), wanted(session))


def _writes(session: Session, case: Case, call: Callable[[Session, Case], None] = _forward) -> Judged:
    with _noted(session.changed) as changed:
        call(session, case)
        names = ["dy" if name == "argument 1" else name for name in changed]
    yield flag(bool(names), "arguments", f"the call writes into {' and '.join(names)}", "LN401")


def _writes_backward(session: Session, case: Case) -> Judged:
    yield from _writes(session, case, _gradient)


def _shares(session: Session, case: Case) -> Judged:
    with _noted(session.shared) as shared:
        _forward(session, case)
        names = list(shared)
    reason = f"the result shares its memory with {' and '.join(names)}: who writes into one changes the other"
    yield flag(bool(names), "memory", reason, "LN419")


def _exactly(quantity: str, yours: Array, before: Array, reason: str, fault: str = "LN402") -> Outcome:
    return Outcome(quantity, yours, before.astype(np.float64), np.zeros(yours.shape), reason, fault)


def _repeats(session: Session, case: Case) -> Judged:
    call = case.call
    before = session.forward(call).copy()
    yield _exactly("y", session.forward(call), before, "the same call gives another output the second time")
    others = [call.but(x=call.x * call.x.dtype.type(2)), call.but(eps=session.eps_for(4 * call.eps))]
    if width_of(session, 2 * call.width) == 2 * call.width and call.axes == (call.x.ndim - 1,):
        others.append(Call(np.concatenate([call.x, call.x], axis=-1), None, None, call.eps, call.axis))
    for other in others:
        session.forward(other)
    yield _exactly("y", session.forward(call), before, "after calls with other arguments the same call gives another output")


def _repeats_backward(session: Session, case: Case) -> Judged:
    before = {name: one.copy() for name, one in _gradients(session, case).items()}
    for name, yours in _gradients(session, case).items():
        yield _exactly(QUANTITY[name], yours, before[name], "the same call gives another gradient the second time")


def _gradients(session: Session, case: Case) -> Mapping[str, Array]:
    return session.gradient(case.call, cotangent(case), wanted(session))


def _keeps(session: Session, case: Case) -> Judged:
    call = case.call
    first = session.forward(call)
    before = first.copy()
    session.forward(call.but(x=call.x[::-1] * call.x.dtype.type(2)))
    yield _exactly("y", first, before, "a second call changes the result of the first: both lie in the same memory", "LN419")


CHECKS = (
    check("P01", "nothing is written into x, weight and bias", "core_eq", _cases, _writes),
    check("P02", "the same call gives the same output", "core_eq", _cases, _repeats),
    check("P03", "a second call leaves the first result as it is", "core_eq", _cases, _keeps),
    check("P04", "the result has memory of its own", "core_eq", _cases, _shares, strict=True),
    check("P05", "the gradient writes into none of its arguments", "gradient_dot_output_eq", _cases, _writes_backward, "vjp"),
    check("P06", "the same call gives the same gradients", "gradient_dot_output_eq", _cases, _repeats_backward, "vjp"),
)
