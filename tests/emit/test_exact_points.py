"""The exact points of the book through the emitted text of every tier, run as it stands on fractions and square roots."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from lnsym.emit.exactly import run_exactly
from lnsym.evaluate import Point, exact_value
from lnsym.kernel.terms import Index, Term
from lnsym.lang import Array, D, core, mean, vector
from lnsym.library import book
from tests.emit.modules import source
from tests.emit.test_points import NAMED, Spot, spots

TIERS = ("plain", "safe", "exact")
NAMED_SPOTS = [spot for spot in spots() if spot.ids & NAMED]
F = Fraction
SMALL = {"_exact_block_rows": 2, "_gradient_rows": 2, "_block_rows": 2}  # scratch arrays of exact numbers take time


def named(spot: Spot) -> str:
    """A point in the name of a test, the same in every process."""
    return f"z={','.join(map(str, spot.row))};eps={spot.eps}"


def run(tier: str, op: str, **arguments: Any) -> dict[str, Any]:
    """An operation of a tier on exact numbers."""
    return run_exactly(source(tier), op, arguments, SMALL)


def at(spot: Spot, expression: Array | Term, **vectors: tuple[Fraction, ...]) -> Any:
    """The value of an expression at a point, by the evaluator."""
    row = tuple(map(F, spot.row))
    point = Point({"d": len(row)}, {"z": row, **vectors}, {"eps": spot.eps})
    if isinstance(expression, Term):
        return exact_value(book().theory, point, expression)
    return tuple(exact_value(book().theory, point, expression[Index(str(n))]) for n in range(1, len(row) + 1))


def test_every_named_point_is_tried() -> None:
    assert {one for spot in NAMED_SPOTS for one in spot.ids} >= NAMED


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("spot", NAMED_SPOTS, ids=named)
def test_core_and_statistics(tier: str, spot: Spot) -> None:
    z = vector("z")
    found = run(tier, "layer_norm", x=[spot.row, spot.row], eps=spot.eps)
    assert found["y"] == (at(spot, core(z)),) * 2
    assert found["mean"] == (at(spot, mean(z)),) * 2
    assert run(tier, "normalize", x=[spot.row], eps=spot.eps)["u"] == (at(spot, core(z)),)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("spot", NAMED_SPOTS, ids=named)
def test_output_and_gradient(tier: str, spot: Spot) -> None:
    z = vector("z")
    d = len(spot.row)
    weight = tuple(F(n + 2, 3) for n in range(d))
    bias = tuple(F(1 - n, 2) for n in range(d))
    dy = tuple(F((-1) ** n * (n + 1)) for n in range(d))
    u = at(spot, core(z))
    found = run(tier, "layer_norm", x=[spot.row], weight=weight, bias=bias, eps=spot.eps)
    assert found["y"] == (tuple(w * x + b for w, x, b in zip(weight, u, bias, strict=True)),)
    g = tuple(w * y for w, y in zip(weight, dy, strict=True))
    gradients = run(tier, "layer_norm_vjp", dy=[dy], x=[spot.row], weight=weight, eps=spot.eps)
    assert gradients["dx"] == (tuple(sum((x * s for x, s in zip(g, column, strict=True)), F(0)) for column in slopes(spot)),)
    assert gradients["dweight"] == tuple(y * x for y, x in zip(dy, u, strict=True))
    assert gradients["dbias"] == dy


def slopes(spot: Spot) -> list[tuple[Any, ...]]:
    """For each entry of z the derivatives of all components of the core by it, by the evaluator's own differentiation."""
    z, d = vector("z"), len(spot.row)
    places = [Index(str(n)) for n in range(1, d + 1)]
    return [tuple(at(spot, D(core(z)[i], z[j])) for i in places) for j in places]


@pytest.mark.parametrize("tier", ["plain", "safe"])
@pytest.mark.parametrize("spot", NAMED_SPOTS, ids=named)
def test_derivative_and_matrix(tier: str, spot: Spot) -> None:
    by_entry = slopes(spot)
    rows = tuple(zip(*by_entry, strict=True))
    assert run(tier, "jacobian", x=[spot.row], eps=spot.eps)["jacobian"] == rows
    h = tuple(F(n * n - 1) for n in range(len(spot.row)))
    found = run(tier, "layer_norm_jvp", x=[spot.row], dx=[h], eps=spot.eps)
    assert found["dy"] == (tuple(sum((s * x for s, x in zip(row, h, strict=True)), F(0)) for row in rows),)


@pytest.mark.parametrize("tier", TIERS)
def test_merging_two_shards_is_the_statistics_of_both(tier: str) -> None:
    first, second = (F(1), F(2), F(4)), (F(3), F(-1), F(5, 2), F(7))

    def statistics(x: tuple[Fraction, ...]) -> tuple[Fraction, Fraction, Fraction]:
        middle = sum(x, F(0)) / len(x)
        return F(len(x)), middle, sum(((y - middle) ** 2 for y in x), F(0))

    given = dict(zip(("n", "mean", "m2", "n'", "mean'", "m2'"), (*statistics(first), *statistics(second)), strict=True))
    found = run(tier, "merge_stats", **given)
    assert (found["n"], found["mean"], found["m2"]) == statistics((*first, *second))


@pytest.mark.parametrize("tier", TIERS)
def test_sizes_do_not_change_exact_results(tier: str) -> None:
    x = [(1, 2, 3), (4, 4, 7), (0, 0, 1), (-5, 2, 9), (1, 1, 2)]
    whole = run(tier, "normalize", x=x, eps=F(1, 3))
    for rows in (1, 2, 3):
        sizes = {"_block_rows": rows, "_exact_block_rows": rows, "_panel_rows": 2 * rows, "_is_short": rows == 2, "_is_few": False}
        assert run_exactly(source(tier), "normalize", {"x": x, "eps": F(1, 3)}, sizes) == whole
