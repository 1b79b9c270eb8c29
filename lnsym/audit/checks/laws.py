"""M: laws between two answers of the subject itself, each a theorem; no right answer is needed. Imports the audit's records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from lnsym.audit import tolerance
from lnsym.audit.call import Array, Call
from lnsym.audit.check import Case, Outcome
from lnsym.audit.checks.inputs import gains, make, mixed, offsets, one_row, require, width_of
from lnsym.audit.checks.judges import check, output_bound, unless_refused
from lnsym.audit.session import Session

Judged = Iterator[Outcome]


def _agree(session: Session, yours: Array, exact: Array, first: Call, second: Call, reason: str, fault: str = "") -> Outcome:
    """Two answers that should be equal: each may be off by its own tolerance."""
    allowed = output_bound(session, first) + output_bound(session, second)
    return Outcome("y", yours, exact.astype(np.float64), allowed, reason, fault)


def _ordinary(session: Session, n: int = 3, d: int = 6, eps: float = 0.25, start: int = 1) -> Call:
    d = width_of(session, d)
    return make(session, mixed(n, d, start), gains(d), offsets(d), eps)


# ---------------------------------------------------------------- shift, order, sign, scale


def _shifts(session: Session) -> Iterator[Case]:
    for shift in (16.0, -7.5):
        yield Case(_ordinary(session), f"shift by {shift:g}", more={"shift": shift})


def _shift(session: Session, case: Case) -> Judged:
    call, shift = case.call, case.more["shift"]
    shifted = call.but(x=call.x + call.x.dtype.type(shift))
    require(np.array_equal(shifted.x.astype(np.float64) - shift, call.x.astype(np.float64)))
    reason = f"adding {shift:g} to every number changes the output"
    yield _agree(session, session.forward(shifted), session.forward(call), shifted, call, reason)


def _orders(session: Session) -> Iterator[Case]:
    d = width_of(session, 7)
    for k in range(2):
        yield Case(_ordinary(session, 2, d, start=k), "another order", more={"order": session.random(1, k).permutation(d)})


def _reordered(session: Session, case: Case) -> Judged:
    call = case.call
    order = np.argsort(case.more["order"])

    def moved(parameter: Array | None) -> Array | None:
        return None if parameter is None else parameter.reshape(-1)[order].reshape(parameter.shape)

    built_in = session.about.weight is not None or session.about.bias is not None
    require(not built_in)
    other = call.but(x=call.shaped(call.flat(call.x)[:, order]), weight=moved(call.weight), bias=moved(call.bias))
    expected = call.shaped(call.flat(session.forward(call))[:, order])
    allowed = output_bound(session, other) + call.shaped(call.flat(output_bound(session, call))[:, order])
    reason = "in another order of the numbers, weight and bias along, the output is not the same in that order"
    yield Outcome("y", session.forward(other), expected.astype(np.float64), allowed, reason)


def _free_parameters(cases: Callable[[Session], Iterator[Case]], session: Session) -> Iterator[Case]:
    """The cases, where the weight and bias are not built in."""
    return iter(()) if session.about.weight is not None or session.about.bias is not None else cases(session)


def _signs(session: Session) -> Iterator[Case]:
    yield Case(_ordinary(session), "the opposite row")


def _sign(session: Session, case: Case) -> Judged:
    call = case.call
    opposite = call.but(x=-call.x)
    bias = call.shaped(np.broadcast_to(call.rows().bias, call.flat(call.x).shape))
    expected = 2 * bias - session.forward(call).astype(np.float64)
    yield _agree(session, session.forward(opposite), expected, opposite, call, "of the opposite row the output is not 2 bias - y")


def _scales(session: Session) -> Iterator[Case]:
    for factor in (4.0, 0.125, 3.0, 7.0):
        yield Case(_ordinary(session), f"times {factor:g}", more={"factor": factor})


def _scale(session: Session, case: Case) -> Judged:
    call, factor = case.call, case.more["factor"]
    scaled = call.but(x=call.x * call.x.dtype.type(factor), eps=call.eps * factor**2)
    require(np.array_equal(scaled.x.astype(np.float64) / factor, call.x.astype(np.float64)))
    reason = f"x times {factor:g} with eps times {factor**2:g} changes the output"
    yield _agree(session, session.forward(scaled), session.forward(call), scaled, call, reason)


# ---------------------------------------------------------------- rows and memory


def _batches(session: Session) -> Iterator[Case]:
    call = _ordinary(session, 5)
    if call.flat(call.x).shape[0] > 1:
        yield Case(call, "five rows")


def _alone(session: Session, case: Case) -> Judged:
    call = case.call
    together = call.flat(session.forward(call))
    for k in range(together.shape[0]):
        single = one_row(call, k)
        yours = session.forward(single)
        expected = single.shaped(together[k : k + 1])
        found = _agree(session, yours, expected, single, single, f"row {k} alone has another output than in its batch", "LN412")
        yield found if found.failed and _needs_others(session, call, k, together[k]) else replace(found, fault="")


def _needs_others(session: Session, call: Call, k: int, row: Array) -> bool:
    """Whether another batch around a row changes its output; if not, it is the place in the batch that counts, or an earlier call."""
    x = call.flat(call.x)
    others = np.where(np.arange(x.shape[0])[:, None] == k, x, x * x.dtype.type(2) + x.dtype.type(1))
    again = call.flat(session.forward(call.but(x=call.shaped(others))))[k]
    return bool((~(np.abs(again - row) <= call.flat(output_bound(session, call))[k])).any())


def _transposed(x: Array) -> Array:
    return np.ascontiguousarray(x.T).T


def _slice(x: Array) -> Array:
    buffer = np.full((x.shape[0] + 2, *x.shape[1:]), 7, x.dtype)
    buffer[2:] = x
    return buffer[2:]


def _padded(x: Array) -> Array:
    buffer = np.full([size + 3 for size in x.shape], 7, x.dtype)
    inside = buffer[tuple(slice(2, 2 + size) for size in x.shape)]
    inside[...] = x
    return inside


def _strided(x: Array) -> Array:
    buffer = np.full((*x.shape, 2), 7, x.dtype)
    buffer[..., 0] = x
    return buffer[..., 0]


def _backwards(x: Array) -> Array:
    back = (slice(None, None, -1),) * x.ndim
    return np.ascontiguousarray(x[back])[back]


def _swapped(x: Array) -> Array:
    return x.astype(x.dtype.newbyteorder("S"))


LAYOUTS: Mapping[str, Callable[[Array], Array]] = {
    "slice that starts in the middle of an array": _slice,
    "transposed view": _transposed,
    "part of a padded buffer": _padded,
    "every second number of a buffer": _strided,
    "view that runs backwards": _backwards,
    "array of the other byte order": _swapped,
}


def _layouts(session: Session) -> Iterator[Case]:
    for name in LAYOUTS:
        if name != "array of the other byte order" or session.format != "bfloat16":
            yield Case(_ordinary(session, 3, 5, start=2), name, more={"layout": name})


def _layout(session: Session, case: Case) -> Judged:
    call, name = case.call, case.more["layout"]
    view = call.but(x=LAYOUTS[name](call.x))
    plain, fault = session.forward(call), "LN411" if name.startswith("slice") else "LN410"
    answer = unless_refused(session, view) if name.endswith("byte order") else session.forward(view)
    if answer is not None:
        yield _agree(session, answer, plain, call, call, f"the same numbers in a {name} have another output", fault)


def _equal_rows(session: Session) -> Iterator[Case]:
    call = _ordinary(session, 1, 5)
    if call.axes == (call.x.ndim - 1,) and call.x.ndim > 1:
        yield Case(call, "one row three times, with stride 0")


def _stride_zero(session: Session, case: Case) -> Judged:
    call = case.call
    require(call.x.shape[0] == 1)
    view = call.but(x=np.broadcast_to(call.x, (3, *call.x.shape[1:])))
    single = session.forward(call)
    whole = view.but(x=np.ascontiguousarray(view.x))
    reason = "a row repeated by stride 0 has another output than the row alone"
    yield _agree(session, session.forward(view), np.broadcast_to(single, view.x.shape), whole, whole, reason, "LN410")


# ---------------------------------------------------------------- moments and parameters


def _constants(session: Session) -> Iterator[Case]:
    d = width_of(session, 6)
    rows = np.repeat([[0.0], [3.0], [-100.5], [0.1]], d, axis=1)
    yield Case(make(session, rows, gains(d), offsets(d), 0.01), "constant rows")


def _constant(session: Session, case: Case) -> Judged:
    call = case.call
    x = call.flat(call.x)
    require((x == x[:, :1]).all())
    bias = call.shaped(np.broadcast_to(call.rows().bias, x.shape))
    yield Outcome("y", session.forward(call), bias, output_bound(session, call), "a constant row does not give the bias")


def _plain_rows(session: Session) -> Iterator[Case]:
    yield Case(make(session, mixed(3, 8, 3), eps=2.0), "rows without weight and bias")


def _moments(session: Session, case: Case) -> Judged:
    call = case.call.but(weight=None, bias=None)
    y, off = call.flat(session.forward(call)).astype(np.float64), call.flat(output_bound(session, call))
    mean, size = y.mean(axis=1), np.abs(y).max(axis=1)
    exact = tolerance.statistics(call, "float64").rho[:, 0]
    fine = 64 * 2.0**-53
    yield Outcome("mean(y)", mean, np.zeros_like(mean), off.mean(axis=1) + fine * size, "the mean of the output is not 0")
    off_variance = (off * (2 * np.abs(y) + off)).mean(axis=1) + fine * size**2
    yield Outcome("var(y)", y.var(axis=1), exact, off_variance, "the variance of the output is not q/(q + eps)")


def _weighted(session: Session) -> Iterator[Case]:
    yield Case(_ordinary(session), "weight and bias")


def _gain(session: Session, case: Case) -> Judged:
    call = case.call
    require(call.weight is not None and call.weight.size)
    assert call.weight is not None
    bare = call.but(weight=np.ones_like(call.weight), bias=None)
    weighted = call.but(bias=None)
    weight = call.shaped(np.broadcast_to(call.rows().weight, call.flat(call.x).shape))
    expected = weight * session.forward(bare).astype(np.float64)
    allowed = output_bound(session, weighted) + np.abs(weight) * output_bound(session, bare)
    yield Outcome("y", session.forward(weighted), expected, allowed, "the output is not the weight times the output without it")


def _offset(session: Session, case: Case) -> Judged:
    call = case.call
    require(call.bias is not None)
    without = call.but(bias=None)
    bias = call.shaped(np.broadcast_to(call.rows().bias, call.flat(call.x).shape))
    expected = bias + session.forward(without).astype(np.float64)
    yield _agree(session, session.forward(call), expected, call, without, "the output is not the output without a bias plus the bias")


CHECKS = (
    check("M01", "a common shift changes nothing", "output_add_const", _shifts, _shift),
    check("M02", "in another order the output is in that order", "statistics_eq", partial(_free_parameters, _orders), _reordered),
    check("M03", "the opposite row gives the opposite core", "core_smul_of_sq_eps", _signs, _sign),
    check("M04", "x times a number, eps times its square", "core_smul_of_sq_eps", _scales, _scale, "eps"),
    check("M05", "a row alone gives what it gives in a batch", "jacobian_batch_output_eq", _batches, _alone),
    check("M06", "views of other memory orders", "core_eq", _layouts, _layout),
    check("M07", "rows that share their memory", "core_eq", _equal_rows, _stride_zero, "ranks"),
    check("M08", "a constant row gives the bias", "core_eq_zero_iff", _constants, _constant),
    check("M09", "mean 0 and variance q/(q + eps)", "variance_core_eq", partial(_free_parameters, _plain_rows), _moments),
    check("M10", "the output is linear in the weight", "output_eq", _weighted, _gain, "weight"),
    check("M11", "the bias is added at the end", "output_eq", _weighted, _offset, "bias"),
)
