"""Test vectors for emitted code: exact points of the book and hard rows, with the oracle's answers. Imports the library and the oracle.

A vector is a call with its answers: the correctly rounded values, and how far from them the tier's code may be.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import cycle, islice
from typing import Any

from lnsym import library
from lnsym.derivation import Derivation, Example, claims_of
from lnsym.oracle import scalar
from lnsym.oracle.scalar import Value

Row = tuple[float, ...]
Numbers = tuple[Fraction, ...]
Shard = tuple[float, float, float]
PRECISION = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
LEAST = {"float64": 2.0**-1074, "float32": 2.0**-149, "float16": 2.0**-24, "bfloat16": 2.0**-133}
# How many units 2^-p times the size of the terms an answer may be off. Where a tier computes wider than the format it rounds once.
FACTOR = {"exact": 0.0, "safe": 16.0, "plain": 128.0}
WIDER = {"safe": ("float16", "bfloat16"), "plain": ("float32", "float16", "bfloat16")}
SUMMED = 2.0  # the same for sums over rows in the exact tier, which are not correctly rounded

# Rows at which some step of a careless computation fails: cancellation, overflow, underflow, constant rows, one entry.
HARD: dict[str, tuple[tuple[Row, float], ...]] = {
    "float64": (
        ((2.0**27, 2.0**27 + 1), 1e-5),
        ((1e8, 1e8, 1e8 + 2.0**-26), 1e-12),
        ((1e154, -3e154, 2e154), 1e-5),
        ((1.7e308, -1.7e308, 1.7e308, 1e300), 1e-300),
        ((5e-324, 0.0, 1.5e-323), 5e-324),
        ((1e-300, 1.0, 1e300), 1e-5),
        ((0.1, 0.1, 0.1), 5e-324),
        ((7.0,), 1e-5),
    ),
    "float32": (
        ((1999.5, 2000.25, 2000.75, 2001.5), 1e-5),
        ((2.0**24, 2.0**24 + 2, 2.0**24), 1e-12),
        ((3.0e38, -3.0e38, 3.0e38), 1e-300),
        ((1e-45, 0.0, 3e-45), 1e-300),
        ((37.137, 37.137, 37.137, 37.137), 1e-5),
    ),
    "float16": (((60000.0, 60000.0, 60000.0, 60000.0), 1e-12), ((65504.0, -65504.0, 1.0), 1e-5)),
    "bfloat16": (((3e38, -3e38, 1.0), 1e-5),),
}

# How many exact points and hard rows an operation gets in each format.
COUNTS = {
    "normalize": {"float64": (99, 99), "float32": (3, 99), "float16": (2, 99), "bfloat16": (2, 99)},
    "layer_norm": {"float64": (2, 3), "float32": (1, 2), "float16": (1, 1), "bfloat16": (1, 1)},
}
OTHERS = {"float64": (2, 2), "float32": (1, 1), "float16": (1, 0)}


@dataclass(frozen=True)
class Vector:
    """A call in one format; each answer with the error allowed."""

    function: str
    form: str
    arguments: dict[str, Any]
    answers: tuple[tuple[Any, float], ...]


@cache
def points() -> tuple[tuple[Row, float], ...]:
    """The exact points of the book's test bench: rows of small integers, each with its eps as the nearest float."""
    found: dict[tuple[Row, float], None] = {}
    for chapter, derivation in library.book().derivations.values():
        if chapter.name == "bench" and isinstance(derivation, Derivation):
            examples = [claim.at for claim in claims_of(derivation) if isinstance(claim, Example)]
            for point in (*derivation.points, *examples):
                row, eps = point.values.get("z"), point.values.get("eps")
                if isinstance(row, tuple) and isinstance(eps, Fraction) and eps > 0 and 1 < len(row) <= 5:
                    found[tuple(float(x) for x in row if isinstance(x, Fraction)), float(eps)] = None
    return tuple(found)


def vectors(ops: Sequence[str], tier: str) -> Iterator[Vector]:
    """The vectors of the operations; the plain tier gets no hard rows, for which its bound is void."""
    for op in ops:
        if op == "merge_stats":
            yield from _merges(tier)
        elif op in _ANSWERS:
            for form, (exact, hard) in COUNTS.get(op, OTHERS).items():
                for row, eps in (*points()[:exact], *(() if tier == "plain" else HARD[form][:hard])):
                    vector = _vector(op, form, row, eps, tier)
                    if all(_is_finite(value) for value, _ in vector.answers):
                        yield vector


def _vector(op: str, form: str, row: Row, eps: float, tier: str) -> Vector:
    arguments, answers = _ANSWERS[op](_rounded(row, form), Fraction(eps), form)
    own = tuple((answer.value, _allowed(answer, tier)) for answer in answers)
    return Vector(op, form, {**arguments, "eps": eps}, own)


def _allowed(answer: Answer, tier: str) -> float:
    """How far from the answer code of the tier may be, rounded up to two digits."""
    factor = 1.0 if answer.form in WIDER.get(tier, ()) else FACTOR[tier]
    factor = max(factor, SUMMED) if answer.summed else factor
    exact = factor * (2.0 ** -PRECISION[answer.form] * answer.size + LEAST[answer.form])
    return float(f"{1.05 * exact:.1e}")


def _is_finite(value: Any) -> bool:
    return all(map(_is_finite, value)) if isinstance(value, tuple) else math.isfinite(value)


# ---------------------------------------------------------------- answers


@dataclass(frozen=True)
class Answer:
    """A correctly rounded value, its format, the size of the terms that its error is measured by, and whether rows were summed."""

    value: Any
    form: str
    size: float
    summed: bool = False


Called = tuple[dict[str, Any], list[Answer]]


def _rounded(row: Sequence[float], form: str) -> Numbers:
    """The row in a format."""
    return tuple(Fraction(scalar.round_rational(Fraction(x), form)) for x in row)


def _pattern(values: Sequence[float], like: Numbers) -> Numbers:
    """The values again and again, as many as a row has."""
    return tuple(map(Fraction, islice(cycle(values), len(like))))


def _floats(row: Sequence[Fraction]) -> Row:
    return tuple(map(float, row))


def _answer(values: Sequence[Value], form: str) -> Row:
    """Correctly rounded values."""
    return tuple(value.rounded(form) for value in values)


@dataclass(frozen=True)
class _Sizes:
    """The sizes that the bounds speak of, of one row: |u| + sqrt(rho), and 1/s."""

    core: float
    rstd: float

    def along(self, c: Sequence[Fraction]) -> float:
        """|c| + (1 + |u|) rms(c), over s, where c is centred."""
        centred = _floats(scalar.centred(c))
        return (max(map(abs, centred)) + (1 + self.core) * math.hypot(*centred) / math.sqrt(len(centred))) * self.rstd


def _sizes(x: Numbers, eps: Fraction) -> _Sizes:
    u = _answer(scalar.core(x, eps), "float64")
    return _Sizes(max(map(abs, u)) + math.hypot(*u) / math.sqrt(len(u)), scalar.rstd(x, eps).rounded("float64"))


WEIGHT, BIAS, GRADIENT, DIRECTION = (0.5, 2.0, -1.0), (0.25, -1.0, 3.0), (1.0, -2.0, 0.5, 4.0), (3.0, 1.0, -1.0)


def _normalize(x: Numbers, eps: Fraction, form: str) -> Called:
    return {"x": (_floats(x),)}, [Answer((_answer(scalar.core(x, eps), form),), form, _sizes(x, eps).core)]


def _layer_norm(x: Numbers, eps: Fraction, form: str) -> Called:
    weight, bias, sizes = _pattern(WEIGHT, x), _pattern(BIAS, x), _sizes(x, eps)
    wide = "float32" if PRECISION[form] < 24 else form
    answers = [
        Answer((_answer(scalar.output(x, weight, bias, eps), form),), form, 2 * sizes.core + 3),
        Answer((scalar.round_rational(scalar.mean_of(x), wide),), wide, max(map(abs, _floats(x)))),
        Answer((scalar.rstd(x, eps).rounded(wide),), wide, sizes.rstd),
    ]
    return {"x": (_floats(x),), "weight": _floats(weight), "bias": _floats(bias), "return_stats": True}, answers


def _jvp(x: Numbers, eps: Fraction, form: str) -> Called:
    weight, dx = _pattern(WEIGHT, x), _pattern(DIRECTION, x)
    answer = Answer((_answer(scalar.jvp(x, dx, weight, eps), form),), form, 2 * _sizes(x, eps).along(dx))
    return {"x": (_floats(x),), "dx": (_floats(dx),), "weight": _floats(weight)}, [answer]


def _vjp(x: Numbers, eps: Fraction, form: str) -> Called:
    weight, dy, sizes = _pattern(WEIGHT, x), _pattern(GRADIENT, x), _sizes(x, eps)
    answers = [
        Answer((_answer(scalar.vjp(dy, x, weight, eps), form),), form, sizes.along(_product(weight, dy))),
        Answer(_answer(scalar.dweight(dy, x, eps), form), form, 4 * sizes.core, summed=True),
        Answer(_floats(dy), form, 4.0, summed=True),
    ]
    return {"dy": (_floats(dy),), "x": (_floats(x),), "weight": _floats(weight)}, answers


def _vjp_vjp(x: Numbers, eps: Fraction, form: str) -> Called:
    weight, dy, ddx, sizes = _pattern(WEIGHT, x), _pattern(GRADIENT, x), _pattern(DIRECTION, x), _sizes(x, eps)
    ddweight, ddbias = _pattern(BIAS, x), _pattern(GRADIENT, x)
    along, turned = sizes.along(ddx), sizes.along(_product(weight, dy))
    ddy = _answer(scalar.vjp_vjp_dy(ddx, ddweight, ddbias, x, weight, eps), form)
    dx = _answer(scalar.vjp_vjp_x(ddx, ddweight, dy, x, weight, eps), form)
    answers = [
        Answer((ddy,), form, 2 * along + 3 * sizes.core + 4),
        Answer((dx,), form, 8 * along * turned * (1 + sizes.core) + 12 * sizes.along(dy)),
        Answer(_answer(scalar.vjp_vjp_weight(ddx, dy, x, eps), form), form, 4 * along),
    ]
    whole = {"ddx": ddx, "ddweight": ddweight, "ddbias": ddbias, "dy": dy, "x": x, "weight": weight}
    return {name: _floats(row) if "weight" in name or "bias" in name else (_floats(row),) for name, row in whole.items()}, answers


def _jacobian(x: Numbers, eps: Fraction, form: str) -> Called:
    sizes = _sizes(x, eps)
    rows = tuple(_answer(row, form) for row in scalar.jacobian(x, eps))
    return {"x": _floats(x)}, [Answer(rows, form, sizes.rstd * (1 + sizes.core**2))]


def _product(left: Numbers, right: Numbers) -> Numbers:
    return tuple(a * b for a, b in zip(left, right, strict=True))


_ANSWERS: dict[str, Callable[[Numbers, Fraction, str], Called]] = {
    "normalize": _normalize,
    "layer_norm": _layer_norm,
    "layer_norm_jvp": _jvp,
    "layer_norm_vjp": _vjp,
    "layer_norm_vjp_vjp": _vjp_vjp,
    "jacobian": _jacobian,
}

SHARDS: tuple[tuple[Shard, Shard], ...] = (
    ((2.0, 4.0, 8.0), (2.0, 0.0, 20000.0)),
    ((3.0, 0.1, 0.0), (5.0, 0.7, 1.5)),
    ((0.0, 9.0, 0.0), (3.0, 2.0, 6.0)),
)


def _merges(tier: str) -> Iterator[Vector]:
    for first, second in SHARDS:
        union = scalar.merge_stats(first, second)
        sizes = (float(union[0]), max(abs(first[1]), abs(second[1])), float(union[2]))
        answers = (Answer(scalar.round_rational(value, "float64"), "float64", size) for value, size in zip(union, sizes, strict=True))
        own = tuple((answer.value, _allowed(answer, tier)) for answer in answers)
        yield Vector("merge_stats", "float64", {"first": first, "second": second}, own)


# ---------------------------------------------------------------- as Python text

WIDTH = 120


def written(found: Sequence[Vector]) -> str:
    """The table of vectors as Python source."""
    rows = [f"    {_value((_Name(one.function), one.form, one.arguments, one.answers), 4)},\n" for one in found]
    return "(\n" + "".join(rows) + ")" if rows else "()"


class _Name(str):
    """A text that is printed without quotes."""

    __slots__ = ()


def _value(value: Any, indent: int) -> str:
    """A value as Python source, on one line if it fits."""
    line = _line(value)
    if len(line) + indent <= WIDTH or not isinstance(value, (tuple, dict)):
        return line
    space = " " * (indent + 4)
    opening, closing = "{}" if isinstance(value, dict) else "()"
    if isinstance(value, dict):
        parts = [f'"{key}": {_value(one, indent + 4)}' for key, one in value.items()]
    else:
        parts = [_value(one, indent + 4) for one in value]
    lines = [""]
    for part in parts:  # as many on a line as fit
        if lines[-1] and len(lines[-1]) + len(part) + indent > WIDTH:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{part},"
    return f"{opening}\n" + "".join(f"{space}{line}\n" for line in lines) + " " * indent + closing


def _line(value: Any) -> str:
    match value:
        case _Name():
            return str(value)
        case str():
            return f'"{value}"'
        case tuple():
            return f"({', '.join(map(_line, value))}{',' if len(value) == 1 else ''})"
        case dict():
            return "{" + ", ".join(f'"{key}": {_line(one)}' for key, one in value.items()) + "}"
    return repr(value)
