"""F: number formats: further formats, large means, large and small numbers, eps near the least number. Imports the audit's records."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lnsym.audit.check import Case, Outcome
from lnsym.audit.checks.inputs import at_once, gains, like, make, mixed, offsets, width_of
from lnsym.audit.checks.judges import (
    check,
    exact_output,
    flag,
    judge_compensated,
    judge_exactly,
    judge_gradient,
    judge_output,
    output_bound,
    unless_refused,
)  # fmt: skip
from lnsym.audit.session import Session
from lnsym.oracle import FORMATS

Judged = Iterator[Outcome]
HALF = ("float16", "bfloat16")


def _further(session: Session) -> Iterator[Case]:
    d = width_of(session, 7)
    for fmt in session.formats[1:]:
        yield Case(make(session, mixed(3, d, 2), None, None, 0.25, fmt), fmt)
        yield Case(make(session, mixed(3, d, 5), gains(d), offsets(d), 0.1, fmt), f"{fmt}, weight and bias")
        yield Case(make(session, 2.0**-8 * mixed(2, d, 1), None, None, 1e-5, fmt), f"{fmt}, rows as small as the root of the usual eps")


def _gradients_further(session: Session) -> Iterator[Case]:
    d = width_of(session, 6)
    for fmt in (one for one in session.formats[1:] if one not in HALF):
        call = make(session, mixed(3, d, 2), gains(d), offsets(d), 0.25, fmt)
        yield Case(call, fmt, like(call, mixed(call.flat(call.x).shape[0], d, 4)))


def _gradients_half(session: Session) -> Iterator[Case]:
    d = width_of(session, 6)
    for fmt in (one for one in session.formats if one in HALF):
        call = make(session, mixed(3, d, 2), gains(d), offsets(d), 0.25, fmt)
        yield Case(call, fmt, like(call, mixed(call.flat(call.x).shape[0], d, 4)))


def _types(session: Session) -> Iterator[Case]:
    d = width_of(session, 4)
    for fmt in session.formats:
        yield Case(make(session, mixed(2, d, 1), gains(d), offsets(d), 0.25, fmt), fmt)


def _type(session: Session, case: Case) -> Judged:
    asked, found = case.call.x.dtype.name, session.forward(case.call).dtype.name
    yield flag(found != asked, "format", f"for an input in {asked} the output is in {found}", "LN405")


def _integers(session: Session) -> Iterator[Case]:
    d = width_of(session, 4)
    yield Case(make(session, 4 * mixed(2, d, 1), None, None, 0.25), "integers", more={"type": np.dtype(np.int64)})


def _integer(session: Session, case: Case) -> Judged:
    call = case.call
    answer = unless_refused(session, call.but(x=np.rint(call.x).astype(case.more["type"])))
    if answer is not None:
        fmt = answer.dtype.name if answer.dtype.name in FORMATS else "float64"
        exact, bound = exact_output(call.but(x=np.rint(call.x))), output_bound(session, call, fmt)
        reason = f"for an input of integers it answers in {answer.dtype.name}, wrongly"
        yield Outcome("y", answer, exact, bound, reason, "LN423" if answer.dtype.kind in "iu" else "")


def _half(session: Session) -> Iterator[str]:
    return (fmt for fmt in session.formats if fmt in HALF)


def _lost_eps(session: Session) -> Iterator[Case]:
    d = width_of(session, 6)
    for fmt in _half(session):
        for eps in dict.fromkeys(session.eps_for(one) for one in (1e-7, 1e-12)):
            rows = np.repeat([[0.0], [1.0], [0.25]], d, axis=1)
            rows[2, 0] += 2.0**-7
            yield Case(make(session, rows, gains(d), offsets(d), eps, fmt), f"{fmt}, eps = {eps:g}, rows that are constant or nearly so")


def _half_sums(session: Session) -> Iterator[Case]:
    d = width_of(session, 16)
    for fmt in _half(session):
        yield Case(
            make(session, 64 * mixed(2, d, 1), None, None, 1e-5, fmt), f"{fmt}, the sum of squares is beyond 65504, the variance not"
        )
        yield Case(make(session, 512 * mixed(2, d, 2), None, None, 1e-5, fmt), f"{fmt}, the squares are beyond 65504")
        yield Case(make(session, 40 + mixed(2, d, 3), None, None, 1e-5, fmt), f"{fmt}, mean 40, spread 1")


def _half_parameters(session: Session) -> Iterator[Case]:
    d = width_of(session, 6)
    for fmt in _half(session):
        call = make(session, mixed(3, d, 2), gains(d), offsets(d), 0.25, fmt)
        given = {name: getattr(call, name) for name in ("weight", "bias") if name in session.about.takes}
        wide = {name: one.astype(np.float32) + np.float32(1 / 3) for name, one in given.items() if one is not None}
        yield Case(call.but(**wide), f"x in {fmt}, parameters in float32")


def _half_parameter(session: Session, case: Case) -> Judged:
    answer = unless_refused(session, case.call)
    if answer is not None:
        fmt = answer.dtype.name if answer.dtype.name in HALF else case.call.x.dtype.name
        yield Outcome("y", answer, exact_output(case.call), output_bound(session, case.call, fmt))


def _large_means(session: Session) -> Iterator[Case]:
    most = FORMATS[session.format].precision - 4  # beside larger numbers the spread would be rounded away
    for k, mean in enumerate((100.0, 2000.0, 9e4, 1e6, 1e7)):
        if np.log2(mean) + 2 < most:
            d = width_of(session, (4, 16, 8)[k % 3])
            yield Case(make(session, mean + mixed(2, d, k) / 3, gains(d), offsets(d), 1e-5), f"mean {mean:g}, spread 1")
    d = width_of(session, 4)
    yield Case(make(session, 100 + mixed(1, d, 2) / 64, None, None, 1e-5), "mean 100, spread 1/64")
    ramp = np.arange(width_of(session, 8)) + 1000.0 * np.arange(1, 3)[:, None]
    yield Case(make(session, ramp, None, None, 1e-5), "a ramp on 1000 and on 2000")


def _large_constants(session: Session) -> Iterator[Case]:
    for value in (one for one in (1234.5, 1948.8, -77.7, 1e8 / 3) if abs(one) < 2.0 ** FORMATS[session.format].largest):
        d = width_of(session, 7)
        yield Case(make(session, np.full((1, d), value), None, offsets(d), 1e-5), f"every number is {value:g}")


def _squares_fit(session: Session) -> Iterator[Case]:
    form, d = FORMATS[session.format], width_of(session, 8)
    small = (form.least + form.precision) // 2 + form.precision
    for exponent in (form.largest // 4, form.largest // 3, small):
        yield Case(make(session, np.ldexp(mixed(2, d, 3), exponent), None, None, 1e-5), f"numbers of size 2^{exponent}")
    if "eps" in session.about.takes and session.format not in HALF:
        rows, eps = np.ldexp(mixed(2, d, 3), small), 4.0**small
        yield Case(make(session, rows, None, None, eps), f"numbers of size 2^{small}, eps their square")


# ---------------------------------------------------------------- beyond two passes in the format


def _judge_gradual(session: Session, case: Case) -> Judged:
    """As the oracle, where numbers below the normal ones are kept."""
    yield Outcome("y", session.forward(case.call), exact_output(case.call), output_bound(session, case.call, gradual=True))


def _overflow(session: Session) -> Iterator[Case]:
    form, d = FORMATS[session.format], width_of(session, 8)
    exponent = form.largest // 2 + 2
    yield Case(make(session, np.ldexp(mixed(2, d, 2), exponent), None, None, 1e-5), f"numbers of size 2^{exponent}: their squares overflow")
    largest = float(np.ldexp(2.0 - 2.0 ** (1 - form.precision), form.largest))
    rows = np.where(mixed(2, d, 2) > 0, 1.0, -0.5) * largest
    rows[1] = np.abs(rows[1])
    yield Case(make(session, rows, None, None, 1e-5), "numbers near the largest: their sum overflows")


def _subnormal(session: Session) -> Iterator[Case]:
    form, d = FORMATS[session.format], width_of(session, 8)
    if session.format in HALF:
        return
    rows = np.ldexp(np.floor(mixed(2, d, 2) * 4), form.least + 3)
    yield Case(make(session, rows, None, None, 1e-5), "numbers below the least normal one")


def _tiny_eps(session: Session) -> Iterator[Case]:
    d = width_of(session, 6)
    for eps in dict.fromkeys(session.eps_for(one) for one in (1e-30, 1e-45, 1e-300)):
        rows = np.vstack([mixed(1, d, 2), np.zeros((1, d))])
        yield Case(make(session, rows, None, offsets(d), eps), f"eps = {eps:g} and a row of zeros")


def _very_wide(session: Session) -> Iterator[Case]:
    d = width_of(session, 2**16)
    at_once(session, make(session, mixed(1, 2**12), None, None, 1e-5), f"a row of {d}")  # a sixteenth: it may work with d x d numbers
    yield Case(make(session, 3 + mixed(1, d, 1), None, None, 1e-5), f"width {d}")


def _constant(session: Session) -> Iterator[Case]:
    d = width_of(session, 7)
    if session.about.width is None:  # first, since here only a residue of the mean itself is wrong
        weight = np.array([2.0 ** (FORMATS[session.format].precision // 2)])
        yield Case(make(session, np.array([[-3.0], [0.7]]), weight, np.array([1.0]), 0.1), "rows of one number, a large weight")
    yield Case(make(session, np.full((2, d), [[1234.1], [-0.3]]), gains(d), offsets(d), 1e-5), "constant rows")


def _far_means(session: Session) -> Iterator[Case]:
    d = width_of(session, 1024)
    far = 2.0 ** (FORMATS[session.format].precision - 5)
    yield Case(make(session, far + mixed(2, d, 5), None, None, 1e-5), f"mean {far:g}, spread about 1, width {d}")
    ramps = far + np.array([[1.0], [-1.0]]) * np.linspace(-2, 2, d)  # a mean that is updated number by number drifts one way
    yield Case(make(session, ramps, None, None, 1e-5), f"ramps up and down around {far:g}, width {d}")


CHECKS = (
    check("F01", "the output is in the format of x", "output_eq", _types, _type),
    check("F02", "further formats", "core_rounded_le", _further, judge_output, "several"),
    check("F03", "gradients in further formats", "core_rounded_le", _gradients_further, judge_gradient, "several vjp"),
    check("F04", "an eps that a half format cannot hold", "variance_add_eps_pos", _lost_eps, judge_output, "half"),
    check("F05", "sums and means that a half format cannot hold", "mean_rounded_le", _half_sums, judge_output, "half"),
    check("F06", "half formats with parameters in float32", "output_eq", _half_parameters, _half_parameter, "half weight"),
    check("F07", "integers are refused or answered rightly", "core_eq", _integers, _integer, strict=True),
    check("F08", "the mean is large beside the spread", "core_shifted_mean_eq", _large_means, judge_output),
    check("F09", "large constant rows", "core_shifted_mean_eq", _large_constants, judge_output),
    check("F10", "large and small numbers whose squares fit the format", "core_eq_core_div", _squares_fit, judge_output),
    check("F11", "squares and sums that overflow", "core_eq_core_div", _overflow, _judge_gradual, strict=True),
    check("F12", "numbers below the least normal one", "core_eq_core_div", _subnormal, _judge_gradual, strict=True),
    check("F13", "eps far below the variance of any row", "variance_add_eps_pos", _tiny_eps, _judge_gradual, "eps", strict=True),
    check("F14", "a row of 65536 numbers", "core_rounded_le", _very_wide, judge_output, "widths", strict=True),
    check("F15", "gradients in half formats", "core_rounded_le", _gradients_half, judge_gradient, "half vjp", strict=True),
    check("F16", "a constant row gives exactly the bias", "core_eq_zero_iff", _constant, judge_exactly, strict=True),
    check("F17", "the mean is far above the spread of a wide row", "core_shifted_mean_eq", _far_means, judge_compensated, strict=True),
)
