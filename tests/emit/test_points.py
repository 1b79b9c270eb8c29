"""The exact points of the book through the emitted source itself: in fractions and surds, and in floats against the oracle.

In exact arithmetic the plain tier's own text is run; where it says np, it gets a stand-in whose float64 are exact numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import cycle
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest

from lnsym import library, oracle
from lnsym.derivation import Example, claims_of
from lnsym.evaluate import Entries, Point, exact_value
from lnsym.kernel.terms import Index
from lnsym.lang import D, core, vector
from lnsym.oracle import measure
from lnsym.surd import Exact, Surd, exact_root, inverse
from tests.emit import families
from tests.emit.modules import emitted, source

THEORY = library.book().theory
Row = tuple[Fraction, ...]
# What the issue names; the other points of the book are tried as well.
NAMED = {"X01", "X02", "X03", "X04", "X05", "X06", "X07", "S09", "S15", "S16", "S17", "S18", "S26", "S27", "S43", "S44", "S48"}


@dataclass(frozen=True)
class Spot:
    """A row of the book with an eps, and the ids of the catalogue under which it stands."""

    row: Row
    eps: Fraction
    ids: frozenset[str]


@cache
def spots() -> tuple[Spot, ...]:
    """Every row at which the book evaluates something, with the eps given there, or 0 where none is and the row is not constant."""
    found: dict[tuple[Row, Fraction], set[str]] = {}
    for _, derivation in library.book().derivations.values():
        ids = {derivation.catalogue} if isinstance(derivation.catalogue, str) else set(derivation.catalogue)
        examples = [claim.at for claim in claims_of(derivation) if isinstance(claim, Example)]
        for at in (*derivation.points, *examples):
            eps = at.values.get("eps", Fraction(0))
            for name, value in at.values.items():
                if name in ("z", "z'", "X", "A", "x", "x'") and isinstance(value, tuple) and isinstance(eps, Fraction):
                    for row in rows_of(value):
                        if eps > 0 or len(set(row)) > 1:
                            found.setdefault((row, eps), set()).update(ids)
    return tuple(Spot(row, eps, frozenset(ids)) for (row, eps), ids in found.items())


def rows_of(value: Any) -> Iterator[Row]:
    """The row itself, or the rows of a matrix."""
    yield from value if isinstance(value[0], tuple) else (value,)


def test_every_point_that_the_issue_names_is_there() -> None:
    there = {one for spot in spots() for one in spot.ids}
    assert there >= NAMED
    assert len(spots()) > 20


# ---------------------------------------------------------------- exact numbers in place of floats


class Number:
    """An exact number: a fraction or a sum of square roots."""

    def __init__(self, value: Any) -> None:
        self.value: Exact = value if isinstance(value, Surd) else value.value if isinstance(value, Number) else Fraction(value)

    def __add__(self, other: Any) -> Number:
        return Number(self.value + Number(other).value)

    def __neg__(self) -> Number:
        return Number(-self.value)

    def __sub__(self, other: Any) -> Number:
        return self + -Number(other)

    def __rsub__(self, other: Any) -> Number:
        return Number(other) - self

    def __mul__(self, other: Any) -> Number:
        return Number(self.value * Number(other).value)

    def __truediv__(self, other: Any) -> Number:
        return Number(self.value * cast("Exact", inverse(Number(other).value)))

    def __rtruediv__(self, other: Any) -> Number:
        return Number(other) / self

    def __pow__(self, exponent: int) -> Number:
        assert exponent == 2
        return self * self

    def __eq__(self, other: object) -> bool:
        return Number(self.value + -Number(other).value).value == 0

    def __ge__(self, other: Any) -> bool:
        return True  # asked only of counts and sums of squares, which are not negative here

    def __lt__(self, other: Any) -> bool:
        return False

    def __hash__(self) -> int:
        return hash(str(self.value))

    __radd__, __rmul__ = __add__, __mul__

    def __repr__(self) -> str:
        return str(self.value)


def numbers(values: Any) -> Any:
    """An array of exact numbers."""
    found = np.vectorize(Number, otypes=[object])(np.array(values, dtype=object))
    return found if found.ndim else found.reshape(())


class StandIn(ModuleType):
    """NumPy, with exact numbers for float64."""

    float64 = object
    sqrt = staticmethod(np.vectorize(lambda x: Number(exact_root(Number(x).value)), otypes=[object]))
    isfinite = staticmethod(lambda x: np.ones(np.shape(x), bool))
    full_like = staticmethod(lambda x, value: numbers(np.full(np.shape(x), int(value), object)))
    eye = staticmethod(lambda n: numbers(np.eye(n, dtype=int).astype(object)))

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


@cache
def exact_module() -> Any:
    """The plain tier's text, run with exact numbers; what needs a float (the check of eps, the warning) is left out."""
    module = ModuleType("exact_plain")
    text = source("plain").replace("\nimport numpy as np\n", "\n")
    module.__dict__["np"] = StandIn("numpy")
    exec(compile(text, "<exact plain>", "exec"), module.__dict__)
    vars(module).update(_checked_eps=lambda eps: eps, _warn_where_void=lambda *_: None)
    return module


WEIGHT = (Fraction(1, 2), Fraction(-2), Fraction(3))
BIAS = (Fraction(5), Fraction(1, 7), Fraction(-1))
GRADIENT = (Fraction(2), Fraction(0), Fraction(9, 4), Fraction(-1))
DIRECTION = (Fraction(-1), Fraction(3), Fraction(1, 2))


def cut(values: Row, row: Row) -> Row:
    return tuple(value for value, _ in zip(cycle(values), row, strict=False))


def defined(spot: Spot) -> tuple[Any, Any]:
    """The core of a row and its Jacobian by their definitions, from the evaluator of the refuter: no formula of the plan is used."""
    z, size = vector("z"), len(spot.row)
    point = Point({"d": size}, {"z": cast("Entries", spot.row)}, {"eps": spot.eps})
    at = [Index(str(n + 1)) for n in range(size)]
    u = numbers([exact_value(THEORY, point, core(z)[i]) for i in at])
    jacobian = numbers([[exact_value(THEORY, point, D(core(z)[i], z[j])) for j in at] for i in at])
    return u, jacobian


@pytest.mark.parametrize("spot", spots(), ids=lambda spot: f"{'_'.join(sorted(spot.ids))}-{','.join(map(str, spot.row))}-{spot.eps}")
def test_the_emitted_text_is_exact_in_exact_arithmetic(spot: Spot) -> None:
    module, (u, jacobian) = exact_module(), defined(spot)
    x, eps = numbers([spot.row]), Number(spot.eps)
    weight, bias, dy, h = (numbers(cut(values, spot.row)) for values in (WEIGHT, BIAS, GRADIENT, DIRECTION))
    assert equal(module.normalize(x, eps), [u])
    y, mean, rstd = module.layer_norm(x, weight, bias, eps, return_stats=True)
    assert equal(y, [weight * u + bias])
    assert equal(mean, [Number(sum(spot.row)) / len(spot.row)])
    assert equal(rstd * rstd * (variance(spot.row) + spot.eps), [1])
    assert equal(module.jacobian(x[0], eps), jacobian)
    assert equal(module.layer_norm_jvp(x, h[None], weight, eps), [weight * (jacobian @ h)])
    dx, dweight, dbias = module.layer_norm_vjp(dy[None], x, weight, eps)
    assert equal(dx, [jacobian.T @ (weight * dy)])
    assert equal(dweight, dy * u)
    assert equal(dbias, dy)
    ddy, _, second = module.layer_norm_vjp_vjp(h[None], bias, weight, dy[None], x, weight, eps)
    assert equal(ddy, [weight * (jacobian @ h) + bias * u + weight])
    assert equal(second, dy * (jacobian @ h))


def equal(found: Any, expected: Any) -> bool:
    wanted = numbers(expected)
    return found.shape == wanted.shape and bool((found == wanted).all())


def variance(row: Row) -> Fraction:
    mean = sum(row) / len(row)
    return Fraction(sum((x - mean) ** 2 for x in row)) / len(row)


def test_shards_merge_exactly() -> None:
    """X07, S48: {2, 6} and {-100, 100}."""
    first, second = (numbers(2), numbers(4), numbers(8)), (numbers(2), numbers(0), numbers(20000))
    assert [equal(one, value) for one, value in zip(exact_module().merge_stats(first, second), (4, 2, 20024), strict=True)] == [True] * 3


# ---------------------------------------------------------------- the same points in floats


@pytest.mark.parametrize("form", families.FORMATS)
def test_points_in_floats(form: Any) -> None:
    """Exact tier: the oracle's bits. Safe tier: within its bound."""
    for spot in spots():
        x = families.in_format(np.array([spot.row], np.float64), form)
        eps = float(spot.eps)
        if eps == 0.0 and len(set(x[0].tolist())) == 1:
            continue
        weight, dy = (families.in_format(np.array(cut(values, spot.row), np.float64), form) for values in (WEIGHT, GRADIENT))
        assert emitted("exact").normalize(x, eps).tobytes() == oracle.normalize(x, eps).tobytes()
        assert emitted("exact").layer_norm(x, weight, eps=eps).tobytes() == oracle.layer_norm(x, weight, eps=eps).tobytes()
        dx = oracle.vjp(dy[None], x, weight, eps)
        assert emitted("exact").layer_norm_vjp(dy[None], x, weight, eps)[0].tobytes() == dx.tobytes()
        assert measure.safe_constant(emitted("safe").normalize(x, eps), x, eps=eps).max() < 16
        assert measure.vjp_constant(emitted("safe").layer_norm_vjp(dy[None], x, weight, eps)[0], dy[None], x, weight, eps).max() < 16
