"""S: shapes, axes, sizes one off a block, masks, rows that are not finite, and eps at its edge. Imports the audit's records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from lnsym.audit.call import Array, Call
from lnsym.audit.check import Case, Outcome
from lnsym.audit.checks.inputs import at_once, gains, like, make, mixed, offsets, require, width_of
from lnsym.audit.checks.judges import (
    QUANTITY,
    check,
    cotangent,
    exact_output,
    flag,
    if_not_finite,
    judge_gradient,
    judge_output,
    output_bound,
    unless_refused,
    wanted,
)  # fmt: skip
from lnsym.audit.session import Session

Judged = Iterator[Outcome]
LATE = 256  # a mistake that shows in later rows only is one of blocks or grids


def _with_gradient(call: Call, name: str, start: int = 4) -> Case:
    n, d = call.flat(call.x).shape
    return Case(call, name, like(call, mixed(n, d, start)))


# ---------------------------------------------------------------- few and no numbers


def _one_number(session: Session) -> Iterator[Case]:
    yield _with_gradient(make(session, np.array([[5.0], [-7.0], [0.0]]), gains(1), offsets(1), 0.1), "rows of one number")


def _empty(session: Session) -> Iterator[Case]:
    d = width_of(session, 3)
    if session.about.rank != len(session.axis):
        yield _with_gradient(make(session, np.empty((0, d)), gains(d), offsets(d)), "no rows")


def _empty_gradient(session: Session, case: Case) -> Judged:
    for name, yours in session.gradient(case.call, cotangent(case), wanted(session)).items():
        yield Outcome(QUANTITY[name], yours, np.zeros(yours.shape), np.zeros(yours.shape), "without rows the gradients are 0")


# ---------------------------------------------------------------- number of axes


def _ranks(session: Session) -> Iterator[Case]:
    d = width_of(session, 4)
    for batch in ((), (2, 3), (2, 1, 3)):
        if all(-len(batch) - len(session.axis) <= axis < len(batch) + len(session.axis) for axis in session.axis):
            call = make(session, mixed(int(np.prod(batch)), d, 2), gains(d), offsets(d), 0.25, batch=batch)
            yield _with_gradient(call, f"an input of shape {call.x.shape}")


def _signed_axes(session: Session) -> Iterator[Case]:
    d = width_of(session, 5)
    for axis in ((1,), (-1,), (2,)):
        batch = (3,) if axis != (2,) else (2, 2)
        yield Case(make(session, mixed(4, d, 1), gains(d), offsets(d), 0.25, batch=batch, axis=axis), f"the last axis, named {axis[0]}")


def _other_axes(weighted: bool, session: Session) -> Iterator[Case]:
    axis: tuple[int, ...]
    batch: tuple[int, ...]
    for axis, batch, wanted_width in (((0,), (3,), 4), ((0,), (4,), 4), ((1,), (2, 3), 5), ((-2,), (2, 4), 4)):
        d = width_of(session, wanted_width)
        weight, bias = (gains(d), offsets(d)) if weighted else (None, None)
        call = make(session, mixed(int(np.prod(batch)), d, 3), weight, bias, 0.25, batch=batch, axis=axis)
        yield Case(call, f"axis {axis[0]} of shape {call.x.shape}")


def _broadcast(session: Session, call: Call) -> Call:
    """A refused call with a weight of ones and a bias of zeros that broadcast against x, where only the shape of these is refused."""
    shape = [call.x.shape[axis] for axis in call.axes]
    fill = {"weight": np.ones(shape, call.x.dtype), "bias": np.zeros(shape, call.x.dtype)}
    given = {name: one for name, one in fill.items() if name in session.about.takes}
    if unless_refused(session, call.but(**given)) is not None:
        return call  # it is the absence that is refused
    against = [call.x.shape[axis] if axis in call.axes else 1 for axis in range(call.x.ndim)]
    return call.but(**{name: one.reshape(against) for name, one in given.items()})


def _aligned(session: Session, case: Case) -> Judged:
    """Parameters of the shape of the normalized axis, or of one that broadcasts against x: one of them is right, or refused."""
    call = case.call
    shape = [call.x.shape[axis] if axis in call.axes else 1 for axis in range(call.x.ndim)]
    weight, bias = (None if one is None else one.reshape(shape) for one in (call.weight, call.bias))
    exact, bound = exact_output(call), output_bound(session, call)
    answers = [unless_refused(session, one) for one in (call, call.but(weight=weight, bias=bias))]
    found = [Outcome("y", answer, exact, bound) for answer in answers if answer is not None]
    yield from found[:1] if all(one.failed for one in found) else ()


def _axes(session: Session) -> Iterator[Case]:
    yield from _signed_axes(session)
    yield from _other_axes(False, session)


def _named_axes(session: Session, case: Case) -> Judged:
    """Counted from the front and from the back the axes are the same; several together may be refused."""
    call = case.call
    answer = unless_refused(session, call)
    if answer is None:
        call = _broadcast(session, call)
        answer = unless_refused(session, call) if len(call.axis) > 1 else session.forward(call)
    if answer is None:
        return
    bound = output_bound(session, call)
    for axis in {call.axes, tuple(one - call.x.ndim for one in call.axes)} - {call.axis}:
        reason = f"axis {call.axis} and axis {axis} are the same, and the outputs are not"
        other = unless_refused(session, call.but(axis=axis)) if len(axis) > 1 else session.forward(call.but(axis=axis))
        if other is not None:
            yield Outcome("y", answer, other.astype(np.float64), 2 * bound, reason, "LN417")
    yield Outcome("y", answer, exact_output(call), bound)


def _several_axes(session: Session) -> Iterator[Case]:
    for axis, batch, d in (((-2, -1), (3,), 6), ((-2, -1), (2,), 9), ((0, 2), (3,), 6), ((0, 1), (), 8)):
        call = make(session, mixed(3, width_of(session, d), 1), None, None, 0.25, batch=batch, axis=axis)
        yield Case(call, f"axes {axis} of shape {call.x.shape}")


# ---------------------------------------------------------------- sizes around blocks


def _widths(session: Session) -> Iterator[Case]:
    for d in (31, 32, 33, 63, 64, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025):
        yield Case(make(session, 1 + mixed(2, d, d), gains(d), offsets(d), 0.25), f"width {d}")


def _blocks(session: Session) -> Iterator[Case]:
    for n, wanted_width in ((2, 31), (2, 32), (2, 33), (2, 65), (2, 129), (7, 3), (31, 3), (32, 3), (33, 3), (65, 3), (129, 3)):
        d = width_of(session, wanted_width)
        yield _with_gradient(make(session, mixed(n, d, n + d), gains(d), offsets(d), 0.25), f"{n} rows of {d}")


def _many_rows(session: Session) -> Iterator[Case]:
    d = width_of(session, 4)
    at_once(session, make(session, np.resize(mixed(7, d, 2), (655, d)), None, None, 0.25), "65537 rows")
    call = make(session, np.resize(mixed(7, d, 2), (65537, d)), None, None, 0.25)
    yield Case(call, "65537 rows, every seventh the same", more={"period": 7})


def _many(session: Session, case: Case) -> Judged:
    """The rows repeat, so that few of them need a right answer."""
    call, period = case.call, case.more["period"]
    rows = call.flat(call.x)
    require(np.array_equal(rows[period:], rows[:-period]))
    few = Call(rows[:period], _row(call.weight), _row(call.bias), call.eps, (-1,))
    exact, bound = (call.shaped(np.resize(one, rows.shape)) for one in (exact_output(few), output_bound(session, few)))
    outcome = Outcome("y", session.forward(call), exact, bound)
    late = np.flatnonzero(call.flat(outcome.wrong).any(axis=1))
    yield replace(outcome, fault="LN422") if late.size and late[0] > LATE else outcome


# ---------------------------------------------------------------- masks


def _masked(session: Session) -> Iterator[Case]:
    d = width_of(session, 6)
    call = make(session, mixed(4, d, 2), gains(d), offsets(d), 0.25)
    n = call.flat(call.x).shape[0]
    kept = np.arange(d) < np.resize([d, d - 1, max(d // 2, 1), 2], n)[:, None]
    yield Case(call.but(mask=call.shaped(kept)), "the ends of some rows do not count")
    scattered = (np.arange(d) + np.arange(n)[:, None]) % 3 != 1
    yield Case(call.but(mask=call.shaped(scattered)), "numbers in between do not count")


def _mask(session: Session, case: Case) -> Judged:
    call = case.call
    yield _where_kept(session, case, session.forward(call))
    assert call.mask is not None
    for behind in (1e3, np.nan, np.inf):
        other = call.but(x=np.where(call.mask, call.x, call.x.dtype.type(behind)))
        yield _where_kept(session, case, session.forward(other), f"the output depends on {behind:g} behind the mask")


def _where_kept(session: Session, case: Case, yours: Array, reason: str = "") -> Outcome:
    assert case.call.mask is not None
    exact = np.where(case.call.mask, exact_output(case.call), yours.astype(np.float64))
    return Outcome("y", yours, exact, output_bound(session, case.call), reason)


# ---------------------------------------------------------------- numbers that are none, and eps at its edge


def _not_finite(session: Session) -> Iterator[Case]:
    d = width_of(session, 4)
    for value in (np.nan, np.inf, -np.inf):
        rows = mixed(3, d, 1)
        rows[1, d // 2] = value
        call = make(session, rows, gains(d), offsets(d), 0.25)
        if call.flat(call.x).shape[0] > 1:
            yield Case(call, f"{value:g} in the second of three rows")


def _others_right(session: Session, case: Case) -> Judged:
    """The rows that have an answer; what the others give is not looked at."""
    call = case.call
    rows = call.flat(call.x).astype(np.float64)
    good = np.isfinite(rows).all(axis=1) & ((rows != rows[:, :1]).any(axis=1) | (call.eps > 0))
    answer = unless_refused(session, call) if call.eps == 0 else session.forward(call)
    if answer is None or not good.any():
        return
    yours = call.flat(answer)[good]
    few = Call(call.flat(call.x)[good], _row(call.weight), _row(call.bias), call.eps, (-1,))
    reason = "" if good.all() else "a row is wrong beside one that has no answer"
    yield Outcome("y", yours, exact_output(few), output_bound(session, few), reason)


def _not_spoilt(session: Session, case: Case) -> Judged:
    return (if_not_finite(one, "LN413") for one in _others_right(session, case))


def _row(parameter: Array | None) -> Array | None:
    return None if parameter is None else parameter.reshape(-1)


def _zero_eps(session: Session) -> Iterator[Case]:
    d = width_of(session, 5)
    rows = mixed(3, d, 2)
    yield Case(make(session, rows, gains(d), offsets(d), 0.0), "eps = 0")
    rows = rows.copy()
    rows[1] = 3.0
    call = make(session, rows, gains(d), offsets(d), 0.0)
    if call.flat(call.x).shape[0] > 1:
        yield Case(call, "eps = 0, the second row constant: that row has no answer (0/0)")


def _negative_eps(session: Session) -> Iterator[Case]:
    d = width_of(session, 4)
    rows = mixed(2, d, 2)
    rows[0] = 1.0
    yield Case(make(session, rows, None, None, -1e-3), "eps = -0.001, one row constant")


def _refuses(session: Session, case: Case) -> Judged:
    require(case.call.eps < 0)
    taken = unless_refused(session, case.call) is not None
    reason = "a negative eps is taken without a word; rows with q < -eps give NaN, and the others look healthy"
    yield flag(taken, "refusal", reason, "LN415")


CHECKS = (
    check("S01", "rows of one number", "core_of_dim_one", _one_number, judge_output, "widths", raising="LN406"),
    check("S02", "no rows", "jacobian_batch_output_eq", _empty, judge_output, raising="LN407"),
    check("S03", "inputs of one, three and four axes", "jacobian_batch_output_eq", _ranks, judge_output, "ranks", raising="LN416"),
    check("S04", "the last axis by both its names, and others", "core_eq", _axes, _named_axes, "axis ranks", fits=True),
    check("S05", "weight and bias along another axis", "output_eq", partial(_other_axes, True), _aligned, "axis ranks weight"),
    check("S06", "several axes together", "core_eq", _several_axes, _named_axes, "axis ranks widths", fits=True),
    check("S07", "widths one off a block", "core_eq", _widths, judge_output, "widths"),
    check("S08", "65537 rows", "jacobian_batch_output_eq", _many_rows, _many),
    check("S09", "gradients of widths and row counts one off a block", "parameter_gradient_sums_cases", _blocks, judge_gradient, "vjp"),
    check("S10", "gradients of rows of one number", "core_of_dim_one", _one_number, judge_gradient, "vjp widths", raising="LN406"),
    check("S11", "gradients without rows", "parameter_gradient_sums_cases", _empty, _empty_gradient, "vjp", raising="LN407"),
    check(
        "S12", "gradients of one, three and four axes", "parameter_gradient_sums_cases", _ranks, judge_gradient, "vjp ranks",
        raising="LN416",
    ),
    check("S13", "what the mask hides does not count", "core_eq", _masked, _mask, "mask", fits=True),
    check("S14", "NaN or infinity stays in its row", "jacobian_batch_output_eq", _not_finite, _not_spoilt),
    check("S15", "eps = 0 where rows are not constant", "core_zero_eps_smul", _zero_eps, _others_right, "eps"),
    check("S16", "a negative eps is refused", "variance_add_eps_pos", _negative_eps, _refuses, "eps", strict=True),
)
