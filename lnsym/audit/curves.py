"""The two curves of an audit: the error against mean over spread, and against scale, beside our emitted tiers. Imports up to emit."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np

from lnsym import oracle
from lnsym.audit import tolerance
from lnsym.audit.call import Array, Call
from lnsym.audit.checks.inputs import make, number_type, width_of
from lnsym.audit.session import Session
from lnsym.audit.subject import SubjectFailed
from lnsym.audit.tiers import TIERS, emitted
from lnsym.oracle import FORMATS, exact_layer_norm
from lnsym.oracle.measure import Wide, difference
from lnsym.view.figures import Axis, Column, Table

ROWS, WIDTH = 4, 64
EPS = 1e-5
KEY = 7919  # of the random rows, which are those of no check
COLUMNS = (
    Column("yours", "", "solid"),
    Column("exact tier", "", "dotted"),
    Column("safe tier", "", "dashdot"),
    Column("plain tier", "", "dashed"),
    Column("allowed", "", "dashed"),
)
LEGEND = "The three tiers are those of lnsym emit. An error below the line of what is allowed is that of honest two-pass arithmetic."
_ROWS = ("for rows with this mean and spread 1", "for rows whose mean and spread are both this scale")
_OVERFLOW = "Rows whose squares overflow count with --range full only."
LEAST = 0.1  # smaller errors are drawn at this height
SPREADS = {"float64": (0, 8, 9), "float32": (0, 6, 13), "float16": (0, 3, 7), "bfloat16": (0, 2, 9)}  # then a row has lost its spread
SCALES = {"float64": (-300, 300, 13), "float32": (-40, 36, 20), "float16": (-6, 4, 11), "bfloat16": (-36, 36, 19)}


def measure(session: Session) -> tuple[Table, Table]:
    """Both curves in the session's main format, as the worst error of four rows in units in the last place of the largest component."""
    fmt = session.format
    noise = session.random(KEY).standard_normal((ROWS, width_of(session, WIDTH)))
    ratios, scales = ([10.0**k for k in np.linspace(*points[fmt])] for points in (SPREADS, SCALES))
    spread = [_errors(session, noise + ratio) for ratio in ratios]
    scale = [_errors(session, scale * (noise + 1)) for scale in scales]
    what = (
        f"The error of y in {fmt} at width {noise.shape[1]}, eps = {session.eps_for(EPS):g}, in units in the last place of the row's "
        "largest component"
    )
    return (
        _table("spread", "Error against mean over spread", f"{what}, {_ROWS[0]}. {LEGEND}", "mean/spread", ratios, spread),
        _table("scale", "Error against scale", f"{what}, {_ROWS[1]}. {LEGEND} {_OVERFLOW}", "scale", scales, scale),
    )


def _errors(session: Session, rows: Array) -> list[float]:
    """The errors of all implementations on the same rows, in the order of the columns; NaN where an answer is not finite."""
    with np.errstate(all="ignore"):
        call = make(session, rows, eps=EPS)
    flat = call.flat(call.x)
    weight, bias = (None if one is None else one.reshape(-1) for one in (call.weight, call.bias))
    exact = exact_layer_norm(flat, weight, bias, call.eps)
    known = np.abs(oracle.layer_norm(flat, weight, bias, call.eps, "float64")).max(axis=1, keepdims=True)
    form = FORMATS[session.format]
    ulp = Wide.of(1.0, np.maximum(np.frexp(known)[1].astype(np.int64) - form.precision, form.least))

    def worst(answer: Array) -> float:
        if not np.isfinite(answer.astype(np.float64)).all():
            return float("nan")
        with np.errstate(all="ignore"):  # an error may be beyond every float
            return float((difference(answer, exact) / ulp).at(np.array(0)).max())

    allowed = call.flat(tolerance.output(call, session.format))
    limit = (Wide.of(allowed.max(axis=1, keepdims=True)) / ulp).at(np.array(0)).max() if np.isfinite(allowed).all() else np.inf
    return [_yours(session, call, worst), *(worst(_ours(tier, flat, weight, bias, call.eps)) for tier in TIERS), float(limit)]


def _yours(session: Session, call: Call, worst: Callable[[Array], float]) -> float:
    try:
        answer = session.forward(call)
    except SubjectFailed:
        return float("nan")
    fmt = answer.dtype.name if answer.dtype.name in FORMATS else "float64"
    return worst(call.flat(answer.astype(number_type(fmt))))


def _ours(tier: str, x: Array, weight: Array | None, bias: Array | None, eps: float) -> Array:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer: Array = emitted(tier)(x, weight, bias, eps=eps)
    return answer


# ---------------------------------------------------------------- the data table


def _table(name: str, title: str, caption: str, across: str, places: Sequence[float], errors: Sequence[Sequence[float]]) -> Table:
    seen = [one for row in errors for one in row[:-1] if np.isfinite(one)]
    top = 10.0 ** np.ceil(np.log10(max([1e3, *seen]) * 1.01))
    rows = tuple((_text(place), *map(_text, row)) for place, row in zip(places, errors, strict=True))
    return Table(
        name=name,
        title=title,
        caption=caption,
        description=f"{title}, on logarithmic axes. {_described(across, places, errors)}",
        x=Axis(across, "", _text(places[0]), _text(places[-1]), _decades(places[0], places[-1], 8), log=True),
        y=Axis("error, ulps", "", _text(LEAST), _text(top), _decades(LEAST, top, 8), log=True),
        columns=COLUMNS,
        rows=rows,
    )


def _described(across: str, places: Sequence[float], errors: Sequence[Sequence[float]]) -> str:
    """The curves in words: where each begins and ends, its worst, and where it is not a number."""
    said = []
    for number, column in enumerate(COLUMNS[:-1]):
        values = [row[number] for row in errors]
        finite = [one for one in values if np.isfinite(one)]
        lost = [place for place, one in zip(places, values, strict=True) if not np.isfinite(one)]
        worst = f"at most {max(finite):.2g} ulps" if finite else "never a finite answer"
        missing = f", no finite answer at {across} {', '.join(f'{place:.0e}' for place in lost)}" if lost and finite else ""
        said.append(f"{column.text.capitalize()}: {worst}{missing}.")
    return " ".join(said)


def _decades(low: float, high: float, most: int) -> tuple[tuple[str, str], ...]:
    """Ticks at powers of ten, no more than so many."""
    first, last = round(np.log10(low)), round(np.log10(high))
    step = next(step for step in (1, 2, 3, 4, 5, 10, 20, 25, 50, 100) if (last - first) // step <= most)
    exponents = [k for k in range(first, last + 1) if k % step == 0]
    return tuple((_text(10.0**k), _power(k)) for k in exponents)


def _power(k: int) -> str:
    raised = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return {0: "1", 1: "10"}.get(k, "10" + str(k).translate(raised))


def _text(value: float) -> str:
    """A number of the table, to three digits; inf and nan by name."""
    return f"{value:.3g}"
