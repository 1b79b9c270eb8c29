"""A function with the mistake of every public bug report that a black box can show, and the reason for each of the others. Imports NumPy.

SUBJECTS and UNSEEN are keyed by the ids of tests/data/bug_cases.json; a test holds them to the wrong answers that are stated there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.audit.honest_subjects import two_pass
from tests.audit.norms import Array, Axes, Backward, Forward, Sums, Terms, affine, backward, dx_of, norm, row_mean, rows_last, wide


@dataclass(frozen=True)
class CaseSubject:
    """An implementation with one mistake. An audit is right if it names one of `codes`.

    `formats` are those to audit it in, the case's own first. `full_range` says that only rows beyond the ordinary range show it,
    `mixed` that only float32 weights with half rows do, `axis` along which axis to ask for it.
    """

    forward: Forward
    codes: tuple[str, ...]
    grad: Backward | None = None
    formats: tuple[str, ...] = ("float64",)
    full_range: bool = False
    mixed: bool = False
    axis: int = -1


SINGLE = ("float32",)

# ---------------------------------------------------------------- arithmetic


@norm
def one_pass(x: Array, eps: float) -> Array:
    """Variance as mean of squares minus square of mean, with sums from the first entry to the last."""
    d = x.dtype.type(x.shape[-1])
    mean = _narrow_sum(x) / d
    variance = _narrow_sum(x * x) / d - mean * mean
    core: Array = (x - mean) / np.sqrt(variance + x.dtype.type(eps))
    return core


def welford(x: Array) -> tuple[Array, Array]:
    """Mean and variance of rows by a running mean."""
    mean = np.zeros((*x.shape[:-1], 1), x.dtype)
    total = mean.copy()
    for k in range(x.shape[-1]):
        entry = x[..., k : k + 1]
        step = entry - mean
        mean = mean + step / x.dtype.type(k + 1)
        total = total + step * (entry - mean)
    return mean, total / x.dtype.type(max(x.shape[-1], 1))


@norm
def running_mean(x: Array, eps: float) -> Array:
    """Welford's loop in the format of the row."""
    mean, variance = welford(x)
    core: Array = (x - mean) / np.sqrt(variance + x.dtype.type(eps))
    return core


@norm
def fused_scale_and_shift(x: Array, eps: float) -> Array:
    """The core as x*rstd - mean*rstd with one rounding in place of two: where x is the mean a residue stays."""
    mean = row_mean(x)
    v = x - mean
    rstd = 1 / np.sqrt(row_mean(v * v) + x.dtype.type(eps))
    return _fused(x, rstd, mean * rstd)


def _fused(a: Array, b: Array, c: Array) -> Array:
    """a*b - c rounded once, where a*b and c nearly cancel: the product is split into its rounding and the rest, which is exact."""
    b = np.broadcast_to(b, a.shape)
    split = a.dtype.type(2.0 ** (27 if a.dtype == np.float64 else 12) + 1)
    a1, b1 = split * a - (split * a - a), split * b - (split * b - b)
    product = a * b
    rest = ((a1 * b1 - product) + a1 * (b - b1) + (a - a1) * b1) + (a - a1) * (b - b1)
    core: Array = product - c + rest
    return core


@norm
def zero_times_infinity(x: Array, eps: float) -> Array:
    """Two parts of the sum of squares are merged with a correction whose factor is 0 by an integer division."""
    v = x - row_mean(x)
    squares, part = v * v, x.shape[-1] // 4
    one, other = squares[..., :part].sum(axis=-1, keepdims=True), squares[..., part:].sum(axis=-1, keepdims=True)
    factor = x.dtype.type(part * (x.shape[-1] - part) // max(x.shape[-1], 1) ** 3)
    variance = (one + other + (other - one) ** 2 * factor) / x.dtype.type(x.shape[-1])
    core: Array = v / np.sqrt(variance + x.dtype.type(eps))
    return core


@norm
def estimated_rstd(x: Array, eps: float) -> Array:
    """The reciprocal root is off by 2.5e-4, as without a Newton step."""
    v = x - row_mean(x)
    core: Array = v * (x.dtype.type(1 + 2.5e-4) / np.sqrt(row_mean(v * v) + x.dtype.type(eps)))
    return core


def all_in_format(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """Two passes with every step rounded to the format of the row, also the sums."""
    rows, back = rows_last(x, axis)
    d, c = rows.dtype.type(rows.shape[-1]), rows.dtype.type(eps)
    with np.errstate(all="ignore"):
        v = rows - _narrow_sum(rows) / d
        return back(affine(v / np.sqrt(_narrow_sum(v * v / d) + c), weight, bias).astype(x.dtype))


def _narrow_sum(a: Array) -> Array:
    """The sum along the last axis, rounded after every addition."""
    total = np.zeros((*a.shape[:-1], 1), a.dtype)
    for k in range(a.shape[-1]):
        total = total + a[..., k : k + 1]
    return total


def half_sum_of_squares(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """Float32 statistics, but the sum of squares is kept in the half format before it is divided by d."""
    rows, back = rows_last(x, axis)
    with np.errstate(all="ignore"):
        v = wide(rows) - row_mean(wide(rows))
        variance = _narrow_sum((v * v).astype(x.dtype)).astype(v.dtype) / v.dtype.type(v.shape[-1])
        return back(affine(v / np.sqrt(variance + v.dtype.type(eps)), weight, bias).astype(x.dtype))


def root_in_half(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """The sum of variance and eps is formed in float32 and then cast to the half format."""
    rows, back = rows_last(x, axis)
    with np.errstate(all="ignore"):
        v = wide(rows) - row_mean(wide(rows))
        under_root = (row_mean(v * v) + v.dtype.type(eps)).astype(x.dtype)
        return back(affine(v / np.sqrt(under_root.astype(v.dtype)), weight, bias).astype(x.dtype))


def weight_in_half(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """A wider weight is rounded to the format of the row before it is used."""
    return two_pass(x, None if weight is None else weight.astype(x.dtype), bias, eps, axis)


# ---------------------------------------------------------------- eps


@norm
def without_eps(x: Array, _: float) -> Array:
    """Eps never arrives."""
    v = x - row_mean(x)
    return v / np.sqrt(row_mean(v * v))


@norm
def own_eps(x: Array, _: float) -> Array:
    """Eps is 1e-6, whatever was asked for."""
    v = x - row_mean(x)
    core: Array = v / np.sqrt(row_mean(v * v) + x.dtype.type(1e-6))
    return core


@norm
def least_eps(x: Array, eps: float) -> Array:
    """A smaller eps is raised to 1.001e-5."""
    v = x - row_mean(x)
    core: Array = v / np.sqrt(row_mean(v * v) + x.dtype.type(max(eps, 1.001e-5)))
    return core


@norm
def scaled_down(x: Array, eps: float) -> Array:
    """The row is divided by 8, eps is not divided by 64."""
    v = x / 8 - row_mean(x / 8)
    core: Array = v / np.sqrt(row_mean(v * v) + x.dtype.type(eps))
    return core


@norm
def eps_outside(x: Array, eps: float) -> Array:
    """Eps is added to the standard deviation."""
    v = x - row_mean(x)
    core: Array = v / (np.sqrt(row_mean(v * v)) + x.dtype.type(eps))
    return core


@norm
def eps_inside_and_outside(x: Array, eps: float) -> Array:
    """Eps is added under the root and to it."""
    v, c = x - row_mean(x), x.dtype.type(eps)
    core: Array = v / (np.sqrt(row_mean(v * v) + c) + c)
    return core


@norm
def squared_for_root(x: Array, eps: float) -> Array:
    """Exponent 2 where 0.5 belongs."""
    v = x - row_mean(x)
    core: Array = v / (row_mean(v * v) + x.dtype.type(eps)) ** 2
    return core


# ---------------------------------------------------------------- divisor, members, formula


@norm
def sample_deviation_plus_eps(x: Array, eps: float) -> Array:
    """Divisor d - 1, and eps outside the root."""
    return (x - row_mean(x)) / (x.std(axis=-1, ddof=1, keepdims=True) + x.dtype.type(eps)) if x.shape[-1] > 1 else x * np.nan


@norm
def padded_lanes(x: Array, eps: float) -> Array:
    """Rows are padded to blocks of 4 with zeros, which deviate from the mean by the mean."""
    d = x.shape[-1]
    padded = np.concatenate([x, np.zeros((*x.shape[:-1], -d % 4), x.dtype)], axis=-1)
    mean = padded.sum(axis=-1, keepdims=True) / x.dtype.type(d)
    variance = ((padded - mean) ** 2).sum(axis=-1, keepdims=True) / x.dtype.type(d)
    core: Array = (x - mean) / np.sqrt(variance + x.dtype.type(eps))
    return core


@norm
def neighbors_in_lanes(x: Array, eps: float) -> Array:
    """Rows are read in blocks of 4 whose mask ends with the whole array: the lanes behind a row read the next row."""
    d = x.shape[-1]
    lanes = np.arange(x.size // max(d, 1))[:, None] * d + np.arange(d + -d % 4)
    inside = lanes < x.size
    read = np.where(inside, x.reshape(-1)[np.where(inside, lanes, 0)], 0) if x.size else np.zeros(lanes.shape, x.dtype)
    mean = read.sum(axis=-1, keepdims=True) / x.dtype.type(d)
    variance = (np.where(inside, read - mean, 0) ** 2).sum(axis=-1, keepdims=True) / x.dtype.type(d)
    core: Array = (x.reshape(-1, d) - mean) / np.sqrt(variance + x.dtype.type(eps))
    return core.astype(x.dtype).reshape(x.shape)


@norm
def divided_by_rows(x: Array, eps: float) -> Array:
    """The sum of squares is divided by the number of rows."""
    v = x - row_mean(x)
    n = x.dtype.type(x.size // max(x.shape[-1], 1))
    core: Array = v / np.sqrt((v * v).sum(axis=-1, keepdims=True) / n + x.dtype.type(eps))
    return core


def weight_offset_dropped(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """A weight that is stored as weight - 1 is applied as it is stored."""
    return two_pass(x, None if weight is None else weight - weight.dtype.type(1), bias, eps, axis)


@norm
def squared_deviations(x: Array, eps: float) -> Array:
    """The deviations were overwritten by their squares."""
    v = x - row_mean(x)
    core: Array = v * v / np.sqrt(row_mean(v * v) + x.dtype.type(eps))
    return core


@norm
def multiplied(x: Array, eps: float) -> Array:
    """Multiplied by the deviation instead of divided."""
    v = x - row_mean(x)
    core: Array = v * np.sqrt(row_mean(v * v) + x.dtype.type(eps))
    return core


@norm
def uncentered(x: Array, eps: float) -> Array:
    """The row itself over its standard deviation."""
    core: Array = x / np.sqrt(x.var(axis=-1, keepdims=True) + x.dtype.type(eps))
    return core


def axis_dropped(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """The reductions drop their axis, so that shapes broadcast along the wrong one, or not at all."""
    with np.errstate(all="ignore"):
        v = wide(x) - wide(x).mean(axis=axis)
        core, back = rows_last(v / np.sqrt((v * v).mean(axis=axis) + v.dtype.type(eps)), axis)
        return back(affine(core, weight, bias).astype(x.dtype))


def weight_as_bias(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """The importer reads its arguments one place off: no weight, and the weight as bias."""
    del bias
    return two_pass(x, None, weight, eps, axis)


def last_axis(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """The last axis is normalized, whatever axis was asked for."""
    del axis
    return two_pass(x, weight, bias, eps, -1)


# ---------------------------------------------------------------- behaviour


def width_one_refused(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """A check of the input refuses rows of one entry."""
    if rows_last(x, axis)[0].shape[-1] < 2:
        raise ValueError("the normalized size must be greater than 1")
    return two_pass(x, weight, bias, eps, axis)


def empty_refused(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """No kernel can be started over an empty grid."""
    if not x.size:
        raise RuntimeError("invalid configuration: grid of size 0")
    return two_pass(x, weight, bias, eps, axis)


def zero_bias_of_second_axis(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """An absent bias is replaced by zeros as long as the second axis."""
    zeros = np.zeros(x.shape[min(1, x.ndim - 1)], x.dtype) if bias is None else bias
    return two_pass(x, weight, zeros, eps, axis)


def memory_order(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """The buffer is read as if the rows lay one after the other."""
    reach = sum((n - 1) * step for n, step in zip(x.shape, x.strides, strict=True)) // x.itemsize
    if x.size and min(x.strides) > 0 and reach >= x.size - 1:  # else it would read what is not there
        contiguous = np.empty(x.shape, x.dtype).strides
        x = np.lib.stride_tricks.as_strided(x, x.shape, contiguous)
    return two_pass(x, weight, bias, eps, axis)


def offset_ignored(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """A slice is read from the start of the array that it was cut from."""
    whole = x.base
    if isinstance(whole, np.ndarray) and whole.dtype == x.dtype and whole.flags.c_contiguous and x.flags.c_contiguous:
        x = whole.reshape(-1)[: x.size].reshape(x.shape)
    return two_pass(x, weight, bias, eps, axis)


def single_result(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """What comes in half comes out in float32."""
    return two_pass(wide(x), weight, bias, eps, axis)


def quantized_bias(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """The bias is divided by its greatest entry and multiplied again, also where that is 0."""
    if bias is not None and bias.size:
        with np.errstate(all="ignore"):
            scale = np.abs(bias).max()
            bias = bias / scale * scale
    return two_pass(x, weight, bias, eps, axis)


def rows_up_to_65535(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5, axis: Axes = -1) -> Array:
    """The grid has 65535 blocks, and further rows are not written."""
    rows, back = rows_last(two_pass(x, weight, bias, eps, axis), axis)
    flat = rows.reshape(-1, rows.shape[-1]).copy()
    flat[65535:] = 0
    return back(flat.reshape(rows.shape))


# ---------------------------------------------------------------- gradients


@backward
def nan_at_constant_rows(t: Terms) -> Sums:
    """The derivative is taken through the standard deviation, which has none at 0."""
    q = row_mean(t.v * t.v)
    unit = t.v / np.sqrt(q)
    return (t.g - row_mean(t.g) - q / t.s**2 * unit * row_mean(t.g * unit)) / t.s, None, None


@backward
def variance_constant(t: Terms) -> Sums:
    """The third term is missing."""
    return (t.g - row_mean(t.g)) / t.s, None, None


@backward
def last_block_of_two(t: Terms) -> Sums:
    """Sums run over blocks of 2 entries, and only the last one survives."""
    d = t.g.shape[-1]
    last = slice((d - 1) // 2 * 2, None)
    mean = t.g[:, last].sum(axis=-1, keepdims=True) / d
    return (t.g - mean - t.u * (t.g * t.u)[:, last].sum(axis=-1, keepdims=True) / d) / t.s, None, None


@backward
def rstd_as_variance(t: Terms) -> Sums:
    """The saved rstd is inverted as if it were a variance."""
    s = np.sqrt(1 / t.s + t.s.dtype.type(t.eps))
    return dx_of(t.g, t.v / s, s), (t.dy * t.v / s).sum(axis=0), None


@backward
def exponent_floor_divided(t: Terms) -> Sums:
    """Exponent -3/2 becomes -1 in the last term."""
    return (t.g - row_mean(t.g)) / t.s - t.v * row_mean(t.g * t.v) / t.s**2, None, None


def recovered_core(
    dy: Array, x: Array, weight: Array | None = None, eps: float = 1e-5, bias: Array | None = None,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """dweight recovers the core from y with weight and bias of the next entry; without a bias there is none to take off."""
    d = x.shape[-1]
    gain, offset = np.ones(d, x.dtype) if weight is None else weight, np.zeros(d, x.dtype) if bias is None else bias
    y = two_pass(x, weight, bias, eps).reshape(-1, d)
    with np.errstate(all="ignore"):
        dweight = (dy.reshape(-1, d) * (y - np.roll(offset, -1)) / np.roll(gain, -1)).sum(axis=0)
    dx, _, dbias = right(dy, x, weight, eps)
    return dx, dweight, dbias


@backward
def right(_: Terms) -> Sums:
    """No mistake."""
    return None, None, None


@backward
def swapped(t: Terms) -> Sums:
    """dbias stands where dweight belongs."""
    return None, t.dy.sum(axis=0), (t.dy * t.u).sum(axis=0)


@backward
def last_rows_dropped(t: Terms) -> Sums:
    """Partial sums of blocks of 2 rows, of which the incomplete one is lost."""
    kept = len(t.dy) // 2 * 2
    return None, (t.dy * t.u)[:kept].sum(axis=0), t.dy[:kept].sum(axis=0)


@backward
def first_two_rows(t: Terms) -> Sums:
    """One device's rows, not summed with the others'."""
    return None, (t.dy * t.u)[:2].sum(axis=0), t.dy[:2].sum(axis=0)


@backward
def dweight_of_weight(t: Terms) -> Sums:
    """dy times weight is summed."""
    return None, (t.dy * t.weight).sum(axis=0), None


@backward
def no_dbias(t: Terms) -> Sums:
    """The gradient by the bias is lost."""
    return None, None, np.zeros(t.dy.shape[-1], t.dy.dtype)


def in_place(dy: Array, x: Array, weight: Array | None = None, eps: float = 1e-5) -> tuple[Array, Array, Array]:
    """Copy, scale, add, scale, in the buffer of dy: the addition reads what the copy has overwritten."""
    _, dweight, dbias = right(dy, x, weight, eps)
    v = x - row_mean(x)
    s = np.sqrt(row_mean(v * v) + x.dtype.type(eps))
    g = dy if weight is None else dy * weight
    mean, along = row_mean(g), row_mean(g * v / s)
    dx = dy
    dx[...] = v / s
    dx *= -along
    dx += dy
    dx -= mean
    dx /= s
    return dx, dweight, dbias


# ---------------------------------------------------------------- the cases

ONE_PASS = CaseSubject(one_pass, ("LN201",), formats=SINGLE)

SUBJECTS: dict[str, CaseSubject] = {
    **dict.fromkeys(("B01", "B04", "B06", "B08", "B10", "B12", "B16", "B03", "B19", "B26"), ONE_PASS),
    "B14": CaseSubject(running_mean, ("LN209",), formats=SINGLE, full_range=True),
    "B60": CaseSubject(empty_refused, ("LN407",), formats=SINGLE),
    "B62": CaseSubject(width_one_refused, ("LN406",), formats=SINGLE),
    "B64": CaseSubject(fused_scale_and_shift, ("LN208",), full_range=True),
    "B66": CaseSubject(two_pass, ("LN414",), nan_at_constant_rows, SINGLE),
    "B20": CaseSubject(two_pass, ("LN203",), formats=SINGLE, full_range=True),
    "B22": CaseSubject(all_in_format, ("LN205",), formats=("float16",)),
    "B24": CaseSubject(half_sum_of_squares, ("LN204",), formats=("float16",)),
    "B27": CaseSubject(root_in_half, ("LN217",), formats=("float16",)),
    "B29": CaseSubject(all_in_format, ("LN205", "LN206"), formats=("float16",)),
    "B31": CaseSubject(without_eps, ("LN104",), formats=SINGLE),
    "B33": CaseSubject(own_eps, ("LN105",), formats=SINGLE),
    "B35": CaseSubject(least_eps, ("LN106",), formats=SINGLE),
    "B37": CaseSubject(scaled_down, ("LN112",), formats=SINGLE),
    "B39": CaseSubject(two_pass, ("LN415",), formats=SINGLE, full_range=True),
    "B42": CaseSubject(eps_outside, ("LN101",), formats=SINGLE),
    "B45": CaseSubject(squared_for_root, ("LN130",), formats=SINGLE),
    "B47": CaseSubject(eps_inside_and_outside, ("LN102",), formats=SINGLE),
    "B49": CaseSubject(eps_outside, ("LN101",), formats=SINGLE),
    "B44": CaseSubject(sample_deviation_plus_eps, ("LN114",), formats=SINGLE),
    "B52": CaseSubject(padded_lanes, ("LN122",), formats=SINGLE),
    "B54": CaseSubject(neighbors_in_lanes, ("LN123",), formats=SINGLE),
    "B56": CaseSubject(divided_by_rows, ("LN124",), formats=SINGLE),
    "B68": CaseSubject(two_pass, ("LN303",), variance_constant),
    "B70": CaseSubject(two_pass, ("LN312",), last_block_of_two),
    "B72": CaseSubject(weight_offset_dropped, ("LN162",)),
    "B74": CaseSubject(two_pass, ("LN308",), rstd_as_variance),
    "B76": CaseSubject(squared_deviations, ("LN132",), formats=SINGLE),
    "B77": CaseSubject(multiplied, ("LN131",), formats=SINGLE),
    "B79": CaseSubject(two_pass, ("LN329",), recovered_core),
    "B81": CaseSubject(two_pass, ("LN321",), swapped),
    "B83": CaseSubject(two_pass, ("LN327",), last_rows_dropped),
    "B85": CaseSubject(two_pass, ("LN328",), first_two_rows),
    "B87": CaseSubject(two_pass, ("LN322",), dweight_of_weight),
    "B98": CaseSubject(two_pass, ("LN330",), no_dbias),
    "B99": CaseSubject(uncentered, ("LN127",), formats=SINGLE),
    "B102": CaseSubject(axis_dropped, ("LN137", "LN420")),
    "B104": CaseSubject(weight_as_bias, ("LN156",)),
    "B105": CaseSubject(zero_bias_of_second_axis, ("LN416", "LN420")),
    "B107": CaseSubject(last_axis, ("LN136",), axis=1),
    "B111": CaseSubject(memory_order, ("LN410",), formats=SINGLE),
    "B113": CaseSubject(offset_ignored, ("LN411",), formats=SINGLE),
    "B116": CaseSubject(two_pass, ("LN346", "LN401"), in_place),
    "B119": CaseSubject(zero_times_infinity, ("LN203", "LN425"), formats=SINGLE, full_range=True),
    "B121": CaseSubject(all_in_format, ("LN205",), formats=("float16",)),
    "B123": CaseSubject(single_result, ("LN405",), formats=("bfloat16",)),
    "B125": CaseSubject(weight_in_half, ("LN213",), formats=("bfloat16",), mixed=True),
    "B129": CaseSubject(estimated_rstd, ("LN207",), formats=SINGLE),
    "B131": CaseSubject(quantized_bias, ("LN425",), formats=SINGLE),
    "B132": CaseSubject(rows_up_to_65535, ("LN422",), formats=SINGLE),
    "B139": CaseSubject(two_pass, ("LN316",), exponent_floor_divided),
}

UNSEEN: dict[str, str] = {
    "B58": "eps = 0 with variance 0 has no right answer",
    "B89": "the report does not say which wrong formula it was",
    "B91": "a race shows in some runs only, and one process with NumPy has none; LN402 is what an audit would say",
    "B92": "the report does not say which wrong formula it was, and a NumPy function has no forward mode",
    "B94": "the report does not say which wrong formula it was",
    "B96": "it takes mean and rstd as further results, which an audit does not ask for",
    "B109": "the values are right; the wrong shape is declared in a graph and not returned",
    "B115": "the report does not say which wrong formula it was",
    "B118": "a race shows in some runs only, and one process with NumPy has none; LN402 is what an audit would say",
    "B127": "it is about an option that claims wider sums, which a layer norm does not have",
    "B134": "it needs more than 2^32 entries",
    "B136": "the report does not say which wrong formula it was",
    "B137": "it is about names in generated code",
    "B141": "the result is an unevaluated symbol, not a number",
    "B143": "it is about numbers of 50 digits, and float64 cannot hold the difference",
    "B145": "the report does not say which wrong formula it was",
    "B146": "it is a test that cannot fail, not an implementation",
    "B148": "the formula is right; the differences that it was compared with were not",
    "B150": "no mistake: it is about the tolerance",
    "B152": "no mistake: what follows the norm magnifies its rounding",
    "B153": "no mistake: the gradient of a sum is zero",
    "B155": "no mistake: the result was checked with the divisor d - 1",
    "B157": "no mistake: both gradients are within rounding",
}
