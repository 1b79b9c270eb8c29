"""Laws of the emitted public functions, over shapes, axes, layouts and formats: at zero tolerance in the exact tier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lnsym import oracle
from tests.emit import sizes
from tests.emit.bug_cases import FORMATS, PRECISION
from tests.emit.modules import emitted
from tests.emit.sizes import allowed

Array = NDArray[Any]
TIERS = ("exact", "safe")
EPS = (1e-5, 0.25, 1e-12)
NARROW = ("float32", "float16", "bfloat16")
few = settings(max_examples=25)


# ---------------------------------------------------------------- rows

forms = st.sampled_from(("float64", *NARROW))
widths = st.sampled_from((1, 2, 3, 5, 7, 8, 31, 63, 64, 65, 128, 129))
kinds = st.sampled_from(("noise", "far", "integers", "few ulps", "wide", "constant"))
seeds = st.integers(0, 2**32 - 1)


def made(kind: str, form: str, shape: tuple[int, ...], seed: int) -> Array:
    """Rows of this kind: exactly what is drawn here, in this format."""
    r = np.random.default_rng(seed)
    noise: Array = r.standard_normal(shape)
    match kind:
        case "far":
            noise += 2.0 ** (PRECISION[form] // 2)
        case "integers":
            noise = r.integers(-8, 9, shape).astype(float)
        case "few ulps":
            noise = 1 + r.integers(0, 4, shape) * 2.0 ** (1 - PRECISION[form])
        case "wide":
            noise *= 2.0 ** r.integers(-8, 8, shape)
        case "constant":
            noise = np.broadcast_to(noise[..., :1], shape)
    return np.ascontiguousarray(noise).astype(FORMATS[form])


rows = st.builds(lambda kind, form, n, d, seed: made(kind, form, (n, d), seed), kinds, forms, st.integers(1, 5), widths, seeds)


def like(x: Array, seed: int, shape: tuple[int, ...] | None = None) -> Array:
    """Other numbers of the same format."""
    return made("noise", x.dtype.name, x.shape if shape is None else shape, seed)


def core_room(x: Array, eps: float) -> Array:
    """The bound of the safe tier for the core, k = 16."""
    return allowed(sizes.output(x, eps=eps), x.dtype.name)


def agree(tier: str, found: Array, other: Array, room: Array | float) -> None:
    """Equal in the exact tier; in the other no further apart than twice the room that each has."""
    assert found.dtype == other.dtype
    assert found.shape == other.shape
    if tier == "exact":
        np.testing.assert_array_equal(found, other)
    else:
        assert (np.abs(found.astype(float) - other.astype(float)) <= 2 * np.asarray(room)).all()


# ---------------------------------------------------------------- laws of the function


@pytest.mark.parametrize("tier", TIERS)
@few
@given(x=rows, eps=st.sampled_from(EPS), seed=seeds)
def test_the_order_of_the_entries_does_not_matter(tier: str, x: Array, eps: float, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(x.shape[1])
    found = emitted(tier).normalize(x, eps)
    agree(tier, emitted(tier).normalize(x[:, order], eps), found[:, order], core_room(x[:, order], eps))


@pytest.mark.parametrize("tier", TIERS)
@few
@given(x=rows, eps=st.sampled_from(EPS))
def test_the_sign_comes_out(tier: str, x: Array, eps: float) -> None:
    np.testing.assert_array_equal(emitted(tier).normalize(-x, eps), -emitted(tier).normalize(x, eps))


@pytest.mark.parametrize("tier", TIERS)
@few
@given(x=rows, eps=st.sampled_from(EPS), power=st.integers(-6, 6))
@example(x=made("noise", "float64", (2, 5), 1), eps=1e-5, power=400)
@example(x=made("noise", "float64", (2, 64), 1), eps=1e-5, power=-400)
@example(x=made("integers", "float32", (2, 64), 1), eps=1e-5, power=-100)
def test_a_power_of_two_cancels_if_eps_takes_its_square(tier: str, x: Array, eps: float, power: int) -> None:
    scaled = np.ldexp(x.astype(np.float64), power).astype(x.dtype)
    if not (np.ldexp(scaled.astype(np.float64), -power) == x).all():
        return
    agree(tier, emitted(tier).normalize(scaled, float(np.ldexp(eps, 2 * power))), emitted(tier).normalize(x, eps), core_room(x, eps))


@pytest.mark.parametrize("tier", TIERS)
@few
@given(form=forms, d=widths, seed=seeds, shift=st.integers(-100, 100))
def test_an_exact_shift_changes_nothing(tier: str, form: str, d: int, seed: int, shift: int) -> None:
    x = made("integers", form, (2, d), seed)
    shifted = x + np.asarray(shift, x.dtype)
    agree(tier, emitted(tier).normalize(shifted), emitted(tier).normalize(x), core_room(x, 1e-5))


@pytest.mark.parametrize("tier", TIERS)
@few
@given(form=forms, d=widths, value=st.floats(-1, 1), power=st.integers(-12, 14))
@example("float64", 7, 0.9, 1023)
@example("float64", 64, 0.1, -1060)
@example("float32", 129, 0.7, 127)
def test_a_constant_row_has_the_core_zero(tier: str, form: str, d: int, value: float, power: int) -> None:
    x = np.full((2, d), np.ldexp(value, power)).astype(FORMATS[form])
    found = emitted(tier).normalize(x)
    assert not found.any()
    assert tier == "safe" or not np.signbit(found).any()
    bias = like(x, 3, (d,))
    np.testing.assert_array_equal(emitted(tier).layer_norm(x, like(x, 2, (d,)), bias), np.broadcast_to(bias, x.shape))


@pytest.mark.parametrize("tier", TIERS)
@few
@given(x=rows, eps=st.sampled_from(EPS), seed=seeds)
def test_a_row_alone_is_the_row_in_its_batch(tier: str, x: Array, eps: float, seed: int) -> None:
    dy = like(x, seed)
    whole = emitted(tier).normalize(x, eps)
    (dx,) = emitted(tier).layer_norm_vjp(dy, x, eps=eps, wrt=("x",))
    for k in range(len(x)):
        agree(tier, emitted(tier).normalize(x[k], eps), whole[k], core_room(x[k : k + 1], eps)[0])
        (alone,) = emitted(tier).layer_norm_vjp(dy[k], x[k], eps=eps, wrt=("x",))
        agree(tier, alone, dx[k], gradient_room(dy[k : k + 1], x[k : k + 1], None, eps)[0])


@pytest.mark.parametrize("tier", TIERS)
@few
@given(x=rows, eps=st.sampled_from(EPS), seed=seeds, value=st.sampled_from((np.nan, np.inf, -np.inf)))
def test_a_row_that_is_not_finite_spoils_only_itself(tier: str, x: Array, eps: float, seed: int, value: float) -> None:
    dy, clean = like(x, seed), x.copy()
    spoilt, column = seed % len(x), seed % x.shape[1]
    x[spoilt, column] = value
    others = np.arange(len(x)) != spoilt
    found = emitted(tier).normalize(x, eps)
    assert np.isnan(found[spoilt]).all()
    agree(tier, found[others], emitted(tier).normalize(clean, eps)[others], core_room(clean, eps)[others])
    (dx,) = emitted(tier).layer_norm_vjp(dy, x, eps=eps, wrt=("x",))
    (right,) = emitted(tier).layer_norm_vjp(dy, clean, eps=eps, wrt=("x",))
    assert np.isnan(dx[spoilt]).all()
    agree(tier, dx[others], right[others], gradient_room(dy, clean, None, eps)[others])


# ---------------------------------------------------------------- axes and layouts: bit for bit in both tiers

shapes = st.lists(st.integers(1, 5), min_size=1, max_size=4).map(tuple)


@pytest.mark.parametrize("tier", TIERS)
@few
@given(shape=shapes, form=forms, seed=seeds, data=st.data())
def test_any_axes_are_the_last_ones_of_the_moved_array(
    tier: str, shape: tuple[int, ...], form: str, seed: int, data: st.DataObject
) -> None:
    axes = tuple(data.draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, unique=True)))
    signed = tuple(a - len(shape) if data.draw(st.booleans()) else a for a in axes)
    x, dy = made("noise", form, shape, seed), made("noise", form, shape, seed + 1)
    normalized = sorted(axes)
    inner = tuple(shape[a] for a in normalized)
    weight, bias = made("noise", form, inner, seed + 2), made("noise", form, inner, seed + 3)
    last = tuple(range(-len(axes), 0))

    def rows_of(array: Array) -> Array:
        return np.moveaxis(array, normalized, last).reshape(-1, int(np.prod(inner)))

    found = emitted(tier).layer_norm(x, weight, bias, axis=signed)
    right = emitted(tier).layer_norm(rows_of(x), weight.ravel(), bias.ravel())
    assert found.shape == shape
    np.testing.assert_array_equal(rows_of(found), right)
    dx, dweight, dbias = emitted(tier).layer_norm_vjp(dy, x, weight, axis=signed)
    right_dx, right_dweight, right_dbias = emitted(tier).layer_norm_vjp(rows_of(dy), rows_of(x), weight.ravel())
    np.testing.assert_array_equal(rows_of(dx), right_dx)
    assert dweight.shape == dbias.shape == inner
    np.testing.assert_array_equal(dweight.ravel(), right_dweight)
    np.testing.assert_array_equal(dbias.ravel(), right_dbias)


def laid_out(layout: str, x: Array) -> Array:
    """The same numbers in another layout of memory."""
    match layout:
        case "columns first":
            return np.asfortranarray(x)
        case "every other":
            wide = np.zeros((2 * x.shape[0], 3 * x.shape[1]), x.dtype)
            wide[::2, ::3] = x
            return wide[::2, ::3]
        case "backwards":
            return np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1]
        case "other byte order":
            return x.astype(x.dtype.newbyteorder()) if x.dtype.kind == "f" and x.dtype.isnative and x.dtype.name != "bfloat16" else x
        case "unaligned":
            raw = np.zeros(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
            raw[...] = x
            return raw
        case "read only":
            x.setflags(write=False)
            return x
        case _:
            return np.broadcast_to(x[:1], x.shape)


LAYOUTS = ("columns first", "every other", "backwards", "other byte order", "unaligned", "read only", "one row repeated")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("tier", TIERS)
@settings(max_examples=8)
@given(x=rows, seed=seeds)
def test_the_layout_of_memory_does_not_matter(tier: str, layout: str, x: Array, seed: int) -> None:
    dy = like(x, seed)
    a, g = laid_out(layout, x.copy()), laid_out(layout, dy.copy())
    b, h = np.ascontiguousarray(a).astype(x.dtype), np.ascontiguousarray(g).astype(x.dtype)
    found = emitted(tier).layer_norm(a, g[0])
    assert found.dtype.isnative
    np.testing.assert_array_equal(found, emitted(tier).layer_norm(b, h[0]))
    for one, other in zip(emitted(tier).layer_norm_vjp(g, a), emitted(tier).layer_norm_vjp(h, b), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("tier", TIERS)
@few
@given(x=rows, other=forms, seed=seeds)
def test_formats_mix_to_the_one_that_holds_all(tier: str, x: Array, other: str, seed: int) -> None:
    weight = made("noise", other, (x.shape[1],), seed)
    result = np.dtype(np.float32) if {x.dtype.name, other} == {"float16", "bfloat16"} else np.result_type(x, weight)
    found = emitted(tier).layer_norm(x, weight)
    assert found.dtype == result
    room = np.abs(weight.astype(float)) * core_room(x.astype(result), 1e-5)
    agree(tier, found, emitted(tier).layer_norm(x.astype(result), weight.astype(result)), room)


# ---------------------------------------------------------------- laws of the derivatives


def gradient_room(dy: Array, x: Array, weight: Array | None, eps: float) -> Array:
    """The bound of the safe tier for dx, k = 16."""
    return allowed(sizes.gradient(dy, x, weight, eps), x.dtype.name)


@pytest.mark.parametrize("tier", TIERS)
@few
@given(x=rows, eps=st.sampled_from(EPS), power=st.integers(-5, 5))
def test_the_gradient_along_ones_is_zero(tier: str, x: Array, eps: float, power: int) -> None:
    dy = np.full(x.shape, 2.0**power).astype(x.dtype)
    (found,) = emitted(tier).layer_norm_vjp(dy, x, eps=eps, wrt=("x",))
    assert not found.any()


@pytest.mark.parametrize("tier", TIERS)
@few
@given(x=rows, eps=st.sampled_from(EPS), seed=seeds, wrt=st.permutations(("x", "weight", "bias")), count=st.integers(0, 3))
def test_each_gradient_is_the_same_whatever_else_is_asked_for(
    tier: str, x: Array, eps: float, seed: int, wrt: list[str], count: int
) -> None:
    dy, weight = like(x, seed), like(x, seed + 1, (x.shape[1],))
    whole = dict(zip(("x", "weight", "bias"), emitted(tier).layer_norm_vjp(dy, x, weight, eps), strict=True))
    chosen = tuple(wrt[:count])
    found = emitted(tier).layer_norm_vjp(dy, x, weight, eps, wrt=chosen)
    assert len(found) == len(chosen)
    for name, one in zip(chosen, found, strict=True):
        np.testing.assert_array_equal(one, whole[name])


def beyond(found: Array, right: Array, size: Array) -> bool:
    """Whether an answer is further from the right one (given as float64) than the bound allows."""
    return not (np.abs(found.astype(float) - right) <= allowed(size, found.dtype.name)).all()


@pytest.mark.parametrize("tier", TIERS)
@few
@given(x=rows, eps=st.sampled_from(EPS), seed=seeds)
def test_gradients_are_those_of_the_oracle(tier: str, x: Array, eps: float, seed: int) -> None:
    dy, weight = like(x, seed), like(x, seed + 1, (x.shape[1],))
    dx, dweight, dbias = emitted(tier).layer_norm_vjp(dy, x, weight, eps)
    assert not beyond(dx, oracle.vjp(dy, x, weight, eps, np.float64), sizes.gradient(dy, x, weight, eps))
    weight_size, bias_size = sizes.parameters(dy, x, eps)
    assert not beyond(dweight, oracle.dweight(dy, x, eps, np.float64), weight_size)
    assert not beyond(dbias, oracle.dbias(dy, np.float64), bias_size)
    if tier == "exact":
        np.testing.assert_array_equal(dx, oracle.vjp(dy, x, weight, eps))


def inner(a: Array, b: Array) -> float:
    """The sum of the products."""
    return float((a.astype(float) * b.astype(float)).sum())


def room(form: str, *pairs: tuple[Array, Array]) -> float:
    """How far the two sides of an adjoint law may be apart: the bounds of the paired answers (second) times the other factors (first)."""
    return sum(float((np.abs(a.astype(float)) * allowed(size, form)).sum()) for a, size in pairs)


@few
@given(x=rows, eps=st.sampled_from(EPS), seed=seeds)
def test_vjp_is_adjoint_to_jvp(x: Array, eps: float, seed: int) -> None:
    form, dy, h, weight = x.dtype.name, like(x, seed), like(x, seed + 1), like(x, seed + 2, (x.shape[1],))
    forward = emitted("safe").layer_norm_jvp(x, h, weight, eps)
    assert not beyond(forward, oracle.jvp(x, h, weight, eps, np.float64), sizes.directional(x, h, weight, eps))
    for tier in TIERS:
        (dx,) = emitted(tier).layer_norm_vjp(dy, x, weight, eps, wrt=("x",))
        apart = abs(inner(dy, forward) - inner(dx, h))
        assert apart <= room(form, (dy, sizes.directional(x, h, weight, eps)), (h, sizes.gradient(dy, x, weight, eps)))


@few
@given(x=rows, eps=st.sampled_from(EPS), seed=seeds)
def test_double_backward_is_that_of_the_oracle_and_adjoint(x: Array, eps: float, seed: int) -> None:
    form, d = x.dtype.name, x.shape[1]
    dy, a = like(x, seed), like(x, seed + 1)
    weight, b, c = (like(x, seed + k, (d,)) for k in (2, 3, 4))
    found = emitted("safe").layer_norm_vjp_vjp(a, b, c, dy, x, weight, eps)
    size = sizes.double_backward(a, b, c, dy, x, weight, eps)
    for one, right, how_far in zip(found, oracle.vjp_vjp(a, b, c, dy, x, weight, eps, np.float64), size, strict=True):
        assert not beyond(one, right, how_far)
    # The first backward pass is linear in dy: the cotangent of dy paired with dy is what the cotangents paired with its results are.
    first = (oracle.vjp(dy, x, weight, eps, np.float64), oracle.dweight(dy, x, eps, np.float64), oracle.dbias(dy, np.float64))
    paired = sum(inner(p, q) for p, q in zip((a, b, c), first, strict=True))
    assert abs(inner(dy, found[0]) - paired) <= room(form, (dy, size[0])) + 1e-12 * (1 + abs(paired))


@few
@given(x=rows, seed=seeds, absent=st.sets(st.integers(0, 2)))
def test_an_absent_cotangent_is_zero(x: Array, seed: int, absent: set[int]) -> None:
    d = x.shape[1]
    dy, weight = like(x, seed), like(x, seed + 1, (d,))
    given_ = [like(x, seed + 2), like(x, seed + 3, (d,)), like(x, seed + 4, (d,))]
    a, b, c = (np.zeros_like(one) if k in absent else one for k, one in enumerate(given_))
    nones = [None if k in absent else one for k, one in enumerate(given_)]
    size = sizes.double_backward(a, b, c, dy, x, weight)
    exact = oracle.vjp_vjp(a, b, c, dy, x, weight, 1e-5, np.float64)
    for cotangents in (nones, [a, b, c]):
        found = emitted("safe").layer_norm_vjp_vjp(*cotangents, dy, x, weight)
        for one, right, how_far in zip(found, exact, size, strict=True):
            assert not beyond(one, right, how_far)


@few
@given(x=rows, eps=st.sampled_from(EPS))
def test_the_jacobian_is_that_of_the_oracle_and_symmetric(x: Array, eps: float) -> None:
    found = emitted("safe").jacobian(x[0], eps)
    assert not beyond(found, oracle.jacobian(x[0], eps, np.float64), sizes.jacobian(x[0], eps))
    np.testing.assert_array_equal(found, found.T)


# ---------------------------------------------------------------- merging


def statistics(x: Array) -> tuple[Array, Array, Array]:
    """Count, mean and sum of squared deviations of a float64 array, to the last digit."""
    long = x.astype(np.longdouble)
    mean = long.mean()
    return np.float64(x.size), np.float64(mean), np.float64(((long - mean) ** 2).sum())  # type: ignore[return-value]


@pytest.mark.parametrize("tier", TIERS)
@few
@given(n=st.integers(1, 9), m=st.integers(1, 9), shift=st.sampled_from((0.0, 1.0, 1e6)), seed=seeds)
def test_merged_parts_are_the_whole(tier: str, n: int, m: int, shift: float, seed: int) -> None:
    module = emitted(tier)
    first, second = made("noise", "float64", (n,), seed), made("noise", "float64", (m,), seed + 1) + shift
    found = module.merge_stats(statistics(first), statistics(second))
    right = statistics(np.concatenate([first, second]))
    assert found[0] == n + m
    swapped = module.merge_stats(statistics(second), statistics(first))
    for one in (found, swapped):
        np.testing.assert_allclose([float(v) for v in one[1:]], [float(v) for v in right[1:]], rtol=1e-14, atol=1e-14 * (1 + shift))
    if tier == "exact":
        np.testing.assert_array_equal(swapped, found)


@pytest.mark.parametrize("tier", TIERS)
@few
@given(n=st.integers(1, 9), seed=seeds)
def test_nothing_merged_with_a_part_is_the_part(tier: str, n: int, seed: int) -> None:
    module = emitted(tier)
    part = statistics(made("far", "float64", (n,), seed))
    np.testing.assert_array_equal(module.merge_stats(part, (0.0, 0.0, 0.0)), part)
    np.testing.assert_array_equal(module.merge_stats((0.0, 0.0, 0.0), part), part)
