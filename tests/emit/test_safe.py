"""The safe tier keeps its bound: the constant k that each operation needs, over all families of inputs and at random.

`python tests/emit/test_safe.py` prints the worst k of each family and operation as a table.
"""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lnsym import oracle
from lnsym.oracle import measure
from tests.emit import envelopes, families
from tests.emit.modules import emitted

Array = NDArray[Any]
SAFE = emitted("safe")
PROMISED = 16.0
FULL = os.environ.get("FULL") == "1"
EPS = (*families.EPS, 5e-324, 1e300)
DIMS = (1, 2, 3, 7, 63, 64, 65, 100, 768, 1025, 4096)
ROWS = {1: 4, 2: 16, 3: 16, 7: 16, 63: 4, 64: 4, 65: 4, 100: 3, 768: 2, 1025: 2, 4096: 1}


@pytest.fixture(autouse=True)
def _as_called() -> Iterator[None]:
    """The public functions call those of rows with NumPy's warnings off."""
    with np.errstate(all="ignore"):
        yield


# ---------------------------------------------------------------- the operations on rows


def layer_norm(x: Array, weight: Array | None, bias: Array | None, eps: float) -> tuple[Array, Array, Array]:
    """The output, mean and rstd."""
    out = np.full(x.shape, 7, SAFE._result_format(x, weight, bias))
    return out, *SAFE._layer_norm_rows(x, weight, bias, eps, out)


def jvp(x: Array, h: Array, weight: Array | None, eps: float) -> Array:
    """weight * J h."""
    out = np.full(x.shape, 7, SAFE._result_format(x, h, weight))
    SAFE._jvp_rows(x, h, weight, eps, out)
    return out


def vjp(dy: Array, x: Array, weight: Array | None, eps: float) -> tuple[Array, Array, Array]:
    """The gradients of x, weight and bias."""
    form = SAFE._result_format(dy, x, weight)
    dx, dweight, dbias = np.full(x.shape, 7, form), np.full(x.shape[1], 7, form), np.full(x.shape[1], 7, form)
    SAFE._vjp_rows(dy, x, weight, eps, dx, dweight, dbias)
    return dx, dweight, dbias


def vjp_vjp(
    ddx: Array | None, ddweight: Array | None, ddbias: Array | None, dy: Array, x: Array, weight: Array | None, eps: float
) -> tuple[Array, Array, Array]:
    """The cotangents of dy, x and weight."""
    form = SAFE._result_format(ddx, ddweight, ddbias, dy, x, weight)
    ddy, dx, dweight = np.full(x.shape, 7, form), np.full(x.shape, 7, form), np.full(x.shape[1], 7, form)
    SAFE._vjp_vjp_rows(ddx, ddweight, ddbias, dy, x, weight, eps, ddy, dx, dweight)
    return ddy, dx, dweight


def jacobian(x: Array, eps: float) -> Array:
    """The matrix J of one row."""
    out = np.full((x.shape[1], x.shape[1]), 7, x.dtype)
    SAFE._jacobian_rows(x, eps, out)
    return out


# ---------------------------------------------------------------- what is measured


def inputs(fmt: str, name: str, dims: tuple[int, ...] = DIMS) -> Iterator[tuple[Array, float]]:
    """Rows of a family with every eps; with one eps for each length where time counts, another in the next family."""
    start = families.names(fmt).index(name)
    for number, d in enumerate(dims):
        x = families.rows(fmt, name, d, ROWS[d])
        for eps in EPS if FULL else EPS[(start + number) % len(EPS) :][:1]:
            yield x, eps


def worst_of_core(fmt: str, name: str) -> float:
    """The largest k of the core."""
    return max(float(measure.safe_constant(layer_norm(x, None, None, eps)[0], x, None, None, eps).max()) for x, eps in inputs(fmt, name))


def worst_of_output(fmt: str, name: str) -> float:
    """The largest k of weight * u + bias."""
    worst = 0.0
    for number, (x, eps) in enumerate(inputs(fmt, name)):
        weight = families.weight(fmt, families.WEIGHTS[number % len(families.WEIGHTS)], x.shape[1])
        kind = families.BIASES[number // 2 % len(families.BIASES)]
        y = oracle.layer_norm(x[:1], weight, None, eps)[0] if kind == "cancelling" else None
        bias = families.bias(fmt, kind, x.shape[1], y)
        worst = max(worst, float(measure.safe_constant(layer_norm(x, weight, bias, eps)[0], x, weight, bias, eps).max()))
    return worst


def cotangents(fmt: str, name: str) -> Iterator[tuple[Array, Array, Array | None, float]]:
    """Rows of a family, cotangents or directions for them, a weight or none, and eps."""
    for number, (x, eps) in enumerate(inputs(fmt, name)):
        kind = families.COTANGENTS[number % len(families.COTANGENTS)]
        y = oracle.normalize(x, eps) if kind == "output" else None
        which = number // 2 % (len(families.WEIGHTS) + 1)
        weight = families.weight(fmt, families.WEIGHTS[which], x.shape[1]) if which < len(families.WEIGHTS) else None
        yield x, families.cotangent(fmt, kind, x, y), weight, eps


def worst_of_vjp(fmt: str, name: str) -> float:
    """The largest k of dx."""
    return max(float(measure.vjp_constant(vjp(dy, x, w, eps)[0], dy, x, w, eps).max()) for x, dy, w, eps in cotangents(fmt, name))


def worst_of_jvp(fmt: str, name: str) -> float:
    """The largest k of the derivative along a direction."""
    return max(float(measure.jvp_constant(jvp(x, h, w, eps), x, h, w, eps).max()) for x, h, w, eps in cotangents(fmt, name))


def worst_of_sums(fmt: str, name: str) -> float:
    """The largest k of dweight and dbias."""
    worst = 0.0
    for x, dy, w, eps in cotangents(fmt, name):
        _, *got = vjp(dy, x, w, eps)
        want = oracle.dweight(dy, x, eps, "float64"), oracle.dbias(dy, "float64")
        for one, other, envelope in zip(got, want, envelopes.vjp_sums(dy, x, eps), strict=True):
            worst = max(worst, envelopes.constant(one, other, envelope, floor=len(x)))
    return worst


def worst_of_vjp_vjp(fmt: str, name: str) -> float:
    """The largest k of the double backward pass, with each subset of its cotangents in turn."""
    worst = 0.0
    for number, (x, dy, w, eps) in enumerate(cotangents(fmt, name)):
        if x.shape[1] > 65:
            continue
        x, dy, d = x[:3], dy[:3], x.shape[1]
        ddx = None if number % 7 == 1 else families.cotangent(fmt, ("wide", "normal", "ones")[number % 3], x)[::-1]
        ddweight = None if number % 5 == 2 else families.weight(fmt, ("wide", "normal", "zeros")[number % 3], d)
        ddbias = None if number % 3 == 1 else families.bias(fmt, ("normal", "wide")[number % 2], d)
        got = vjp_vjp(ddx, ddweight, ddbias, dy, x, w, eps)
        want = oracle.vjp_vjp(ddx, ddweight, ddbias, dy, x, w, eps, "float64")
        for one, other, envelope in zip(got, want, envelopes.vjp_vjp(ddx, ddweight, ddbias, dy, x, w, eps), strict=True):
            worst = max(worst, envelopes.constant(one, other, envelope, floor=len(x)))
    return worst


def worst_of_jacobian(fmt: str, name: str) -> float:
    """The largest k of the Jacobian matrix."""
    rows = ((x[:1], eps) for x, eps in inputs(fmt, name, (1, 2, 3, 7, 65)))
    return max(envelopes.constant(jacobian(x, eps), oracle.jacobian(x, eps, "float64"), envelopes.jacobian(x, eps)) for x, eps in rows)


MEASURES: dict[str, Callable[[str, str], float]] = {
    "u": worst_of_core,
    "y": worst_of_output,
    "dx": worst_of_vjp,
    "jvp": worst_of_jvp,
    "dweight, dbias": worst_of_sums,
    "double backward": worst_of_vjp_vjp,
    "Jacobian": worst_of_jacobian,
}
CASES = [(fmt, name) for fmt in families.FORMATS for name in families.names(fmt)]


@pytest.mark.parametrize("operation", MEASURES)
@pytest.mark.parametrize(("fmt", "name"), CASES)
def test_error_constant(fmt: str, name: str, operation: str) -> None:
    """No component of any family needs more than the promised k."""
    assert MEASURES[operation](fmt, name) <= PROMISED


@pytest.mark.parametrize("fmt", families.FORMATS)
def test_error_constant_at_random(fmt: str) -> None:
    """Nor does any component of random rows, weights and cotangents."""
    r = np.random.default_rng(11)
    for _ in range(400 if FULL else 40):
        d, eps = int(r.choice([1, 2, 3, 5, 8, 16, 33, 63, 64, 96, 130, 300, 600])), families.fuzz_eps(r)
        x, h = families.fuzz_rows(r, fmt, 4, d), families.fuzz_rows(r, fmt, 4, d)
        weight, bias = (families.fuzz_rows(r, fmt, 1, d)[0] if r.random() < 0.7 else None for _ in range(2))
        assert measure.safe_constant(layer_norm(x, weight, bias, eps)[0], x, weight, bias, eps).max() <= PROMISED
        assert measure.vjp_constant(vjp(h, x, weight, eps)[0], h, x, weight, eps).max() <= PROMISED
        assert measure.jvp_constant(jvp(x, h, weight, eps), x, h, weight, eps).max() <= PROMISED


@pytest.mark.parametrize(("d", "period"), [(2, 2), (31, 5), (31, 10), (200, 3)])
def test_jacobian_whose_entries_are_subnormal(d: int, period: int) -> None:
    """1/sqrt(variance + eps) of the largest rows is subnormal: what it loses then must not be multiplied by u_i u_j."""
    x = (np.where(np.arange(d) % period, 1.75, -1.75) * 2.0**1023)[None]
    assert envelopes.constant(jacobian(x, 1e-5), oracle.jacobian(x, 1e-5, "float64"), envelopes.jacobian(x, 1e-5)) <= PROMISED


@pytest.mark.parametrize(("fmt", "name"), CASES)
def test_statistics(fmt: str, name: str) -> None:
    """Mean and rstd come in float32 or better, and are as near as the arithmetic allows."""
    for x, eps in inputs(fmt, name):
        _, mean, rstd = layer_norm(x, None, None, eps)
        assert mean.dtype == rstd.dtype == (np.float64 if fmt == "float64" else np.float32)
        size = np.abs(x.astype(np.float64).astype(np.longdouble)).mean(axis=1)
        assert envelopes.constant(mean, oracle.mean(x, "float64"), size) <= PROMISED
        exact = oracle.rstd(x, eps, "float64")
        assert envelopes.constant(rstd, exact, exact.astype(np.longdouble)) <= PROMISED


# ---------------------------------------------------------------- what the bound does not say


@pytest.mark.parametrize("fmt", families.FORMATS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("d", [1, 3, 64, 700])
def test_a_row_that_is_not_finite_spoils_itself_only(fmt: str, bad: float, d: int) -> None:
    """NaN or infinity in an entry makes its row NaN, and no other row changes."""
    x, h = (families.rows(fmt, name, d, 6) for name in ("normal", "few ulps"))
    weight = families.weight(fmt, "normal", d)
    spoiled = x.copy()
    spoiled[4, d // 2] = bad
    others = np.arange(6) != 4
    for before, after in (
        (layer_norm(x, weight, weight, 1e-5)[0], layer_norm(spoiled, weight, weight, 1e-5)[0]),
        (jvp(x, h, weight, 1e-5), jvp(spoiled, h, weight, 1e-5)),
        (jvp(h, x, weight, 1e-5), jvp(h, spoiled, weight, 1e-5)),
        (vjp(h, x, weight, 1e-5)[0], vjp(h, spoiled, weight, 1e-5)[0]),
        (vjp(x, h, weight, 1e-5)[0], vjp(spoiled, h, weight, 1e-5)[0]),
        (vjp_vjp(h, weight, weight, h, x, weight, 1e-5)[0], vjp_vjp(h, weight, weight, h, spoiled, weight, 1e-5)[0]),
        (vjp_vjp(x, weight, weight, h, h, weight, 1e-5)[1], vjp_vjp(spoiled, weight, weight, h, h, weight, 1e-5)[1]),
    ):
        assert np.isnan(after[4].astype(np.float64)).all()
        assert np.isfinite(after[others].astype(np.float64)).all()
        assert np.allclose(before[others].astype(np.float64), after[others].astype(np.float64), rtol=0.02, atol=0.02)
    assert np.isnan(vjp(h, spoiled, weight, 1e-5)[1].astype(np.float64)).all()


@pytest.mark.parametrize("eps", [1e-5, 1e-300])
def test_mixed_formats(eps: float) -> None:
    """Rows in half precision with a float32 weight give the float32 answer; float64 anywhere gives the float64 answer."""
    for fmt, other in (("float16", "float32"), ("bfloat16", "float32"), ("float16", "bfloat16"), ("float32", "float64")):
        x, dy = families.rows(fmt, "normal", 100, 5), families.rows(other, "normal", 100, 5)
        weight, bias = families.weight(other, "normal", 100), families.bias(fmt, "normal", 100)
        y = layer_norm(x, weight, bias, eps)[0]
        assert y.dtype == (np.float64 if other == "float64" else np.float32)
        assert measure.safe_constant(y, x, weight, bias, eps).max() <= PROMISED
        for w in (weight, None):
            dx = vjp(dy, x, w, eps)[0]
            assert dx.dtype == y.dtype
            assert measure.vjp_constant(dx, dy, x, w, eps).max() <= PROMISED


@pytest.mark.parametrize("fmt", families.FORMATS)
def test_sums_over_rows_whose_parts_overflow(fmt: str) -> None:
    """The largest numbers of opposite sign cancel in dbias and dweight, wherever in the sum they stand."""
    large = float(families.in_format(np.array([np.inf]), fmt)[0])
    for order in ([1, 1, -1, -1, 0.5], [1, 1, 1, -1, -1], [-1, -1, 0.25, 1, 1]):
        dy = families.in_format(np.array(order)[:, None] * np.array([large, 1.0, large]), fmt)
        x = families.in_format(np.tile([1.0, 2.0, 4.0], (5, 1)), fmt)
        _, dweight, dbias = vjp(dy, x, None, 1e-5)
        sums = envelopes.vjp_sums(dy, x, 1e-5)
        assert np.isfinite(dbias.astype(np.float64)).all()
        assert envelopes.constant(dbias, oracle.dbias(dy, "float64"), sums[1]) <= PROMISED
        assert envelopes.constant(dweight, oracle.dweight(dy, x, 1e-5, "float64"), sums[0]) <= PROMISED
        ddx = families.in_format(np.tile([1.0, 5.0, 4.0], (5, 1)), fmt)
        dweight = vjp_vjp(ddx, None, None, dy, x, None, 1e-5)[2]
        want = oracle.vjp_vjp(ddx, None, None, dy, x, None, 1e-5, "float64")[2]
        assert envelopes.constant(dweight, want, envelopes.vjp_vjp(ddx, None, None, dy, x, None, 1e-5)[2]) <= PROMISED


@pytest.mark.parametrize("fmt", families.FORMATS)
def test_a_product_may_overflow_that_the_bias_brings_back(fmt: str) -> None:
    """weight * u beyond the largest number, with a bias of the opposite sign."""
    large = float(families.in_format(np.array([np.inf]), fmt)[0])
    x = families.in_format(np.array([[-1.0, -1.0, 5.0, -1.0], [5.0, -1.0, -1.0, -1.0]]), fmt)
    weight, bias = families.in_format(np.full(4, large), fmt), families.in_format(np.array([large, large, -large, large]), fmt)
    y = layer_norm(x, weight, bias, 1e-5)[0]
    assert np.isfinite(y[0].astype(np.float64)).all()
    assert measure.safe_constant(y, x, weight, bias, 1e-5).max() <= PROMISED


@pytest.mark.parametrize("fmt", ["float64", "float32"])
@pytest.mark.parametrize("d", [5, 300])
def test_products_that_vanish(fmt: str, d: int) -> None:
    """weight * dy below the least number, which 1/sqrt(eps) brings back; rows and weights of zeros stay zero."""
    least = oracle.FORMATS[fmt].least // 2 - 3
    r = np.random.default_rng(8)
    dy, weight = (families.in_format(np.ldexp(r.standard_normal(shape), least), fmt) for shape in ((4, d), (d,)))
    dy[2] = 0
    x = families.rows(fmt, "constant", d, 4)
    for w in (weight, np.zeros_like(weight)):
        dx = vjp(dy, x, w, 1e-16)[0]
        assert measure.vjp_constant(dx, dy, x, w, 1e-16).max() <= PROMISED
        assert (dx[2] == 0).all()
        assert dx.any() == w.any()


@pytest.mark.parametrize("fmt", ["float64", "float32"])
@pytest.mark.parametrize("weighted", [True, False])
def test_double_backward_of_ordinary_rows_and_of_zeros_is_fast(fmt: str, weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither they nor rows with a large mean go the slow way; a row beyond the range does, by itself."""
    taken: list[int] = []
    slow = SAFE._vjp_vjp_scaled

    def counted(*args: Any) -> Any:
        taken.append(len(args[4]))
        return slow(*args)

    monkeypatch.setattr(SAFE, "_vjp_vjp_scaled", counted)
    r = np.random.default_rng(2)
    x, dy, ddx = (r.standard_normal((5, 70)).astype(fmt) for _ in range(3))
    ddweight, ddbias, weight = (r.standard_normal(70).astype(fmt) if weighted else None for _ in range(3))
    x[1], dy[1], ddx[2], dy[3] = 0, 0, 0, dy[3] + 50
    x[3:] += 1000
    for far in (False, True):
        if far:
            ddx[4] = np.ldexp(ddx[4], -60 if fmt == "float32" else -500)
        got = vjp_vjp(ddx, ddweight, ddbias, dy, x, weight, 1e-5)
        want = oracle.vjp_vjp(ddx, ddweight, ddbias, dy, x, weight, 1e-5, "float64")
        for one, other, envelope in zip(got, want, envelopes.vjp_vjp(ddx, ddweight, ddbias, dy, x, weight, 1e-5), strict=True):
            assert envelopes.constant(one, other, envelope, floor=5) <= PROMISED
        assert taken == ([1] if far else [])


def test_merged_statistics() -> None:
    """The exact union of two sets to the promised constant, also where squares and differences overflow."""
    r = np.random.default_rng(5)
    unit, least = int(PROMISED) * Fraction(1, 2**53), Fraction(1, 2**1074)
    for _ in range(3000):
        n1, n2 = (float(v) for v in 1 + r.integers(0, 10 ** int(r.integers(1, 9)), 2))
        mean1, mean2 = (float(v) for v in np.ldexp(r.uniform(-1, 1, 2), r.integers(-1074, 1025) - r.integers(0, 60, 2)))
        m1, m2 = (float(v) for v in np.ldexp(r.uniform(0, 1, 2), r.integers(-1074, 1020, 2)))
        first, second = (tuple(np.array([v]) for v in one) for one in ((n1, mean1, m1), (n2, mean2, m2)))
        n, mean, m = (float(v[0]) for v in SAFE._merge_stats(first, second))
        share1, share2 = Fraction(n1) / Fraction(n1 + n2), Fraction(n2) / Fraction(n1 + n2)
        means = Fraction(mean1), Fraction(mean2)
        assert n == n1 + n2
        assert (
            abs(Fraction(mean) - share1 * means[0] - share2 * means[1])
            <= unit * sum(map(abs, means)) * min(share1, share2) + unit * abs(Fraction(mean)) + least
        )
        within, between = Fraction(m1) + Fraction(m2), Fraction(n1) * share2
        exact = within + between * (means[1] - means[0]) ** 2
        if exact < 2**1024 - 2**970:
            assert abs(Fraction(m) - exact) <= unit * (within + between * sum(map(abs, means)) ** 2) + least
        else:
            assert m == np.inf


def test_equal_means_stay() -> None:
    """The mean of two sets with one mean is that mean."""
    mean = np.random.default_rng(3).standard_normal(1000)
    n = np.random.default_rng(4).integers(1, 1000, (2, 1000)).astype(np.float64)
    assert (SAFE._merge_stats((n[0], mean, mean * 0), (n[1], mean, mean * 0))[1] == mean).all()


@pytest.mark.parametrize("d", [64, 768, 5000])
def test_memory(d: int) -> None:
    """Beside arguments and results there is never more than one array of the size of the input."""
    x = np.ones((2**22 // d, d), np.float32)
    out, other, vector = np.empty_like(x), np.empty_like(x), np.ones(d, np.float32)
    h = np.random.default_rng(1).standard_normal(x.shape, np.float32)
    runs: tuple[Callable[[], object], ...] = (
        lambda: SAFE._layer_norm_rows(x, vector, vector, 1e-5, out),
        lambda: SAFE._jvp_rows(x, x, vector, 1e-5, out),
        lambda: SAFE._vjp_rows(x, x, vector, 1e-5, out, vector.copy(), vector.copy()),
        lambda: SAFE._vjp_vjp_rows(h, vector, vector, h, h, vector, 1e-5, out, other, vector.copy()),
    )
    for run in runs:
        tracemalloc.start()
        run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= x.nbytes


def test_buffer_size_is_restored() -> None:
    """NumPy's buffer has the caller's size after a call, and after an exception in the middle of one."""
    before = np.setbufsize(4096)
    try:
        layer_norm(np.ones((64, 1000)), None, None, 1e-5)
        vjp(np.ones((64, 1000)), np.ones((64, 1000)), None, 1e-5)
        vjp_vjp(np.ones((64, 1000)), None, None, np.ones((64, 1000)), np.ones((64, 1000)), None, 1e-5)
        assert np.getbufsize() == 4096
        with pytest.raises((TypeError, ValueError)):
            SAFE._layer_norm_rows(np.ones((64, 1000)), np.ones(3), None, 1e-5, np.ones((64, 1000)))
        assert np.getbufsize() == 4096
    finally:
        np.setbufsize(before)


@pytest.mark.parametrize("d", [1, 3, 63, 64, 100, 1000, 4096])
def test_blocks_do_not_show(d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any division into blocks gives the same results within a few roundings, with the last block smaller or of one row."""
    x, dy = families.rows("float64", "normal", d, 23), families.rows("float64", "ramp", d, 23)
    weight = families.weight("float64", "normal", d)

    def results() -> list[Array]:
        second = vjp_vjp(x[::-1], weight, weight[::-1], dy, x, weight, 1e-5)
        return [*layer_norm(x, weight, weight, 1e-5), jvp(x, dy, weight, 1e-5), *vjp(dy, x, weight, 1e-5), *second]

    whole = results()
    for rows in (1, 2, 11, 22):
        monkeypatch.setattr(SAFE, "_block_rows", lambda *_, rows=rows: rows)
        monkeypatch.setattr(SAFE, "_is_few", lambda *_: False)
        for one, other in zip(whole, results(), strict=True):
            assert np.allclose(one, other, rtol=1e-13, atol=1e-12 * np.abs(one).max())


def table() -> str:
    """The worst k of each family, as a Markdown table."""
    lines = ["| format | family | " + " | ".join(MEASURES) + " |", "|---|---|" + "---|" * len(MEASURES)]
    for fmt, name in CASES:
        lines.append(f"| {fmt} | {name} | " + " | ".join(f"{one(fmt, name):.2f}" for one in MEASURES.values()) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        print(table())  # noqa: T201
