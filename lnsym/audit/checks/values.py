"""V: the output against the oracle, on ordinary rows that tell the usual mistakes apart. Imports the audit's records."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lnsym.audit.check import Case, Check, Outcome
from lnsym.audit.checks.inputs import gains, make, mixed, normal, offsets, width_of
from lnsym.audit.checks.judges import Cases, check, if_not_finite, judge_output
from lnsym.audit.session import Session


def _plain(session: Session) -> Iterator[Case]:
    yield Case(make(session, np.array([[1.0, 2.0, 4.0]]), eps=session.eps), "one row of three")
    yield Case(make(session, mixed(3, 8), eps=session.eps), "three rows of eight")


def _eps(session: Session) -> Iterator[Case]:
    for scale, eps, n, d in ((1.0, 2.0, 3, 4), (0.125, 40.0, 2, 5), (2.0**-16, 1e-9, 3, 4), (2.0**-9, 1e-5, 2, 3)):
        yield Case(make(session, scale * mixed(n, d, 2), eps=eps), f"eps = {session.eps_for(eps):g}, numbers of size {scale:g}")


def _two_numbers(session: Session) -> Iterator[Case]:
    yield Case(make(session, np.array([[1.0, 3.0], [-0.5, 0.25], [7.0, 6.0]]), eps=0.75), "rows of two")


def _weight(session: Session) -> Iterator[Case]:
    d = width_of(session, 5)
    yield Case(make(session, mixed(3, d, 4), gains(d), eps=0.25), "weight of both signs with a zero, no bias")


def _bias(session: Session) -> Iterator[Case]:
    d = width_of(session, 5)
    yield Case(make(session, mixed(3, d, 5), None, offsets(d), eps=0.25), "bias, no weight")


def _both(session: Session) -> Iterator[Case]:
    d = width_of(session, 7)
    yield Case(make(session, mixed(5, d, 6), gains(d), offsets(d), eps=0.1), "weight and bias, five rows")


def _square(session: Session) -> Iterator[Case]:
    d = width_of(session, 6)
    yield Case(make(session, mixed(d, d, 1), gains(d), offsets(d), eps=0.5), "as many rows as numbers in a row")


def _unlike_rows(session: Session) -> Iterator[Case]:
    d = width_of(session, 6)
    scale, mean = np.array([[1.0], [64.0], [1 / 64], [8.0]]), np.array([[0.0], [100.0], [-1.0], [-40.0]])
    yield Case(make(session, scale * mixed(4, d, 3) + mean, eps=0.01), "rows of different size and mean")


def _constant_among_others(session: Session) -> Iterator[Case]:
    d = width_of(session, 4)
    rows = mixed(3, d, 2)
    rows[1] = 2.5
    yield Case(make(session, rows, gains(d), offsets(d), eps=0.25), "the second of three rows is constant")


def _widths(session: Session) -> Iterator[Case]:
    for d in dict.fromkeys(width_of(session, one) for one in (2, 3, 5, 8, 16, 65)):
        yield Case(make(session, mixed(3, d, d), gains(d), offsets(d), eps=0.05), f"width {d}")


def _random(session: Session) -> Iterator[Case]:
    for k, (n, d, eps) in enumerate(((2, 3, 0.5), (5, 4, 1e-3), (1, 9, 2.0))):
        d = width_of(session, d)
        weight, bias = normal(session, 2, d, k, 1)
        yield Case(make(session, 1 + 2 * normal(session, n, d, k), weight, bias, eps), f"random numbers, n = {n}, d = {d}")


def _wide(session: Session) -> Iterator[Case]:
    d = width_of(session, 1000)
    yield Case(make(session, normal(session, 2, d), gains(d), offsets(d), eps=session.eps), f"width {d}")


def _zeros(session: Session) -> Iterator[Case]:
    d = width_of(session, 4)
    yield Case(make(session, mixed(2, d, 3), gains(d), np.zeros(d), 0.25), "a bias of zeros")
    yield Case(make(session, mixed(2, d, 3), np.zeros(d), offsets(d), 0.25), "a weight of zeros")
    yield Case(make(session, np.zeros((2, d)), gains(d), offsets(d), 0.25), "rows of zeros")


def _judge_zeros(session: Session, case: Case) -> Iterator[Outcome]:
    return (if_not_finite(one, "LN425") for one in judge_output(session, case))


def _check(code: str, title: str, theorem: str, cases: Cases, needs: str = "") -> Check:
    return check(code, title, theorem, cases, judge_output, needs, fits=True)


CHECKS = (
    _check("V01", "the output of plain rows", "core_eq", _plain),
    _check("V02", "eps from far below to far above the variance", "core_eq_core_iff_eps_eq", _eps),
    _check("V03", "rows of two numbers", "core_conventions", _two_numbers),
    _check("V04", "a weight of both signs, with a zero", "output_eq", _weight, "weight"),
    _check("V05", "a bias without a weight", "output_eq", _bias, "bias"),
    _check("V06", "weight and bias", "output_eq", _both, "weight bias"),
    _check("V07", "as many rows as numbers in a row", "jacobian_batch_output_eq", _square),
    _check("V08", "rows of different size and mean in one batch", "jacobian_batch_core_eq", _unlike_rows),
    _check("V09", "a constant row among others", "core_eq_zero_iff", _constant_among_others),
    _check("V10", "widths from 2 to 65", "core_eq", _widths),
    _check("V11", "random rows, weights and biases", "core_eq", _random),
    check("V12", "a wide row", "core_eq", _wide, judge_output),
    check("V13", "a weight of zeros, a bias of zeros", "output_eq", _zeros, _judge_zeros),
)
