"""How far an honest answer may be from the exact one: bounds derived from format, width and condition of each row, for sums in any order.

The model is the textbook's two passes in the working format: float64 or float32 as given, float32 for the half formats with one rounding at
the end. Every bound follows the computation step by step (a size and an error for every intermediate); `why` says it with the numbers of
a call. Imports NumPy, the calls and the formats of the oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import fill

import numpy as np

from lnsym.audit.call import Array, Call, Gradient
from lnsym.oracle import FORMATS

HALF = ("float16", "bfloat16")
ORDERS = 2  # how much more other orders of the same terms may take in derivatives: sum(g x) - mean sum(g), or the chain rule step by step
GROWTH: Mapping[str, Callable[[float], float]] = {  # K: how many roundings a mean of d numbers goes through
    "any": lambda d: d + 2 * np.log2(d) + 10,  # d - 1 additions in any order, or means and squares that are updated number by number
    "compensated": lambda _: 6,  # sums whose rounding errors are summed too, or whose mean is corrected by that of the deviations
    "pairwise": lambda d: 2 * np.log2(d) + 30,  # blocks of at most 128, eight sums each, added two by two
}


@dataclass(frozen=True)
class Arithmetic:
    """A format to calculate in: the unit roundoff, and below which size results may be lost."""

    name: str
    unit: float
    floor: float

    def several(self, count: float) -> float:
        """What `count` roundings in a row amount to, relatively: k t/(1 - k t)."""
        return count * self.unit / (1 - count * self.unit) if count * self.unit < 0.5 else np.inf


def arithmetic(fmt: str, gradual: bool = False) -> Arithmetic:
    """A format's arithmetic. Numbers below the normal ones may become 0, as many machines have it, unless underflow is gradual."""
    form = FORMATS[fmt]
    least = form.least if gradual or fmt == "float16" else form.least + form.precision - 1
    return Arithmetic(fmt, 2.0**-form.precision, float(np.ldexp(1.0, least)))


def working(fmt: str, gradual: bool = False) -> Arithmetic:
    """What an answer in a format is calculated in: float32 for the half formats."""
    return arithmetic("float32" if fmt in HALF else fmt, gradual)


@dataclass(frozen=True, eq=False)
class Near:
    """A calculated quantity: how large it is at most, and how far off at most."""

    size: Array
    error: Array


def exactly(values: Array) -> Near:
    """Numbers that are given."""
    return Near(np.abs(values), np.zeros(np.shape(values)))


@dataclass(frozen=True)
class Steps:
    """One rounding after each operation; `roundings` is K, those of a mean of d numbers."""

    arithmetic: Arithmetic
    roundings: float

    def rounded(self, size: Array, error: Array) -> Near:
        return Near(size, error + self.arithmetic.unit * (size + error) + self.arithmetic.floor)

    def times(self, one: Near, other: Near) -> Near:
        return self.rounded(one.size * other.size, one.size * other.error + one.error * (other.size + other.error))

    def plus(self, one: Near, other: Near) -> Near:
        return self.rounded(one.size + other.size, one.error + other.error)

    def total(self, terms: Near, axis: int, roundings: float) -> Near:
        size, error = terms.size.sum(axis, keepdims=True), terms.error.sum(axis, keepdims=True)
        return Near(size, error + self.arithmetic.several(roundings) * (size + error) + self.arithmetic.floor)

    def mean(self, terms: Near) -> Near:
        """The mean of every row."""
        d = terms.size.shape[1]
        whole = self.total(terms, 1, self.roundings)
        return Near(whole.size / d, whole.error / d + self.arithmetic.floor)


@dataclass(frozen=True, eq=False)
class Statistics:
    """What the bounds start from, row by row in float64: the core and 1/s with their errors, and the error of the mean over s."""

    steps: Steps
    values: Array  # u itself, (n, d)
    u: Near  # (n, d)
    r: Near  # (n, 1)
    alpha: Array  # (n, 1)
    size: Array  # mean|x|, (n, 1)
    s: Array  # (n, 1)
    mean_over_s: Array  # |mu|/s, (n, 1)
    rho: Array  # q/(q + eps), (n, 1)
    relative: Array  # how far 1/s is off, relatively, (n, 1)


def statistics(call: Call, fmt: str, model: str = "any", gradual: bool = False) -> Statistics:
    """The statistics of every row, calculated at a scale at which nothing overflows; rows that are not finite count as rows of zeros."""
    x, d = call.flat(call.x).astype(np.float64), call.width
    kept = np.ones(x.shape, dtype=bool) if call.mask is None else call.flat(np.broadcast_to(call.mask, call.x.shape))
    x = np.where(kept, x, 0.0)
    x = np.where(np.isfinite(x).all(axis=1, keepdims=True), x, 0.0)
    count = np.maximum(kept.sum(axis=1, keepdims=True), 1)
    root = float(np.sqrt(abs(call.eps)))
    exponent = np.frexp(np.maximum(np.abs(x).max(axis=1, keepdims=True, initial=0.0), root))[1]
    z, root_of_eps = np.ldexp(x, -exponent), np.ldexp(root, -exponent)
    mean = z.sum(axis=1, keepdims=True) / count
    v = np.where(kept, z - mean, 0.0)
    v = np.where(kept, v - v.sum(axis=1, keepdims=True) / count, 0.0)
    q = (v * v).sum(axis=1, keepdims=True) / count
    s = np.sqrt(q + root_of_eps**2)
    steps = Steps(working(fmt, gradual), float(GROWTH[model](d)))
    unit, floor, k = steps.arithmetic.unit, steps.arithmetic.floor, steps.roundings
    u = np.where(v == 0, 0.0, v / s)
    size = np.abs(z).sum(axis=1, keepdims=True) / count
    alpha = (steps.arithmetic.several(k) * size + 2 * np.ldexp(floor, -exponent)) / s
    true_s = np.ldexp(s, exponent)
    w = (k + 6) * unit + (np.sqrt(floor) / true_s) ** 2
    relative = np.where(w <= 0.5, w / 2 + w * w, np.inf) + 6 * unit + alpha * (1 + 4 * alpha)
    error = np.abs(u) * np.where(u == 0, 0.0, relative) + alpha * (1 + relative) + floor
    return Statistics(
        steps, u, Near(np.abs(u), error), Near(1 / true_s, relative / true_s), alpha, np.ldexp(size, exponent), true_s,
        np.abs(mean) / s, q / s**2, relative,
    )  # fmt: skip


def condition(call: Call) -> Array:
    """sqrt(1 + mu^2/q) of every row, (n,): by how much a one-pass variance magnifies relative errors, as a square; infinite where q = 0."""
    with np.errstate(all="ignore"):
        found = statistics(call.but(eps=0.0), "float64")
        mean = np.where(np.isnan(found.mean_over_s), 0.0, found.mean_over_s)
        whole: Array = np.hypot(1.0, mean)[:, 0]
        return whole


# ---------------------------------------------------------------- what a right answer may be off by


def output(call: Call, fmt: str, model: str = "any", gradual: bool = False) -> Array:
    """How far y may be off, in the shape of x."""
    with np.errstate(all="ignore"):
        found = statistics(call, fmt, model, gradual)
        rows = call.rows()
        core = found.steps.times(exactly(rows.weight), found.u)
        y = found.steps.plus(core, exactly(rows.bias))
        return call.shaped(_answer(Near(np.abs(rows.affine(found.values)), y.error), fmt, gradual))


def gradient(call: Call, dy: Array, fmt: str, model: str = "any") -> Gradient:
    """How far the gradients for the cotangent dy may be off, by "x", "weight" and "bias", in their shapes."""
    shape = tuple(call.x.shape[axis] for axis in call.axes)
    with np.errstate(all="ignore"):
        found = statistics(call, fmt, model)
        steps, n = found.steps, call.flat(call.x).shape[0]
        dy, weight = call.flat(dy).astype(np.float64), call.rows().weight
        g = exactly(dy)
        to_x = _through_core(found, steps.times(exactly(weight), g), weight * dy)
        to_weight = steps.total(steps.times(g, found.u), 0, n + 4)
        to_weight = Near(np.abs((dy * found.values).sum(axis=0, keepdims=True)), ORDERS * to_weight.error)
        to_bias = Near(np.abs(dy.sum(axis=0, keepdims=True)), steps.total(g, 0, n + 4).error)
        return {
            "x": call.shaped(_answer(to_x, fmt)),
            "weight": _answer(to_weight, fmt).reshape(shape),
            "bias": _answer(to_bias, fmt).reshape(shape),
        }


def jvp(call: Call, dx: Array, fmt: str, model: str = "any") -> Array:
    """How far the derivative of y along dx may be off, in the shape of x."""
    with np.errstate(all="ignore"):
        found = statistics(call, fmt, model)
        h = call.flat(dx).astype(np.float64)
        core = _through_core(found, exactly(h), h)
        return call.shaped(_answer(found.steps.times(exactly(call.rows().weight), core), fmt))


def double(call: Call, dy: Array, ddx: Array, fmt: str, model: str = "any") -> Gradient:
    """How far the gradients by "dy", "x" and "weight" of sum(ddx * dx) may be off, in their shapes."""
    shape = tuple(call.x.shape[axis] for axis in call.axes)
    with np.errstate(all="ignore"):
        found = statistics(call, fmt, model)
        steps, n = found.steps, call.flat(call.x).shape[0]
        weight = exactly(call.rows().weight)
        g, a = (exactly(call.flat(one).astype(np.float64)) for one in (dy, ddx))
        along = _through_core(found, a, call.flat(ddx).astype(np.float64))
        to_weight = steps.total(steps.times(g, along), 0, n + 4)
        return {
            "dy": call.shaped(_answer(steps.times(weight, along), fmt)),
            "x": call.shaped(_answer(_second_derivative(found, a, steps.times(weight, g)), fmt)),
            "weight": _answer(to_weight, fmt).reshape(shape),
        }


def _through_core(found: Statistics, k: Near, values: Array) -> Near:
    """r (k - mean(k) - u mean(u k)), the Jacobian of the core applied to k; its size is that of the result, from the values of k."""
    steps, u = found.steps, found.values
    result = found.r.size * (values - values.mean(axis=1, keepdims=True) - u * (u * values).mean(axis=1, keepdims=True))
    centred = steps.plus(k, steps.mean(k))
    along = steps.mean(steps.times(found.u, centred))
    whole = steps.times(found.r, steps.plus(centred, steps.times(found.u, along)))
    return Near(np.abs(result), ORDERS * whole.error)


def _second_derivative(found: Statistics, a: Near, k: Near) -> Near:
    """-r^2 (mean(u k) Pa + mean(u a) Pk + (mean(Pa Pk) - 3 mean(u a) mean(u k)) u), the second derivative of the core along a and k."""
    steps, u = found.steps, found.u
    pa, pk = (steps.plus(one, steps.mean(one)) for one in (a, k))
    ua, uk = (steps.mean(steps.times(u, one)) for one in (pa, pk))
    across = steps.mean(steps.times(pa, pk))
    thrice = Near(3 * ua.size, 3 * ua.error)
    along = steps.times(steps.plus(across, steps.times(thrice, uk)), u)
    whole = steps.plus(steps.plus(steps.times(uk, pa), steps.times(ua, pk)), along)
    result = steps.times(steps.times(found.r, found.r), whole)
    return Near(result.size, ORDERS * result.error)


def _answer(found: Near, fmt: str, gradual: bool = False) -> Array:
    """The error after the rounding to the format of the answer; where nothing can be said it is infinite."""
    last = arithmetic(fmt, gradual)
    whole = found.error + (last.unit * (found.size + found.error) + last.floor if fmt in HALF else 0.0)
    return np.where(np.isnan(whole), np.inf, whole)


# ---------------------------------------------------------------- the derivation in words

COLUMNS = 80
WORDS = """\
How far y may be from the exact answer: {fmt}, d = {d}, {rows}, eps = {eps:g}.

Model. Two passes in {name}, unit roundoff t = {unit}: the mean, the deviations, the mean of their squares, 1/sqrt(q + eps), the
product, weight and bias, each operation rounded once.{half} Results below {floor:.3g} may be lost. No intermediate leaves the format.

Numbers below: row {at}, the least certain one. Its condition number is sqrt(1 + mu^2/q) = {condition:.4g}.

1. A mean of d numbers goes through at most {growth}. So the computed mean is off by delta <= K t/(1 - K t) mean|x|. With mean|x| =
{size:.4g} and s = sqrt(q + eps) = {s:.4g}: alpha = delta/s = {alpha:.3g}. [mean_rounded_le]

2. A mean that is off by delta makes the variance q + delta^2 and shifts every deviation by delta, exactly: a mean error is an inflation
of eps. [core_shifted_mean_eq, T67]

3. The variance is off by (K + 6) t relatively, its root by half of that; the root, the division and the products add 6 t. Means and
squares that are updated or merged as they go may be off by alpha (1 + 4 alpha) more, of which two passes need alpha^2/2. Together 1/s
is off by E = {relative:.3g}, relatively. [inv_sqrt_one_sub_le]

4. |error of u_i| <= alpha (1 + E) + |u_i| E; with the largest |u_i| = {u:.4g} that is {error:.3g}. [core_rounded_le]

5. |error of y_i| <= |weight_i| times that, and a rounding each of weight_i u_i and of the sum with bias_i{last}: from {least:.3g} to
{most:.3g} in this row. [output_eq]{nothing}

A one-pass variance, mean(x^2) - mean(x)^2, would be off by up to (K + 2) t (q + 2 mu^2)/s^2 = {one_pass:.3g}, relative to q + eps
[variance_one_pass_eq]. {needs}

Derivatives. Sizes and errors of all intermediates of r (k - mean(k) - u mean(u k)) are followed in the same way, with u and r as above;
the result is taken {orders} times, for other orders of the same terms such as sum(g x) - mu sum(g), and for the chain rule applied step
by step. [gradient_dot_output_eq, derivative_output_apply_eq, gradient_backward_eq]"""
GROWTH_IN_WORDS = {
    "any": "K = d + 2 log2 d + 10 = {:.4g} roundings: d - 1 additions in any order, and 2 log2 d + 11 for the division, for means that are "
    "updated number by number, and for x r - mu r in place of (x - mu) r",
    "compensated": "K = {:.4g} roundings, whatever d: the rounding errors of the sums are summed too",
    "pairwise": "K = 2 log2 d + 30 = {:.4g} roundings: blocks of at most 128 numbers, added two by two",
}


def why(call: Call, fmt: str, model: str = "any") -> str:
    """Where the tolerance of a call comes from, formula by formula, with the numbers of its least certain row; lines of 80 columns."""
    x = call.flat(call.x).astype(np.float64)
    finite = np.flatnonzero(np.isfinite(x).all(axis=1))
    if not finite.size:
        return f"No row of x is finite, so no number can be off: the answer is NaN. x has the shape {call.x.shape}."
    with np.errstate(all="ignore"):
        found = statistics(call, fmt, model)
    whole = call.flat(output(call, fmt, model))
    at = int(finite[np.argmax(whole[finite].max(axis=1))])
    largest = int(np.argmax(found.u.size[at]))
    steps, alpha = found.steps, float(found.alpha[at, 0])
    u, error = float(found.u.size[at, largest]), float(found.u.error[at, largest])
    one_pass = steps.arithmetic.several(steps.roundings + 2) * float(found.rho[at, 0] + 2 * found.mean_over_s[at, 0] ** 2)
    needs = f"For the largest |u_i| that is {u * one_pass / 2:.3g}, where step 4 allows {error:.3g}."
    half = fmt in HALF
    text = WORDS.format(
        fmt=fmt, d=call.width, rows=f"{x.shape[0]} row{'s' * (x.shape[0] != 1)}", eps=call.eps, name=steps.arithmetic.name,
        unit=f"2^-{FORMATS[steps.arithmetic.name].precision} = {steps.arithmetic.unit:.3g}", floor=steps.arithmetic.floor,
        half=f" The answer is rounded to {fmt} once, at the end." if half else "", last=f", and one rounding to {fmt}" if half else "",
        at=at, condition=float(condition(call)[at]), growth=GROWTH_IN_WORDS[model].format(steps.roundings), size=float(found.size[at, 0]),
        s=float(found.s[at, 0]), alpha=alpha, relative=float(found.relative[at, 0]), u=u, error=error, least=whole[at].min(),
        most=whole[at].max(), orders=ORDERS, one_pass=one_pass,
        nothing=" As alpha > 1, the mean may be off by more than s: the bound holds and says nothing about this row." * (alpha > 1),
        needs=needs if one_pass < 1 else "That is 1 or more: what stands under the root may come out 0 or negative.",
    )  # fmt: skip
    return "\n\n".join(fill(" ".join(one.split()), COLUMNS, break_long_words=False, break_on_hyphens=False) for one in text.split("\n\n"))
