"""The derived tolerances: honest arithmetic stays within them, in any order of summation, and a one-pass variance does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lnsym import library
from lnsym.audit import reference, tolerance
from lnsym.audit.call import Call
from lnsym.oracle import FORMATS
from tests.emit import families

Array = NDArray[Any]
Forward = Callable[[Array, float], Array]
Backward = Callable[[Array, Array, float, Array], Array]
Mean = Callable[[Array], Array]

DIMS = (2, 3, 7, 64, 257, 4096)
EPS = (1e-5, 1e-12, 0.25)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


# ---------------------------------------------------------------- honest arithmetic, in the format of x


def pairwise(a: Array) -> Array:
    """The mean as NumPy sums."""
    mean: Array = a.mean(axis=-1, keepdims=True, dtype=a.dtype)
    return mean


def in_order(a: Array) -> Array:
    """The mean, numbers added from the first to the last."""
    mean: Array = np.add.accumulate(a, axis=-1, dtype=a.dtype)[..., -1:] / a.dtype.type(a.shape[-1])
    return mean


def statistics(x: Array, eps: float, mean: Mean) -> tuple[Array, Array, Array]:
    """Mean, deviations and 1/s in two passes."""
    m = mean(x)
    v = x - m
    return m, v, x.dtype.type(1) / np.sqrt(mean(v * v) + x.dtype.type(eps))


def two_passes(mean: Mean) -> Forward:
    def core(x: Array, eps: float) -> Array:
        _, v, r = statistics(x, eps, mean)
        return np.asarray(v * r)

    return core


def scale_and_shift(mean: Mean) -> Forward:
    """x r - mean r."""

    def core(x: Array, eps: float) -> Array:
        m, _, r = statistics(x, eps, mean)
        return np.asarray(x * r - m * r)

    return core


def running(x: Array, eps: float) -> Array:
    """Mean and squares updated number by number (Welford)."""
    number = x.dtype.type
    m, squares = np.zeros(x.shape[:-1], x.dtype), np.zeros(x.shape[:-1], x.dtype)
    for k in range(x.shape[-1]):
        step = x[..., k] - m
        m = m + step / number(k + 1)
        squares = squares + step * (x[..., k] - m)
    return np.asarray((x - m[..., None]) / np.sqrt(squares / number(x.shape[-1]) + number(eps))[..., None])


def wide_sums(x: Array, eps: float) -> Array:
    """Statistics in float64."""
    return two_passes(pairwise)(x.astype(np.float64), eps).astype(x.dtype)


def one_pass(x: Array, eps: float) -> Array:
    """The variance as the mean of the squares less the square of the mean."""
    m = pairwise(x)
    q = np.maximum(pairwise(x * x) - m * m, x.dtype.type(0))
    return np.asarray((x - m) / np.sqrt(q + x.dtype.type(eps)))


HONEST: Mapping[str, Forward] = {
    "two passes": two_passes(pairwise),
    "two passes in order": two_passes(in_order),
    "scale and shift": scale_and_shift(pairwise),
    "scale and shift in order": scale_and_shift(in_order),
    "running": running,
    "wide sums": wide_sums,
}


def textbook_gradient(mean: Mean) -> Backward:
    def dx(x: Array, weight: Array, eps: float, dy: Array) -> Array:
        _, v, r = statistics(x, eps, mean)
        u, k = v * r, weight * dy
        return np.asarray(r * (k - mean(k) - u * mean(k * u)))

    return dx


def gradient_of_sums(mean: Mean) -> Backward:
    """By sum(k x) and sum(k), which cancel where the mean is large."""

    def dx(x: Array, weight: Array, eps: float, dy: Array) -> Array:
        m, _, r = statistics(x, eps, mean)
        k = weight * dy
        b = (mean(k) * m - mean(k * x)) * r * r * r
        return np.asarray(k * r + b * x + (-b * m - mean(k) * r))

    return dx


def chain_rule(mean: Mean) -> Backward:
    """Step by step through the composition, as automatic differentiation goes."""

    def dx(x: Array, weight: Array, eps: float, dy: Array) -> Array:
        _, v, r = statistics(x, eps, mean)
        k, number = weight * dy, x.dtype.type
        to_q = mean(k * v) * number(-0.5) * r * r * r
        to_v = k * r + to_q * (number(2) * v)
        return np.asarray(to_v - mean(to_v))

    return dx


BACKWARD: Mapping[str, Callable[[Mean], Backward]] = {"textbook": textbook_gradient, "sums": gradient_of_sums, "chain rule": chain_rule}


# ---------------------------------------------------------------- within the tolerance


def inside(x: Array, fmt: str) -> Array:
    """The rows whose sums, squares and sums of squares stay in the format that they are calculated in."""
    form = FORMATS["float32" if fmt in tolerance.HALF else fmt]
    rows, room = x.astype(np.float64), 2.0 ** (form.largest // 2 - 2)
    kept: Array = np.abs(rows).max(axis=1) * np.sqrt(x.shape[1]) < room
    return kept


def used(yours: Array, exact: Array, allowed: Array) -> float:
    """How much of the tolerance is used, at worst."""
    error = np.abs(yours.astype(np.float64) - exact)
    share = np.where(np.isfinite(yours.astype(np.float64)), np.where(error == 0, 0, error / allowed), np.inf)
    return float(share.max(initial=0))


@pytest.mark.many(8)
@pytest.mark.parametrize("name", HONEST)
@pytest.mark.parametrize("fmt", ["float64", "float32"])
def test_honest_kernels_stay_within_half_of_it(fmt: str, name: str) -> None:
    for d in DIMS if name != "running" else DIMS[:-1]:
        for family in families.names(fmt):
            x = families.rows(fmt, family, d, 4)
            x = x[inside(x, fmt)]
            for eps in EPS:
                call = Call(x, eps=eps)
                assert used(HONEST[name](x, eps), reference.output(call), tolerance.output(call, fmt)) < 0.5, (d, family, eps)


@pytest.mark.parametrize("fmt", ["float16", "bfloat16"])
def test_half_formats_with_statistics_in_float32_stay_within(fmt: str) -> None:
    largest = 0.0
    for d in DIMS[:-1]:
        for family in families.names(fmt):
            x = families.rows(fmt, family, d, 4)
            x = x[inside(x, fmt)]
            for eps in (1e-5, 0.25):
                call = Call(x, eps=eps)
                y = two_passes(pairwise)(x.astype(np.float32), eps).astype(x.dtype)
                largest = max(largest, used(y, reference.output(call), tolerance.output(call, fmt)))
    assert 0.9 < largest <= 1  # one rounding is nearly all of it


@pytest.mark.parametrize("fmt", ["float64", "float32"])
@pytest.mark.parametrize("name", BACKWARD)
def test_gradients_in_several_orders_stay_within(fmt: str, name: str) -> None:
    for d in (2, 3, 7, 64):
        weight = families.weight(fmt, "normal", d)
        for family in ("normal", "outlier", "cancelling", "constant but one", "ramp", "small integers", families.names(fmt)[-2]):
            x = families.rows(fmt, family, d, 4)
            x = x[inside(x, fmt)]
            for kind in ("normal", "ones"):
                dy = families.cotangent(fmt, kind, x)
                call = Call(x, weight, eps=1e-3)
                bound, exact = tolerance.gradient(call, dy, fmt), reference.gradient(call, dy)
                for mean in (pairwise, in_order):
                    dx = BACKWARD[name](mean)(x, weight, call.eps, dy)
                    assert used(dx, exact["x"], bound["x"]) < 0.5, (d, family, kind)
                _, v, r = statistics(x, call.eps, pairwise)
                assert used((dy * (v * r)).sum(axis=0), exact["weight"], bound["weight"]) < 0.5
                assert used(np.add.accumulate(dy, axis=0)[-1], exact["bias"], bound["bias"]) < 1


@pytest.fixture
def all_in_float16(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds for arithmetic that is float16 throughout: large errors, so that terms of second order count."""
    monkeypatch.setattr(tolerance, "working", lambda *_: tolerance.arithmetic("float16", gradual=True))
    monkeypatch.setattr(tolerance, "HALF", ())


def _rough_rows(r: np.random.Generator, d: int) -> Array:
    """Rows of many means and spreads, some with an outlier, some of one sign."""
    x = r.choice([0, 0.3, 1, 3, 10, 100], (40, 1)) + r.choice([0.1, 1, 4], (40, 1)) * r.standard_normal((40, d))
    x[::4, 0] += 30
    x[1::4] = np.abs(x[1::4])
    return x.astype(np.float16)


@pytest.mark.usefixtures("all_in_float16")
@pytest.mark.parametrize("d", [2, 3, 5, 9, 16, 33])
def test_the_bound_holds_where_errors_are_large(d: int) -> None:
    r = np.random.default_rng(d)
    for eps in (0.01, 0.1, 1.0, 5.0) * 4:
        x, dy = _rough_rows(r, d), r.standard_normal((40, d)).astype(np.float16)
        weight = r.standard_normal(d).astype(np.float16)
        eps = float(np.float16(eps))
        call = Call(x, eps=eps)
        exact, bound = reference.output(call), tolerance.output(call, "float16")
        for name in ("two passes in order", "scale and shift in order", "running"):
            assert used(HONEST[name](x, eps), exact, bound) < 1, name
        call = call.but(weight=weight)
        to_x, allowed = reference.gradient(call, dy)["x"], tolerance.gradient(call, dy, "float16")["x"]
        for form in BACKWARD.values():
            assert used(form(in_order)(x, weight, eps, dy), to_x, allowed) < 1


def _derivatives(x: Array, weight: Array, eps: float, g: Array, a: Array) -> dict[str, Array]:
    """The derivative along a, and the double backward for g and a, by the formulas of the book in the format of x."""
    _, v, r = statistics(x, eps, pairwise)
    u, k, mean = v * r, weight * g, pairwise
    along = r * (a - mean(a) - u * mean(u * a))
    pa, pk, ua, uk = a - mean(a), k - mean(k), mean(u * a), mean(u * k)
    to_x = -(r * r) * (uk * pa + ua * pk + (mean(pa * pk) - x.dtype.type(3) * ua * uk) * u)
    return {"jvp": weight * along, "dy": weight * along, "x": to_x, "weight": (g * along).sum(axis=0)}


@pytest.mark.parametrize("fmt", ["float64", "float32"])
def test_derivatives_along_directions_and_second_ones_stay_within(fmt: str) -> None:
    for d in (2, 5, 33):
        for family in ("normal", "outlier", "constant but one", "small integers", "ramp"):
            x = families.rows(fmt, family, d, 3)
            g, a = families.cotangent(fmt, "normal", x), np.roll(families.cotangent(fmt, "normal", x), 1, axis=1)
            weight = families.weight(fmt, "zeros", d)
            call = Call(x, weight, eps=0.01)
            yours = _derivatives(x, weight, call.eps, g, a)
            exact = {"jvp": reference.jvp(call, a), **reference.double(call, g, a)}
            bound = {"jvp": tolerance.jvp(call, a, fmt), **tolerance.double(call, g, a, fmt)}
            for name, right in exact.items():
                assert used(yours[name], right, bound[name]) < 0.5, (d, family, name)


# ---------------------------------------------------------------- and not within


@pytest.mark.parametrize(
    ("fmt", "mean", "times"), [("float32", 1e3, 10), ("float32", 3e4, 100), ("float64", 1e5, 100), ("float64", 1e7, 1e4)]
)
@pytest.mark.parametrize("d", [4, 8, 16])
def test_a_one_pass_variance_is_far_outside(fmt: str, mean: float, times: float, d: int) -> None:
    r = np.random.default_rng(d)
    x = (mean + r.standard_normal((20, d))).astype(fmt)
    call = Call(x, eps=1e-5)
    allowed, exact = tolerance.output(call, fmt), reference.output(call)
    assert used(one_pass(x, call.eps), exact, allowed) > times
    assert used(two_passes(pairwise)(x, call.eps), exact, allowed) < 0.5
    assert allowed.max() < 0.5


@pytest.mark.parametrize("fmt", ["float64", "float32"])
def test_a_one_pass_variance_is_within_where_it_does_no_harm(fmt: str) -> None:
    x = np.random.default_rng(1).standard_normal((20, 16)).astype(fmt)
    call = Call(x, eps=1e-5)
    assert used(one_pass(x, call.eps), reference.output(call), tolerance.output(call, fmt)) < 1


@pytest.mark.parametrize("wrong", [1.0001, 0.9999])
def test_a_root_that_is_off_by_a_ten_thousandth_is_outside(wrong: float) -> None:
    x = families.rows("float32", "normal", 64, 4)
    call = Call(x, eps=1e-5)
    assert used(two_passes(pairwise)(x, call.eps) * wrong, reference.output(call), tolerance.output(call, "float32")) > 1


# ---------------------------------------------------------------- at the edges


@pytest.mark.many(3)
@pytest.mark.parametrize("fmt", families.FORMATS)
@pytest.mark.parametrize("eps", [1e-5, 5e-324, 1e300])
def test_tolerances_are_numbers_at_every_input(fmt: str, eps: float) -> None:
    for d in (1, 2, 7):
        for family in families.names(fmt):
            x = families.rows(fmt, family, d, 3)
            dy = families.cotangent(fmt, "wide", x)
            call = Call(x, families.weight(fmt, "wide", d), families.bias(fmt, "wide", d), eps)
            found = [tolerance.output(call, fmt), tolerance.output(call, fmt, gradual=True), tolerance.jvp(call, dy, fmt)]
            found += [*tolerance.gradient(call, dy, fmt).values(), *tolerance.double(call, dy, dy, fmt).values()]
            assert all((one >= 0).all() for one in found), family


def test_large_and_small_rows_have_a_bound_as_scaled_ones_have() -> None:
    x = families.rows("float64", "normal", 16, 3)
    plain = tolerance.output(Call(x, eps=0.25), "float64")
    for exponent in (1000, -400):
        scaled = Call(np.ldexp(x, exponent), eps=0.0 if abs(exponent) > 600 else float(np.ldexp(0.25, 2 * exponent)))
        assert np.allclose(tolerance.output(scaled, "float64"), plain, rtol=0.5, atol=0)


def test_a_row_does_not_change_the_tolerance_of_another() -> None:
    x = families.rows("float32", "normal", 7, 3)
    plain = tolerance.output(Call(x), "float32")
    for value in (np.nan, np.inf, 1e30):
        other = x.copy()
        other[1, 2] = value
        found = tolerance.output(Call(other), "float32")
        np.testing.assert_array_equal(found[[0, 2]], plain[[0, 2]])


def test_axes_and_masks() -> None:
    x = families.rows("float64", "normal", 6, 4)
    rows = tolerance.output(Call(x), "float64")
    np.testing.assert_array_equal(tolerance.output(Call(x.T, axis=(0,)), "float64"), rows.T)
    np.testing.assert_array_equal(tolerance.output(Call(x.reshape(4, 2, 3), axis=(1, 2)), "float64"), rows.reshape(4, 2, 3))
    mask = np.arange(6) < 4
    behind = x.copy()
    behind[:, 4:] = 1e9
    masked = (tolerance.output(Call(one, mask=np.broadcast_to(mask, x.shape)), "float64") for one in (x, behind))
    first, second = (one[:, :4] for one in masked)
    np.testing.assert_array_equal(first, second)
    assert (first > 0).all()


def test_no_rows() -> None:
    call, none = Call(np.empty((0, 3))), np.empty((0, 3))
    assert tolerance.output(call, "float64").shape == (0, 3)
    found = tolerance.gradient(call, none, "float64")
    assert found["x"].shape == (0, 3)
    assert (found["weight"] < 1e-300).all()


def test_the_tolerance_grows_with_width_and_mean() -> None:
    x = np.resize([1.0, -1.0, 2.0, -2.0], (1, 64)).astype(np.float32)
    widths = [float(tolerance.output(Call(x[:, :d]), "float32").max()) for d in (4, 16, 64)]
    means = [float(tolerance.output(Call(x + np.float32(mean)), "float32").max()) for mean in (0, 100, 10000)]
    assert widths == sorted(widths)
    assert means == sorted(means)
    assert means[2] > 1000 * means[0]


def test_blocks_added_in_pairs_have_a_smaller_bound_for_wide_rows() -> None:
    call = Call(families.rows("float32", "normal", 4096, 1))
    assert (tolerance.output(call, "float32", "pairwise") < tolerance.output(call, "float32") / 20).all()


def test_gradual_underflow_is_bounded_closely() -> None:
    call = Call(np.array([[1e-310, 3e-310]]))
    assert (tolerance.output(call, "float64", gradual=True) < 1e-13 * tolerance.output(call, "float64")).all()


def test_condition() -> None:
    rows = np.array([[1.0, 3.0], [-1.0, 1.0], [5.0, 5.0], [0.0, 0.0], [1e200, 3e200], [1e-200, 3e-200]])
    five = np.sqrt(5)
    np.testing.assert_allclose(tolerance.condition(Call(rows)), [five, 1, np.inf, 1, five, five], rtol=1e-12)


# ---------------------------------------------------------------- in words

WORDY = (
    Call(np.array([[1999.5, 2000.25, 2000.75, 2001.5], [1, 2, 3, 4]], np.float32)),
    Call(np.array([[1.0, 2.0]], np.float16), np.array([1.0, 2.0], np.float16), eps=0.25),
    Call(np.array([[1e8, 1e8 + 8, 1e8]], np.float32)),
    Call(np.array([[np.nan, 1.0], [2.0, 5.0]])),
    Call(np.array([[3.0], [4.0]])),
)


@pytest.mark.parametrize("call", WORDY)
@pytest.mark.parametrize("model", tolerance.GROWTH)
def test_the_derivation_fits_the_page_and_names_theorems(call: Call, model: str) -> None:
    text = tolerance.why(call, call.x.dtype.name, model)
    assert max(map(len, text.splitlines())) <= 80
    names = [name for group in re.findall(r"\[([a-z_,\sT0-9]+)\]", text) for name in re.split(r",\s*", " ".join(group.split()))]
    assert len(names) > 6
    assert {name for name in names if name != "T67"} <= set(library.book().derivations)
    assert "{" not in text


def test_the_derivation_has_the_numbers_of_the_call() -> None:
    text = " ".join(tolerance.why(WORDY[0], "float32").split())
    assert "t = 2^-24 = 5.96e-08" in text
    assert "K = d + 2 log2 d + 10 = 18 roundings" in text
    assert "mean|x| = 2000" in text
    assert f"to {tolerance.output(WORDY[0], 'float32').max():.3g} in this row" in text
    assert "may come out 0 or negative" in text


def test_the_derivation_says_where_the_model_ends() -> None:
    assert "rounded to float16 once" in " ".join(tolerance.why(WORDY[1], "float16").split())
    assert "says nothing about this row" in " ".join(tolerance.why(WORDY[2], "float32").split())
    assert "row 1, the least certain" in " ".join(tolerance.why(WORDY[3], "float64").split())
    assert tolerance.why(Call(np.array([[np.nan, 1.0]])), "float64").startswith("No row of x is finite")
    assert tolerance.why(Call(np.empty((0, 3))), "float64").startswith("No row of x is finite")
