"""D: gradients, directional derivatives and the double backward, against the oracle and each other. Imports the audit's records."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lnsym.audit import tolerance
from lnsym.audit.call import Array, Call
from lnsym.audit.check import Case, Outcome
from lnsym.audit.checks.inputs import gains, like, make, mixed, normal, offsets, one_row, require, width_of
from lnsym.audit.checks.judges import (
    QUANTITY,
    check,
    cotangent,
    flag,
    gradient_bound,
    if_not_finite,
    judge_double,
    judge_gradient,
    judge_jvp,
    wanted,
)  # fmt: skip
from lnsym.audit.session import Session
from lnsym.oracle import FORMATS

Judged = Iterator[Outcome]
FINE = 2.0**-53  # of the sums that the judges take themselves, in float64


def _case(session: Session, n: int, d: int, eps: float, name: str, start: int = 0, weight: bool = True, scale: float = 1.0) -> Case:
    """Quarters for x and dy, with weight and bias."""
    d = width_of(session, d)
    call = make(session, scale * mixed(n, d, start), gains(d) if weight else None, offsets(d) if weight else None, eps)
    return Case(call, name, _quarters(call, start + 3))


def _quarters(call: Call, start: int) -> Array:
    n, d = call.flat(call.x).shape
    return like(call, mixed(n, d, start))


# ---------------------------------------------------------------- against the oracle


def _plain(session: Session) -> Iterator[Case]:
    yield _case(session, 1, 3, 0.25, "one row", weight=False)
    yield _case(session, 2, 4, 0.25, "two rows", 2, weight=False)
    yield _case(session, width_of(session, 5), 5, 1.0, "as many rows as numbers in a row", 2)
    yield _one_entry(_case(session, 3, 4, 0.5, "dy is 1 in one place and 0 elsewhere", 5))


def _weighted(session: Session) -> Iterator[Case]:
    yield _case(session, 5, 4, 0.25, "five rows, a weight of both signs with a zero", 1)
    yield _case(session, 3, 7, 0.5, "three rows of seven", 4)


def _one_entry(case: Case) -> Case:
    n, d = case.call.flat(case.call.x).shape
    rows = np.zeros((n, d))
    rows[n // 2, min(1, d - 1)] = 1
    return Case(case.call, case.name, like(case.call, rows))


def _epsilons(session: Session) -> Iterator[Case]:
    yield _case(session, 2, 3, 4.0, "eps larger than the variance", 3)
    yield _case(session, 2, 4, 1e-5, "the usual eps, rows as small as its root", 1, scale=2.0**-9)
    yield _case(session, 2, 5, 1e-5, "the usual eps, rows of size 1", 6)


def _random(session: Session) -> Iterator[Case]:
    for k, (n, d, eps) in enumerate(((5, 6, 0.1), (3, 2, 0.75), (1, 9, 1e-3))):
        d = width_of(session, d)
        weight, bias = normal(session, 2, d, 2, k)
        call = make(session, 1 + normal(session, n, d, 3, k), weight, bias, eps)
        yield Case(call, f"random numbers, n = {n}, d = {d}", like(call, normal(session, call.flat(call.x).shape[0], d, 4, k)))


def _structured(session: Session) -> Iterator[Case]:
    case = _case(session, 3, 6, 0.25, "", 2, weight=False)
    call, rows = case.call, case.call.rows()
    alternating = np.where(np.arange(rows.d) % 2, -1.0, 1.0) * np.ones((rows.n, 1))
    for name, dy in (("ones", np.ones(rows.x.shape)), ("the output", rows.u), ("the input", rows.x), ("1 and -1 in turn", alternating)):
        yield Case(call, f"dy is {name}", like(call, dy))


def _wide(session: Session) -> Iterator[Case]:
    d = width_of(session, 257)
    call = make(session, normal(session, 3, d, 5), gains(d), offsets(d), session.eps)
    yield Case(call, f"width {d}", like(call, normal(session, call.flat(call.x).shape[0], d, 6)))


def _constants(session: Session) -> Iterator[Case]:
    d = width_of(session, 4)
    call = make(session, np.repeat([[0.0], [2.5], [-1.0]], d, axis=1), gains(d), offsets(d), 0.25)
    yield Case(call, "constant rows", _quarters(call, 3))
    call = make(session, np.repeat([[0.0], [2.0]], d, axis=1), gains(d), offsets(d), 1e-5)
    yield Case(call, "constant rows, the usual eps", _quarters(call, 1))


def _judge_constants(session: Session, case: Case) -> Judged:
    return (if_not_finite(one, "LN414") for one in judge_gradient(session, case))


def _large_mean(session: Session) -> Iterator[Case]:
    d, most = width_of(session, 8), 2.0 ** (FORMATS[session.format].precision - 6)  # beside larger numbers the spread is rounded away
    for mean in (one for one in (100.0, 3000.0, 1e6) if one < most):
        call = make(session, mean + mixed(2, d, 1) / 3, gains(d), None, 1e-5)
        yield Case(call, f"mean {mean:g}, spread 1", _quarters(call, 4))


def _directions(session: Session) -> Iterator[Case]:
    yield _case(session, 2, 4, 0.25, "quarters", 3)
    yield from _random(session)
    yield from _constants(session)


def _doubles(session: Session) -> Iterator[Case]:
    d = width_of(session, 2)
    pairs = make(session, np.array([[0.75, 0.0], [1.0, 3.0]]), None, None, 0.25)
    cases = [Case(pairs, "rows of two", _quarters(pairs, 1))] if d == 2 else []
    cases += [_case(session, 1, 3, 0.25, "one row", 1, weight=False), _case(session, 3, 5, 0.5, "three rows, weighted", 2)]
    for case in cases:
        yield Case(case.call, case.name, case.dy, {"along": _quarters(case.call, 6)})


# ---------------------------------------------------------------- laws


def _ones(session: Session) -> Iterator[Case]:
    call = make(session, mixed(3, width_of(session, 6), 2), None, None, 0.25)
    if call.weight is None:
        yield Case(call, "dy is 1 everywhere, no weight", np.ones_like(call.x))


def _no_gradient(session: Session, case: Case) -> Judged:
    call, dy = case.call.but(weight=None), np.ones_like(case.call.x)
    bound = gradient_bound(session, call, dy)["x"]
    found = session.gradient(call, dy, ("x",))
    yield from (Outcome("dx", dx, np.zeros(dx.shape), bound, "the outputs of a row sum to 0, and dx is not 0") for dx in found.values())


def _laws(session: Session) -> Iterator[Case]:
    yield _case(session, 3, 6, 0.25, "three rows", 1)


def _orthogonal(session: Session, case: Case) -> Judged:
    for dx, off in _dx(session, case):
        total, size = dx.sum(axis=1), np.abs(dx).sum(axis=1)
        allowed = off.sum(axis=1) + dx.shape[1] * FINE * size
        yield Outcome("sum(dx)", total, np.zeros(total.shape), allowed, "the entries of dx do not sum to 0 over a row")


def _euler(session: Session, case: Case) -> Judged:
    call = case.call
    rows, found = call.rows(), tolerance.statistics(call, "float64")
    k = rows.weight * call.flat(cotangent(case)).astype(np.float64)
    r = 1 / found.s
    exact = call.eps * (r**2 * (found.values * k).sum(axis=1, keepdims=True))[:, 0]
    for dx, off in _dx(session, case):
        yours = (rows.x * dx).sum(axis=1)
        size = (np.abs(rows.x) * off).sum(axis=1) + 4 * rows.d * FINE * ((np.abs(rows.x * dx)).sum(axis=1) + np.abs(k).sum(axis=1))
        yield Outcome("x.dx", yours, exact, size, "x.dx is not eps r^2 sum(u g)")


def _dx(session: Session, case: Case) -> Iterator[tuple[Array, Array]]:
    """dx and how far it may be off, as rows; nothing if the subject has no gradient by x."""
    call, dy = case.call, cotangent(case)
    found = session.gradient(call, dy, ("x",))
    if "x" in found:
        yield call.flat(found["x"]).astype(np.float64), call.flat(gradient_bound(session, call, dy)["x"])


def _linear(session: Session, case: Case) -> Judged:
    call, one = case.call, cotangent(case)
    other = _quarters(call, 8)
    both = one + other * call.x.dtype.type(2)
    require(np.array_equal(both.astype(np.float64), one.astype(np.float64) + 2 * other.astype(np.float64)))
    first, second, third = (session.gradient(call, dy, wanted(session)) for dy in (one, other, both))
    bounds = [gradient_bound(session, call, dy) for dy in (one, other, both)]
    for name in sorted(first.keys() & second.keys() & third.keys()):
        expected = first[name].astype(np.float64) + 2 * second[name].astype(np.float64)
        allowed = bounds[0][name] + 2 * bounds[1][name] + bounds[2][name]
        yield Outcome(QUANTITY[name], third[name], expected, allowed, "the gradient is not linear in dy")


def _adjoint(session: Session, case: Case) -> Judged:
    call, dy = case.call, cotangent(case)
    dx = _quarters(call, 8)
    along, back = session.jvp(call, dx).astype(np.float64), session.gradient(call, dy, ("x",))
    require("x" in back)
    g, h = dy.astype(np.float64), dx.astype(np.float64)
    exact, yours = np.sum(h * back["x"].astype(np.float64)), np.sum(g * along)
    allowed = np.sum(np.abs(g) * tolerance.jvp(call, dx, call.x.dtype.name, session.rows_model))
    allowed += np.sum(np.abs(h) * gradient_bound(session, call, dy)["x"])
    reason = "sum(dy * jvp(dx)) is not sum(dx * vjp(dy)): the two derivatives do not belong together"
    yield Outcome("sum(dy * jvp)", np.array([yours]), np.array([exact]), np.array([allowed]), reason)


def _subsets(session: Session, case: Case) -> Judged:
    call, dy, names = case.call, cotangent(case), wanted(session)
    whole, bound = session.gradient(call, dy, names), gradient_bound(session, call, dy)
    for asked in (("x",), *((name,) for name in names[1:]), names[1:]):
        if not asked:
            continue
        part, only = session.gradient(call, dy, asked), " and ".join(asked)
        for name in (name for name in asked if name in whole):
            if name not in part:
                yield flag(True, "gradients", f"it gives no {QUANTITY[name]} when only the gradient by {only} is asked for", "LN418")
            else:
                reason = f"{QUANTITY[name]} changes when only the gradient by {only} is asked for"
                yield Outcome(QUANTITY[name], part[name], whole[name].astype(np.float64), 2 * bound[name], reason, "LN418")


def _row_by_row(session: Session, case: Case) -> Judged:
    call, dy = case.call, cotangent(case)
    whole, bound = session.gradient(call, dy, wanted(session)), gradient_bound(session, call, dy)
    require(call.flat(call.x).shape[0] > 0)
    singles = [one_row(call, k) for k in range(call.flat(call.x).shape[0])]
    parts = [one_row(call.but(x=dy), k).x for k in range(len(singles))]
    apart = [session.gradient(one, g, wanted(session)) for one, g in zip(singles, parts, strict=True)]
    bounds = [gradient_bound(session, one, g) for one, g in zip(singles, parts, strict=True)]
    for name in whole:
        require(all(name in one for one in apart))
        if name == "x":
            expected = call.shaped(np.concatenate([s.flat(one["x"]) for s, one in zip(singles, apart, strict=True)]).astype(np.float64))
            allowed = call.shaped(np.concatenate([s.flat(one["x"]) for s, one in zip(singles, bounds, strict=True)]))
            reason = "dx of a row alone is not its dx in the batch"
        else:
            expected = np.sum([one[name].astype(np.float64) for one in apart], axis=0)
            allowed = np.sum([one[name] for one in bounds], axis=0)
            reason = f"{QUANTITY[name]} of the rows alone do not sum up to that of the batch"
        yield Outcome(QUANTITY[name], whole[name], expected, allowed + bound[name], reason)


def _batches(session: Session) -> Iterator[Case]:
    case = _case(session, 5, 4, 0.25, "five rows", 3)
    if case.call.flat(case.call.x).shape[0] > 1:
        yield case


CHECKS = (
    check("D01", "gradients of plain rows", "gradient_dot_output_eq", _plain, judge_gradient, "vjp", fits=True),
    check("D02", "gradients with a weight of both signs", "gradient_dot_output_eq", _weighted, judge_gradient, "vjp weight", fits=True),
    check("D03", "gradients with eps from small to large", "gradient_dot_output_eq", _epsilons, judge_gradient, "vjp", fits=True),
    check("D04", "gradients of random rows", "parameter_gradient_sums_cases", _random, judge_gradient, "vjp", fits=True),
    check("D05", "gradients for dy = 1, u, x and alternating", "gradient_dot_output_eq", _structured, judge_gradient, "vjp"),
    check("D06", "gradients of wide rows", "gradient_dot_output_eq", _wide, judge_gradient, "vjp"),
    check("D07", "gradients of constant rows", "jacobian_of_constant", _constants, _judge_constants, "vjp"),
    check("D08", "gradients where the mean is large", "core_shifted_mean_eq", _large_mean, judge_gradient, "vjp"),
    check("D09", "dy = 1 without a weight gives dx = 0", "jacobian_apply_one", _ones, _no_gradient, "vjp"),
    check("D10", "dx sums to 0 over every row", "jacobian_apply_one", _laws, _orthogonal, "vjp"),
    check("D11", "x.dx = eps r^2 sum(u g)", "dot_gradient_core_eq", _laws, _euler, "vjp"),
    check("D12", "gradients are linear in dy", "gradient_dot_output_eq", _laws, _linear, "vjp"),
    check("D13", "gradients of rows alone sum up", "parameter_gradient_sums_cases", _batches, _row_by_row, "vjp"),
    check("D14", "some of the gradients are those of all", "gradient_dot_output_eq", _laws, _subsets, "vjp"),
    check("D15", "the derivative along a direction", "derivative_output_apply_eq", _directions, judge_jvp, "jvp"),
    check("D16", "both derivatives belong together", "jacobian_forms", _laws, _adjoint, "jvp vjp"),
    check("D17", "the double backward", "gradient_backward_eq", _doubles, judge_double, "double", raising="LN342"),
)
