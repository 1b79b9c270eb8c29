"""The emitted modules from outside: arguments, layouts, formats, axes, output arrays, bad input, and the file itself."""

from __future__ import annotations

import ast
import doctest
import os
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lnsym.emit.plan import ORDER
from lnsym.emit.promise import TIERS
from lnsym.emit.targets import target
from tests.emit.loader import loaded
from tests.emit.modules import emitted, source

ROOT = Path(__file__).resolve().parents[2]
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FORMATS = (np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.float16), BFLOAT16)
UNIT = {8: 2.0**-53, 4: 2.0**-24, 2: 2.0**-8}
WITH_ALL = ("safe", "plain")  # the tiers that have every operation


def draw(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def reference(x: Any, weight: Any, bias: Any, eps: float, axes: tuple[int, ...]) -> Any:
    """The textbook, in float64."""
    wide = x.astype(np.float64)
    own = tuple(sorted(one % x.ndim for one in axes))
    shape = [size if one in own else 1 for one, size in enumerate(x.shape)]
    c = wide - wide.mean(own, keepdims=True)
    y = c / np.sqrt((c * c).mean(own, keepdims=True) + eps)
    y = y if weight is None else y * weight.astype(np.float64).reshape(shape)
    return y if bias is None else y + bias.astype(np.float64).reshape(shape)


def close(found: Any, expected: Any, units: float = 64.0) -> None:
    unit = UNIT[found.dtype.itemsize]
    np.testing.assert_allclose(found.astype(np.float64), expected, rtol=units * unit, atol=units * unit)


# ---------------------------------------------------------------- axes, layouts, formats


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("axis", [-1, 0, 1, 2, (0, 1), (1, -1), (-1, 1), (0, 1, 2), (2,), (-3, -1)])
def test_any_axis_or_axes(tier: str, axis: int | tuple[int, ...]) -> None:
    module, x = emitted(tier), draw(3, 4, 5)
    axes = axis if isinstance(axis, tuple) else (axis,)
    own = sorted(one % 3 for one in axes)
    weight, bias = draw(*(x.shape[one] for one in own), seed=1), draw(*(x.shape[one] for one in own), seed=2)
    y, mean, rstd = module.layer_norm(x, weight, bias, axis=axis, return_stats=True)
    close(y, reference(x, weight, bias, 1e-5, axes))
    close(module.normalize(x, axis=axis), reference(x, None, None, 1e-5, axes))
    close(mean, x.mean(tuple(own)))
    close(rstd, 1 / np.sqrt(x.var(tuple(own)) + 1e-5))
    assert y.flags.c_contiguous
    dx, dweight, dbias = module.layer_norm_vjp(y, x, weight, axis=axis)
    assert (dx.shape, dweight.shape, dbias.shape) == (x.shape, weight.shape, bias.shape)
    others = tuple(one for one in range(3) if one not in own)
    close(dbias, y.sum(others))
    close(dweight, (y * reference(x, None, None, 1e-5, axes)).sum(others), 512)


def layouts(x: Any) -> dict[str, Any]:
    """The same numbers, lying in memory in other ways."""
    padded = np.full((*x.shape[:-1], 2 * x.shape[-1] + 3), np.nan).astype(x.dtype)
    padded[..., 1 : 2 * x.shape[-1] : 2] = x
    raw = np.frombuffer(b"\0" + x.tobytes(), dtype=np.uint8)[1:]
    frozen = x.copy()
    frozen.flags.writeable = False
    found = {
        "Fortran order": np.asfortranarray(x),
        "strided view": padded[..., 1 : 2 * x.shape[-1] : 2],
        "reversed twice": np.ascontiguousarray(x[::-1, ..., ::-1])[::-1, ..., ::-1],
        "transposed": np.ascontiguousarray(x.T).T,
        "unaligned": np.ndarray(x.shape, x.dtype, raw.data),
        "read-only": frozen,
    }
    if x.dtype != BFLOAT16:
        found["other byte order"] = x.astype(x.dtype.newbyteorder())
    return found


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_layout_and_byte_order_change_nothing(tier: str, form: Any) -> None:
    module = emitted(tier)
    x, weight, dy = draw(4, 3, 6).astype(form), draw(6, seed=1).astype(form), draw(4, 3, 6, seed=2).astype(form)
    expected, gradients = module.layer_norm(x, weight), module.layer_norm_vjp(dy, x, weight)
    for (name, view), other in zip(layouts(x).items(), layouts(dy).values(), strict=True):
        got = module.layer_norm(view, weight)
        assert got.dtype == form
        assert got.tobytes() == expected.tobytes(), name
        for one, two in zip(module.layer_norm_vjp(other, view, weight), gradients, strict=True):
            assert one.tobytes() == two.tobytes(), name


def test_an_expanded_row_and_a_list_are_inputs_too() -> None:
    module = emitted("safe")
    row = np.array([1.0, 2.0, 4.0])
    assert (module.normalize(np.broadcast_to(row, (5, 3))) == module.normalize(row)).all()
    assert module.normalize([1, 2, 4]).tolist() == module.normalize(row).tolist()


@pytest.mark.parametrize("tier", TIERS)
def test_the_result_has_the_widest_format(tier: str) -> None:
    module, x = emitted(tier), draw(2, 4)
    for one in FORMATS:
        for other in FORMATS:
            y, mean, rstd = module.layer_norm(x.astype(one), np.ones(4, other), return_stats=True)
            wide = max(one.itemsize, other.itemsize)
            expected = one if one == other else np.dtype(f"f{max(4, wide)}")
            assert y.dtype == expected
            assert mean.dtype == rstd.dtype == (np.dtype(np.float32) if expected.itemsize == 2 else expected)
            close(y, reference(x.astype(one), None, None, 1e-5, (-1,)))


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.bool_])
def test_integers_and_booleans_count_as_float64(kind: Any) -> None:
    module = emitted("safe")
    x = np.array([[0, 1, 1, 0]], kind)
    assert module.normalize(x).dtype == np.float64
    assert module.normalize(x).tolist() == module.normalize(x.astype(np.float64)).tolist()
    assert module.layer_norm(x.astype(np.float32), np.ones(4, kind)).dtype == np.float64


@settings(max_examples=60)
@given(data=st.data())
@pytest.mark.parametrize("tier", WITH_ALL)
def test_any_shape_axes_layout_and_format(tier: str, data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=4), label="shape"))
    form = data.draw(st.sampled_from(FORMATS), label="format")
    axes = tuple(data.draw(st.sets(st.sampled_from([n for n, size in enumerate(shape) if size] or [-9]), min_size=1), label="axes"))
    module, x = emitted(tier), draw(*shape, seed=len(shape)).astype(form)
    if -9 in axes:
        with pytest.raises(ValueError, match="length 0"):
            module.normalize(x)
        return
    if data.draw(st.booleans(), label="from the end"):
        axes = tuple(one - len(shape) for one in axes)
    order = data.draw(st.permutations(range(len(shape))), label="order in memory")
    view = np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))
    own = sorted(one % len(shape) for one in axes)
    weight = draw(*(shape[one] for one in own), seed=9).astype(form)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # rows of one entry void the plain bound where eps is small
        got = module.layer_norm(view, weight, axis=axes)
    assert got.shape == shape
    assert got.dtype == form
    if got.size:
        close(got, reference(x, weight, None, 1e-5, axes))


@pytest.mark.parametrize("tier", TIERS)
def test_empty_batches(tier: str) -> None:
    module = emitted(tier)
    for shape in ((0, 3), (2, 0, 3), (0, 0, 1)):
        x = np.empty(shape)
        y, mean, rstd = module.layer_norm(x, np.ones(shape[-1]), return_stats=True)
        assert (y.shape, mean.shape, rstd.shape) == (shape, shape[:-1], shape[:-1])
        dx, dweight, dbias = module.layer_norm_vjp(x, x)
        assert dx.shape == shape
        assert dweight.tolist() == dbias.tolist() == [0.0] * shape[-1]


# ---------------------------------------------------------------- rows that are not finite, eps


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_a_row_that_is_not_finite_affects_itself_only(tier: str, bad: float, form: Any) -> None:
    module = emitted(tier)
    x, dy = draw(5, 6).astype(form), draw(5, 6, seed=1).astype(form)
    y, dx = module.layer_norm(x), module.layer_norm_vjp(dy, x)[0]
    x[2, 3] = bad
    got, gradient = module.layer_norm(x), module.layer_norm_vjp(dy, x)[0]
    assert np.isnan(got[2].astype(float)).all()
    assert np.isnan(gradient[2].astype(float)).all()
    rest = [0, 1, 3, 4]
    assert got[rest].tobytes() == y[rest].tobytes()
    assert gradient[rest].tobytes() == dx[rest].tobytes()


@pytest.mark.parametrize("tier", WITH_ALL)
def test_eps_may_be_any_real_number(tier: str) -> None:
    module, x = emitted(tier), np.array([1.0, 2.0, 3.0])
    for eps in (Fraction(1, 3), 1 / 3, np.float64(1 / 3)):
        np.testing.assert_allclose(module.normalize(x, eps), [-1, 0, 1], rtol=1e-15)
    assert module.normalize(x, 1).tolist() == module.normalize(x, np.int8(1)).tolist() == module.normalize(x, 1.0).tolist()


@pytest.mark.parametrize("tier", TIERS)
def test_a_tiny_eps_is_not_lost_in_a_narrow_format(tier: str) -> None:
    module = emitted(tier)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        assert module.normalize(np.full((1, 4), 3, np.float16), 1e-12).tolist() == [[0.0] * 4]
        assert module.normalize(np.full((1, 4), 3, np.float32), 1e-300).tolist() == [[0.0] * 4]


@pytest.mark.parametrize("tier", TIERS)
def test_eps_zero_needs_rows_that_are_not_constant(tier: str) -> None:
    module = emitted(tier)
    x = draw(2, 3, 4)
    close(module.normalize(x, 0), reference(x, None, None, 0.0, (-1,)))
    x[1, 2] = 7.0
    with pytest.raises(ValueError, match=r"^eps: 0 is allowed only if no row is constant, and row \(1, 2\) of x is; give eps > 0$"):
        module.normalize(x, 0)
    x[1, 2, 0] = np.nan
    assert np.isnan(module.normalize(x, 0)[1, 2]).all()


# ---------------------------------------------------------------- out


@pytest.mark.parametrize("tier", TIERS)
def test_out_is_filled_and_returned(tier: str) -> None:
    module, x = emitted(tier), draw(3, 4, 5)
    for axis in (-1, 1, (0, 2)):
        expected = module.normalize(x, axis=axis)
        for out in (np.empty((3, 4, 5)), np.empty((5, 4, 3)).T, np.empty((3, 4, 10))[..., ::2], np.empty((3, 4, 5), ">f8")):
            assert module.normalize(x, axis=axis, out=out) is out
            assert (out == expected).all()
    y, _, _ = module.layer_norm(x, out=np.empty_like(x), return_stats=True)
    assert (y == module.layer_norm(x)).all()
    for shape in ((0, 3), (2, 0, 3)):  # NumPy gives arrays of no entries strides of 0
        out = np.empty(shape)
        assert module.normalize(np.empty(shape), out=out) is out


@pytest.mark.parametrize("tier", TIERS)
def test_out_may_overlap_the_arguments(tier: str) -> None:
    module = emitted(tier)
    x, weight = draw(6, 5), draw(5, seed=1)
    expected = module.layer_norm(x, weight)
    same = x.copy()
    assert module.layer_norm(same, weight, out=same) is same
    assert (same == expected).all()
    buffer = np.empty(40)
    buffer[:30] = x.ravel()
    shifted = buffer[5:35].reshape(6, 5)
    assert (module.layer_norm(buffer[:30].reshape(6, 5), weight, out=shifted) == expected).all()
    buffer[:5] = weight
    buffer[5:35] = x.ravel()
    assert (module.layer_norm(buffer[5:35].reshape(6, 5), buffer[:5], out=buffer[:30].reshape(6, 5)) == expected).all()


@pytest.mark.parametrize("tier", WITH_ALL)
def test_the_jvp_has_out_too(tier: str) -> None:
    module, x, dx = emitted(tier), draw(3, 4), draw(3, 4, seed=1)
    expected = module.layer_norm_jvp(x, dx)
    assert module.layer_norm_jvp(x, dx, out=dx) is dx
    assert (dx == expected).all()


# ---------------------------------------------------------------- the operations fit together


@pytest.mark.parametrize("tier", WITH_ALL)
def test_the_derivatives_are_those_of_the_function(tier: str) -> None:
    """A Jacobian, its two products, and the double backward by differences of the backward."""
    module = emitted(tier)
    x, h, dy, weight = draw(3, 5), draw(3, 5, seed=1), draw(3, 5, seed=2), draw(5, seed=3)
    for row, direction in zip(x, h, strict=True):
        close(module.layer_norm_jvp(row, direction, weight), weight * (module.jacobian(row) @ direction))
        close(module.layer_norm_vjp(direction, row, weight, wrt=("x",))[0], module.jacobian(row).T @ (weight * direction))
    cotangents = (draw(3, 5, seed=4), draw(5, seed=5), draw(5, seed=6))

    def scalar(dy: Any, x: Any, weight: Any) -> float:
        return float(sum((a * b).sum() for a, b in zip(cotangents, module.layer_norm_vjp(dy, x, weight), strict=True)))

    found = module.layer_norm_vjp_vjp(*cotangents, dy, x, weight)
    for place, gradient in enumerate(found):
        step, arguments = draw(*gradient.shape, seed=7 + place), [dy, x, weight]
        ahead, behind = list(arguments), list(arguments)
        ahead[place], behind[place] = arguments[place] + 1e-6 * step, arguments[place] - 1e-6 * step
        assert (scalar(*ahead) - scalar(*behind)) / 2e-6 == pytest.approx((gradient * step).sum(), rel=1e-6)


@pytest.mark.parametrize("tier", WITH_ALL)
def test_absent_cotangents_are_zeros(tier: str) -> None:
    module = emitted(tier)
    x, dy, weight = draw(3, 5), draw(3, 5, seed=1), draw(5, seed=2)
    full, zeros = (draw(3, 5, seed=3), draw(5, seed=4), draw(5, seed=5)), (np.zeros((3, 5)), np.zeros(5), np.zeros(5))
    for present in range(8):
        some = [given if present >> place & 1 else None for place, given in enumerate(full)]
        filled = [given if given is not None else zero for given, zero in zip(some, zeros, strict=True)]
        for one, two in zip(
            module.layer_norm_vjp_vjp(*some, dy, x, weight), module.layer_norm_vjp_vjp(*filled, dy, x, weight), strict=True
        ):
            close(one, two, 256)


@pytest.mark.parametrize("tier", TIERS)
def test_wrt_names_what_is_returned_in_that_order(tier: str) -> None:
    module, x, dy = emitted(tier), draw(3, 5), draw(3, 5, seed=1)
    dx, dweight, dbias = module.layer_norm_vjp(dy, x)
    whole = {"x": dx, "weight": dweight, "bias": dbias}
    for wrt in ((), ("x",), ("bias", "x"), ("weight",), ("bias",), ("weight", "bias"), ("bias", "weight", "x"), ["x"]):
        found = module.layer_norm_vjp(dy, x, wrt=wrt)
        assert len(found) == len(wrt)
        for name, gradient in zip(wrt, found, strict=True):
            close(gradient, whole[name])


@pytest.mark.parametrize("tier", TIERS)
def test_merging_shards_gives_the_statistics_of_the_union(tier: str) -> None:
    module, x = emitted(tier), draw(4, 12)

    def stats(part: Any) -> Any:
        mean = part.mean(-1)
        return part.shape[-1], mean, ((part - mean[..., None]) ** 2).sum(-1)

    for cut in (1, 5, 11):
        n, mean, m2 = module.merge_stats(stats(x[:, :cut]), stats(x[:, cut:]))
        _, whole, square = stats(x)
        assert (n == 12).all()
        close(mean, whole)
        close(m2, square)
    assert [float(one) for one in module.merge_stats((2, 4.0, 8.0), (2, 0.0, 20000.0))] == [4.0, 2.0, 20024.0]
    assert [float(one) for one in module.merge_stats((0, np.nan, np.inf), (2, 1.0, 3.0))] == [2.0, 1.0, 3.0]
    assert [float(one) for one in module.merge_stats((0, 7.0, 0.0), (0, 5.0, 0.0))] == [0.0, 0.0, 0.0]
    assert module.merge_stats((3, np.float16(1), np.float16(2)), (np.int64(2), np.float16(1), np.float16(0)))[1].dtype == np.float32


# ---------------------------------------------------------------- bad input

X = np.ones((2, 3))
BAD: tuple[tuple[str, dict[str, Any], type[Exception], str], ...] = (
    ("normalize", {"x": X, "eps": -1e-5}, ValueError, r"eps: expected a finite number > 0, got -1e-05"),
    ("normalize", {"x": X, "eps": float("nan")}, ValueError, r"eps: expected a finite number > 0, got nan"),
    ("normalize", {"x": X, "eps": float("inf")}, ValueError, r"eps: expected a finite number > 0, got inf"),
    ("normalize", {"x": X, "eps": 10**5000}, ValueError, r"eps: expected a finite number > 0, got inf"),
    ("normalize", {"x": X, "eps": Fraction(-(10**5000))}, ValueError, r"eps: expected a finite number > 0, got -inf"),
    ("normalize", {"x": X, "eps": Fraction(1, 10**5000)}, ValueError, r"too small for float64; the least positive value is 5e-324"),
    ("normalize", {"x": X, "eps": True}, TypeError, r"eps: expected a real number, got bool"),
    ("normalize", {"x": X, "eps": 1j}, TypeError, r"eps: expected a real number, got complex"),
    ("normalize", {"x": X, "eps": "1e-5"}, TypeError, r"eps: expected a real number, got str"),
    ("normalize", {"x": X, "eps": np.array([1e-5])}, TypeError, r"eps: expected a real number, got ndarray"),
    ("normalize", {"x": X, "eps": None}, TypeError, r"eps: expected a real number, got NoneType"),
    ("normalize", {"x": X, "eps": 0}, ValueError, r"eps: 0 is allowed only if no row is constant, and row \(0,\) of x is"),
    ("normalize", {"x": X.astype(complex)}, TypeError, r"x: expected float64, float32, .*, got complex128; convert it with astype"),
    ("normalize", {"x": X.astype(object)}, TypeError, r"x: expected float64, .*, got object"),
    ("normalize", {"x": X.astype(str)}, TypeError, r"x: expected float64, .*, got <U"),
    ("normalize", {"x": X.astype(np.longdouble)}, TypeError, r"x: expected float64, .*, got (float128|longdouble|float96)"),
    ("normalize", {"x": np.ma.masked_less(X, 2)}, TypeError, r"x: expected an array without a mask, got a masked one"),
    ("normalize", {"x": None}, TypeError, r"x: expected float64, .*, got object"),
    ("normalize", {"x": [[1.0, 2.0], [3.0]]}, ValueError, r"x: expected an array, got nested sequences of unequal lengths"),
    ("normalize", {"x": X, "axis": 2}, ValueError, r"axis: 2 is out of range for x with 2 axes; expected -2 to 1"),
    ("normalize", {"x": X, "axis": -3}, ValueError, r"axis: -3 is out of range for x with 2 axes"),
    ("normalize", {"x": 1.0}, ValueError, r"x: expected an array with at least one axis, got a single number"),
    ("layer_norm_vjp", {"dy": 1.0, "x": 1.0, "axis": 0}, ValueError, r"x: expected an array with at least one axis"),
    ("normalize", {"x": X, "axis": (0, 0)}, ValueError, r"axis: expected each axis once, got \(0, 0\)"),
    ("normalize", {"x": X, "axis": (1, -1)}, ValueError, r"axis: expected each axis once, got \(1, -1\)"),
    ("normalize", {"x": X, "axis": ()}, ValueError, r"axis: expected at least one axis, got \(\)"),
    ("normalize", {"x": X, "axis": 1.0}, TypeError, r"axis: expected an int or a tuple of ints, got 1.0"),
    ("normalize", {"x": X, "axis": True}, TypeError, r"axis: expected an int or a tuple of ints, got True"),
    ("normalize", {"x": np.ones((2, 0))}, ValueError, r"x: axis 1 is normalized and has length 0"),
    ("normalize", {"x": X, "out": [1]}, TypeError, r"out: expected a plain NumPy array, got list"),
    (
        "normalize",
        {"x": X, "out": np.ones((3, 2))},
        ValueError,
        r"out: expected shape \(2, 3\) and format float64, got \(3, 2\) and float64",
    ),
    ("normalize", {"x": X, "out": np.ones((2, 3), "f4")}, ValueError, r"out: expected .* float64, got \(2, 3\) and float32"),
    ("normalize", {"x": X, "out": np.broadcast_to(1.0, (2, 3))}, ValueError, r"out: expected an array that can be written"),
    (
        "layer_norm",
        {"x": X, "weight": np.ones(2)},
        ValueError,
        r"weight: expected shape \(3,\), that of the normalized axes of x, got \(2,\)",
    ),
    ("layer_norm", {"x": X, "bias": np.ones((1, 3))}, ValueError, r"bias: expected shape \(3,\), .* got \(1, 3\)"),
    ("layer_norm", {"x": X, "weight": np.ones((3, 2)), "axis": (0, 1)}, ValueError, r"weight: expected shape \(2, 3\)"),
    ("layer_norm", {"x": X, "weight": np.ones(3, complex)}, TypeError, r"weight: expected float64"),
    ("layer_norm_vjp", {"x": X, "dy": np.ones((3, 2))}, ValueError, r"dy: expected the shape of x, \(2, 3\), got \(3, 2\)"),
    ("layer_norm_vjp", {"x": X, "dy": X, "wrt": "x"}, ValueError, r"wrt: expected a tuple of 'x', 'weight' and 'bias', got 'x'"),
    ("layer_norm_vjp", {"x": X, "dy": X, "wrt": ("y",)}, ValueError, r"wrt: expected a tuple"),
    ("layer_norm_jvp", {"x": X, "dx": np.ones(3)}, ValueError, r"dx: expected the shape of x"),
    ("jacobian", {"x": X}, ValueError, r"x: expected one row, of shape \(d,\), got shape \(2, 3\)"),
    ("jacobian", {"x": np.ones(0)}, ValueError, r"x: the row has length 0"),
    ("merge_stats", {"first": (1, 2.0), "second": (1, 2.0, 0.0)}, TypeError, r"first: expected a tuple \(n, mean, m2\)"),
    ("merge_stats", {"first": (1, 2.0, 0.0), "second": (-1, 2.0, 0.0)}, ValueError, r"second: n: expected finite counts >= 0"),
    ("merge_stats", {"first": (1, 2.0, -1.0), "second": (1, 2.0, 0.0)}, ValueError, r"first: m2: expected sums of squares >= 0"),
    ("merge_stats", {"first": (np.ones(2), 2.0, 0.0), "second": (np.ones(3), 2.0, 0.0)}, ValueError, r"shapes that broadcast together"),
)


@pytest.mark.parametrize(("function", "arguments", "error", "message"), BAD)
@pytest.mark.parametrize("tier", WITH_ALL)
def test_bad_input_gets_one_clear_line(tier: str, function: str, arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        getattr(emitted(tier), function)(**arguments)
    assert "\n" not in str(caught.value)


def test_a_refused_call_leaves_out_as_it_was() -> None:
    out = np.full((2, 3), 9.0)
    with pytest.raises(ValueError, match="eps: 0 is allowed"):
        emitted("safe").normalize(X, 0, out=out)
    assert (out == 9.0).all()


# ---------------------------------------------------------------- warnings


def test_flushing_to_zero_is_said_once_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test is a product of two floats at call time; here one of them is put to 0, as a flushing processor would make it."""
    module: Any = loaded(source("safe"), "flushing")
    monkeypatch.setattr(module, "_HALF", 0.0)
    calls: tuple[Any, ...] = (module.normalize, module.layer_norm, lambda x: module.layer_norm_vjp(x, x), lambda x: module.jacobian(x[0]))
    for call in calls:
        with pytest.warns(RuntimeWarning, match="flushes subnormal numbers to zero") as caught:
            call(X)
        assert len(caught) == 1
    monkeypatch.undo()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module.normalize(X)


@pytest.mark.parametrize(
    ("row", "void"),
    [
        ([1.0, 2.0, 3.0], False),
        ([1e6, 1e6 + 1, 1e6 + 2], False),
        ([1e10, 1e10 + 1, 1e10 + 2], True),
        ([1e160, -1e160, 0.0], True),
        ([1e308, 1e308, 1e308], True),
        ([1e-160, 2e-160, 0.0], False),
        ([5.0, 5.0, 5.0], False),
        ([1.0, float("nan"), 2.0], False),
        ([1.0, float("inf"), 2.0], False),
    ],
)
def test_the_plain_tier_warns_where_its_bound_is_void(row: list[float], void: bool) -> None:
    module = emitted("plain")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        module.normalize(np.array([[1.0, 2.0, 3.0], row]))
        module.layer_norm_vjp(np.ones((2, 3)), np.array([[1.0, 2.0, 3.0], row]))
    assert len(caught) == 2 * void
    assert all("void for 1 of 2 rows, row 1 for one: its mean is too large" in str(one.message) for one in caught)
    assert all(one.filename == __file__ for one in caught)


@pytest.mark.parametrize("tier", TIERS)
def test_nothing_else_warns(tier: str) -> None:
    module = emitted(tier)
    rows = np.array([[1e-300, 0, 1e-310], [1.0, 2.0, 3.0], [7.0, 7.0, 7.0]])
    narrow = rows.astype(np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with np.errstate(all="raise"):
            module.layer_norm(rows, np.ones(3), np.ones(3))
            module.layer_norm_vjp(rows, rows)
            module.normalize(narrow)
            module.merge_stats((2, np.float32(1e30), np.float32(1e-45)), (3, np.float32(-1e30), np.float32(0)))  # m2 overflows
            module.merge_stats((2, np.float32(1e-45), np.float32(1e-45)), (3, np.float32(0), np.float32(0)))


# ---------------------------------------------------------------- the file itself


@pytest.mark.parametrize("tier", TIERS)
def test_the_file_imports_numpy_and_the_standard_library_only(tier: str) -> None:
    nodes = [node for node in ast.walk(ast.parse(source(tier))) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} - sys.stdlib_module_names == {"numpy"}


@pytest.mark.parametrize("tier", TIERS)
def test_every_function_of_the_file_is_reached_and_documented(tier: str) -> None:
    tree = ast.parse(source(tier))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    public = {name for name in functions if not name.startswith("_")}
    assert public == {op for op in ORDER if tier in target("numpy").tiers(op)}
    assert {name for name in functions if name not in used} <= public
    assert all(ast.get_docstring(node) for node in tree.body if isinstance(node, ast.FunctionDef) and not node.decorator_list)
    for name in public:
        doc = ast.get_docstring(functions[name]) or ""
        sections = [doc.index(section) for section in ("Parameters\n---", "Returns\n---", "Raises\n---", "Notes\n---", "Examples\n---")]
        assert sections == sorted(sections)
        assert "of lnsym::" in doc
        assert "Proved: " in doc
        assert "Derived: " in doc
        assert "Measured: " in doc


@pytest.mark.parametrize("tier", TIERS)
def test_the_examples_of_the_docstrings_come_true(tier: str) -> None:
    module = emitted(tier)
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    for op in module.__all__:
        (found,) = finder.find(getattr(module, op), op, globs=vars(module))
        assert found.examples
        runner.run(found)
    assert runner.failures == 0


@pytest.mark.parametrize("tier", TIERS)
def test_signatures_are_the_same_in_every_tier(tier: str) -> None:
    signatures = {
        "normalize": "x, eps=1e-05, axis=-1, *, out=None",
        "layer_norm": "x, weight=None, bias=None, eps=1e-05, axis=-1, *, return_stats=False, out=None",
        "layer_norm_jvp": "x, dx, weight=None, eps=1e-05, axis=-1, *, out=None",
        "layer_norm_vjp": "dy, x, weight=None, eps=1e-05, axis=-1, *, wrt=('x', 'weight', 'bias')",
        "layer_norm_vjp_vjp": "ddx, ddweight, ddbias, dy, x, weight=None, eps=1e-05, axis=-1",
        "jacobian": "x, eps=1e-05",
        "merge_stats": "first, second",
    }
    found = {}
    for node in ast.parse(source(tier)).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            for argument in (*node.args.args, *node.args.kwonlyargs):
                argument.annotation = None
            found[node.name] = ast.unparse(node.args)
    assert found == {op: signatures[op] for op in ORDER if op in found}


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("op", ORDER)
def test_each_operation_alone_makes_a_file_that_works(tier: str, op: str) -> None:
    from lnsym.emit.build import build

    if tier not in target("numpy").tiers(op):
        return
    made = build(ops=[op], tier=tier, validate=False)
    module: Any = loaded(made.source, f"{op}_{tier}")
    assert module.__all__ == [op]
    assert module._check() == 0


@pytest.mark.parametrize("tier", TIERS)
def test_the_file_checks_itself(tier: str, tmp_path: Path) -> None:
    path = tmp_path / "ln.py"
    path.write_text(source(tier), encoding="utf-8")
    done = subprocess.run([sys.executable, path, "--check"], text=True, capture_output=True, timeout=120, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(" passed, 0 failed\n")
    assert int(done.stdout.split()[0]) > 25
    done = subprocess.run([sys.executable, path], text=True, capture_output=True, timeout=120)
    assert done.returncode == 2
    assert "--check" in done.stderr


@pytest.mark.parametrize("tier", TIERS)
def test_the_check_of_the_file_finds_a_mistake(tier: str, tmp_path: Path) -> None:
    path = tmp_path / "ln.py"
    path.write_text(source(tier).replace("return _delivered(target", "target *= 1.5\n    return _delivered(target", 1), encoding="utf-8")
    done = subprocess.run([sys.executable, path, "--check"], text=True, capture_output=True, timeout=120)
    assert done.returncode == 1
    assert "failed: normalize, float64" in done.stdout


def test_the_check_says_what_it_could_not_run(tmp_path: Path) -> None:
    path = tmp_path / "ln.py"
    path.write_text(source("plain").replace('find_spec("ml_dtypes") is None', "find_spec('no_such_package') is None"), encoding="utf-8")
    done = subprocess.run([sys.executable, path, "--check"], text=True, capture_output=True, timeout=120)
    assert done.returncode == 0
    assert "0 failed" in done.stdout
    assert "0 not run" not in done.stdout


@pytest.mark.parametrize("tier", TIERS)
def test_the_head_tells_tier_theorems_certificate_and_command(tier: str) -> None:
    from lnsym.emit.build import build

    made = build(tier=tier, validate=False)
    head = ast.get_docstring(ast.parse(made.source)) or ""
    assert made.source.splitlines()[0] == f"# Written by `lnsym emit numpy --tier {tier}`."
    assert f"{tier} tier" in head.splitlines()[0]
    assert f"sha256 {made.hash}" in head
    assert "{certificate}" not in made.source
    assert "output_eq" in head
    for word in (str(ROOT), "2026", "lnsym 0."):
        assert word not in made.source


def lint(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *map(str, arguments)], text=True, capture_output=True, timeout=300, cwd=ROOT)


@pytest.mark.parametrize("tier", TIERS)
def test_the_file_passes_ruff(tier: str) -> None:
    """With the project's own settings and with ruff's."""
    path = f"reports/code/layer_norm_{tier}.py"
    for settings_ in ((), ("--isolated", "--target-version", "py311")):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", "check", "--stdin-filename", path, *settings_, "-"],
            input=source(tier), text=True, capture_output=True, timeout=120, cwd=ROOT,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout


def test_the_files_pass_mypy(tmp_path: Path) -> None:
    paths = []
    for tier in TIERS:
        paths.append(tmp_path / f"ln_{tier}.py")
        paths[-1].write_text(source(tier), encoding="utf-8")
    done = lint("mypy", "--strict", "--config-file", os.devnull, *paths)
    assert done.returncode == 0, done.stdout
