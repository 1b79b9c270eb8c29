"""A short run through hard rows that tells a right row function from a wrong one: what mutants and slackened bounds are judged by.

Each probe is one call of a row function, with the answers of the integers. The exact tier must return those bit for bit, the other tiers
within k = 16 of their bound. Imports NumPy, the oracle, the families and the boundary rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lnsym import oracle
from tests.emit import families, sizes
from tests.emit.boundaries import biases, core_rows, gradient_rows, summands
from tests.emit.bug_cases import FORMATS
from tests.emit.contracts import CONTRACTS, Contract

Array = NDArray[Any]
Names = dict[str, Any]
Answers = tuple[Array, ...]
DISTANCES = {"float64": range(3, 101, 4), "float32": range(3, 45, 2), "float16": range(2, 20), "bfloat16": range(2, 16)}
"""How near to a rounding boundary the probes go, in powers of two of a unit in the last place."""
WIDTHS = (65, 3, 1, 2, 7, 64, 129)
OTHER_WIDTHS = (66, 4, 8, 100, 200, 300, 5)
"""Widths for a second and larger look, at other rows."""
ORDINARY = ("normal", "small integers", "short fractions")
"""Families that the plain tier promises the same bound for: no mean dwarfs its spread."""
OUTPUT, GRADIENTS = "_layer_norm_rows", "_vjp_rows"
FILL = 77  # what arrays hold that are to be written
PLAIN_ROOM = 2.0**8  # how much more the plain tier may miss on rows whose mean is some times their spread
BUFFER = 8192  # of NumPy, unless a row function leaves another
NEAR_BOUNDARIES = (7, 65, 8, 66, 100)  # widths at which rows are tuned
SINGLE = (3, 65, 4, 66)  # widths at which rows come one by one, and gradients too
HALVES = (65, 3, 7, 66, 4, 8)  # widths at which half formats are tried


@dataclass(frozen=True)
class Probe:
    """One call of a row function, the right answers, and how far each may be from them."""

    name: str
    operation: str
    arguments: tuple[Any, ...]
    made: tuple[tuple[tuple[int, ...], np.dtype[Any]] | None, ...]
    """Shapes and formats of the arrays that the function writes to, its last arguments; None for one that is not asked for."""
    right: Answers
    room: Answers
    exact: tuple[bool, ...]
    """Which answers the exact tier must hit."""
    close: tuple[Array | None, ...] = ()
    """How far those may be from the right ones that the exact tier need not hit; None where it is the room of the other tiers."""

    warns: bool | None = None
    """Whether the plain tier must say that its bound is void; None if that is not looked at."""

    def failure(self, names: Names, tier: str) -> str | None:
        """What is wrong with the answers of this module, or None."""
        try:
            return self._wrong(names, tier)
        finally:
            np.setbufsize(BUFFER)

    def _wrong(self, names: Names, tier: str) -> str | None:
        made = [None if one is None else np.full(one[0], FILL, one[1]) for one in self.made]
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            returned = names[self.operation](*map(_read_only, self.arguments), *made)
        if tier == "plain" and self.warns not in (None, bool(said)):
            return f"{self.name}: {'no warning' if self.warns else 'a warning'}"
        answers = (*made, *(returned or ()))
        for place, right in enumerate(self.right):
            if answers[place] is None:
                continue
            found = np.asarray(answers[place])
            if tier == "exact" and self.exact[place]:
                if not same(found, right):
                    return f"{self.name}, answer {place}: not that of the integers"
            elif not within(found, right, self._room(place, tier)):
                return f"{self.name}, answer {place}: beyond the bound"
        if np.getbufsize() != BUFFER:
            return f"{self.name}: NumPy's buffer size is not as before"
        return None

    def _room(self, place: int, tier: str) -> Array:
        """How far an answer of a tier may be from the right one."""
        if tier == "exact" and self.close and (close := self.close[place]) is not None:
            return close
        if tier == "plain":  # which computes in float64 throughout
            return self.room[place] * (PLAIN_ROOM if self.right[place].dtype == np.float64 else 0.125)
        return self.room[place]


def _read_only(argument: Any) -> Any:
    """The argument, whose arrays cannot be written to: what a wrong function does to them would be blamed on the next one."""
    if isinstance(argument, tuple):
        return tuple(map(_read_only, argument))
    if not isinstance(argument, np.ndarray):
        return argument
    view = argument.view()
    view.flags.writeable = False
    return view


def same(found: Array, right: Array) -> bool:
    """Equal bit for bit, one NaN like another."""
    if found.dtype != right.dtype or found.shape != right.shape:
        return False
    return found.tobytes() == right.tobytes() or bool(
        ((_bits(found) == _bits(right)) | (np.isnan(found.astype(float)) & np.isnan(right.astype(float)))).all()
    )


def _bits(array: Array) -> Array:
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def within(found: Array, right: Array, room: Array) -> bool:
    """No further from the right answer than allowed, where that is finite; NaN where that is NaN."""
    if found.shape != right.shape or found.dtype != right.dtype:
        return False
    a, b = found.astype(np.float64), right.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(a - b) <= room
        near &= np.isfinite(a)
    return bool((near | (np.isinf(b) & ~np.isnan(a)) | (np.isnan(a) & np.isnan(b))).all())


# ---------------------------------------------------------------- probes of one operation


def forward(name: str, x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Probe:
    """The output and the statistics."""
    form = _format(x, weight, bias)
    kept = form if form.itemsize > 2 else np.dtype(np.float32)
    right = oracle.layer_norm(x, weight, bias, eps, form), oracle.mean(x, kept), oracle.rstd(x, eps, kept)
    with np.errstate(over="ignore"):
        spread = np.abs(right[1].astype(np.longdouble)) + np.abs(x.astype(np.longdouble)).max(axis=1)
    room = (
        sizes.allowed(sizes.output(x, weight, bias, eps), form.name),
        sizes.allowed(spread, kept.name),
        sizes.allowed(np.abs(right[2].astype(np.longdouble)), kept.name),
    )
    return Probe(name, OUTPUT, (x, weight, bias, eps), ((x.shape, form),), right, room, (True, True, True))


def backward(
    name: str, dy: Array, x: Array, weight: Array | None = None, eps: float = 1e-5, wrt: tuple[bool, bool, bool] = (True, True, True)
) -> Probe:
    """The gradients of x, weight and bias, or those asked for."""
    form = _format(dy, x, weight)
    n, d = x.shape
    right = oracle.vjp(dy, x, weight, eps, form), oracle.dweight(dy, x, eps, form), oracle.dbias(dy, form)
    room = tuple(sizes.allowed(s, form.name) for s in (sizes.gradient(dy, x, weight, eps), *sizes.parameters(dy, x, eps)))
    made = tuple(one if asked else None for one, asked in zip(((x.shape, form), ((d,), form), ((d,), form)), wrt, strict=True))
    close = None, sizes.exact_weight_gradient(dy, x, eps, right[1]), None
    return Probe(name, GRADIENTS, (dy, x, weight, eps), made, right, room, (True, n == 1, True), close)


def directional(name: str, x: Array, h: Array, weight: Array | None = None, eps: float = 1e-5) -> Probe:
    """The derivative along h."""
    form = _format(x, h, weight)
    room = (sizes.allowed(sizes.directional(x, h, weight, eps), form.name),)
    return Probe(name, "_jvp_rows", (x, h, weight, eps), ((x.shape, form),), (oracle.jvp(x, h, weight, eps, form),), room, (False,))


def second(
    name: str, a: Array | None, b: Array | None, c: Array | None, dy: Array, x: Array, weight: Array | None = None, eps: float = 1e-5
) -> Probe:
    """The double backward pass."""
    form, width = _format(a, b, c, dy, x, weight), x.shape[1]
    first = np.zeros_like(x) if a is None else a
    other, last = (np.zeros(width, x.dtype) if one is None else one for one in (b, c))
    right = tuple(oracle.vjp_vjp(first, other, last, dy, x, weight, eps, form))
    room = tuple(sizes.allowed(s, form.name) for s in sizes.double_backward(first, other, last, dy, x, weight, eps))
    made = (x.shape, form), (x.shape, form), ((width,), form)
    return Probe(name, "_vjp_vjp_rows", (a, b, c, dy, x, weight, eps), made, right, room, (False, False, False))


def matrix(name: str, x: Array, eps: float = 1e-5) -> Probe:
    """The Jacobian of one row."""
    d = x.shape[1]
    room = (sizes.allowed(sizes.jacobian(x, eps), x.dtype.name),)
    return Probe(name, "_jacobian_rows", (x, eps), (((d, d), x.dtype),), (oracle.jacobian(x[0], eps, x.dtype),), room, (False,))


def merging(name: str, first: Answers, other: Answers) -> Probe:
    """Two triples (n, mean, m2) made one."""
    right, size = _merged(first, other)
    room = tuple(sizes.allowed(s, "float64") for s in size)
    return Probe(name, "_merge_stats", (first, other), (), right, room, (True, True, True))


def _format(*arrays: Array | None) -> np.dtype[Any]:
    """The result's format."""
    return np.result_type(*(array for array in arrays if array is not None))


def _merged(first: Answers, other: Answers) -> tuple[Answers, Answers]:
    """By Fractions, one entry at a time, and the sizes of the bounds."""
    found, size = [], []
    for entries in zip(*first, *other, strict=True):
        n, mean, m2, m, mean_, m2_ = (Fraction(float(v)) for v in entries)
        total = n + m
        part = m / total if total else Fraction(0)
        exact = (total, mean + (mean_ - mean) * part, m2 + m2_ + n * part * (mean_ - mean) ** 2)
        found.append([_nearest(v) for v in exact])
        size.append([_nearest(total), _nearest(max(abs(mean), abs(mean_))), _nearest(exact[2])])
    return tuple(np.array(column) for column in zip(*found, strict=True)), tuple(np.array(column) for column in zip(*size, strict=True))


def _nearest(value: Any) -> float:
    try:
        return float(value)  # a Fraction becomes a float with one rounding
    except OverflowError:
        return float("inf") if value > 0 else -float("inf")


# ---------------------------------------------------------------- the whole battery


def hard_rows(form: str, d: int, tier: str = "exact") -> Array:
    """One row of every family that the tier promises anything for, and one that is not finite."""
    chosen = ORDINARY if tier == "plain" else families.names(form)
    rows = np.concatenate([families.rows(form, name, d, 2 if tier == "plain" else 1) for name in chosen])
    spoilt = rows[:1].copy()
    spoilt[0, -1] = np.nan
    return np.concatenate([rows, spoilt])


def _forward_probes(form: str, d: int, tier: str) -> Iterator[Probe]:
    x, label = hard_rows(form, d, tier), f"{form} d={d}"
    weight, bias = families.weight(form, "normal", d), families.bias(form, "normal", d)
    yield forward(f"{label} output", x, weight, bias)
    yield forward(f"{label} core", x)
    yield forward(f"{label} core, eps 1e-300", x, eps=1e-300)
    yield forward(f"{label} weight", x, weight=families.weight(form, "wide", d))
    yield forward(f"{label} bias", x, bias=families.bias(form, "wide", d), eps=0.25)
    if d in SINGLE and form in ("float64", "float32"):
        for k in range(len(x)):
            yield forward(f"{label} row {k}", x[k : k + 1], weight if k % 3 else None, bias if k % 2 else None)
    if d in NEAR_BOUNDARIES:
        r = np.random.default_rng(d)
        start = np.resize(r.standard_normal((8, d)), (2 * len(DISTANCES[form]), d))
        yield forward(f"{label} boundary", core_rows(start, 1e-5, form, DISTANCES[form]))
        tuned = biases(x[0], weight, 1e-5, form, DISTANCES[form])
        yield forward(f"{label} boundary of the output", x[:1], weight, tuned)


def _backward_probes(form: str, d: int, tier: str) -> Iterator[Probe]:
    x, label = hard_rows(form, d, tier), f"{form} d={d}"
    weight, dy = families.weight(form, "normal", d), families.cotangent(form, "normal", x)
    yield backward(f"{label} gradients", dy[:-1], x[:-1], weight)
    yield backward(f"{label} gradients of the core", dy, x)
    yield backward(f"{label} gradients, eps 1e-300", dy, x, families.weight(form, "zeros", d), 1e-300)
    yield backward(f"{label} gradients, wide", families.cotangent(form, "wide", x), x, families.weight(form, "wide", d), 0.25)
    if tier != "plain":
        yield backward(f"{label} gradients along ones", np.ones_like(x), x)
    for k in (0, 1, 5) if d in SINGLE else ():
        yield backward(f"{label} gradients of row {k}", dy[k : k + 1], x[k : k + 1], weight)
        wide = families.cotangent(form, "wide", x)[k : k + 1]
        yield backward(f"{label} gradients of row {k}, wide", wide, x[k : k + 1], families.weight(form, "wide", d))
    for place, word in enumerate(("x", "weight", "bias") if d in SINGLE else ()):
        yield backward(f"{label} gradient of {word} alone", dy[:-1], x[:-1], weight, wrt=(place == 0, place == 1, place == 2))
    if d in NEAR_BOUNDARIES:
        r = np.random.default_rng(d)
        start = np.resize(r.standard_normal((8, d)), (2 * len(DISTANCES[form]), d)).astype(FORMATS[form])
        tuned = gradient_rows(r.standard_normal(start.shape).astype(FORMATS[form]), start, 1e-5, form, DISTANCES[form])
        yield backward(f"{label} boundary of the gradient", tuned, start)


def _other_probes(form: str, d: int, tier: str) -> Iterator[Probe]:
    x, label = hard_rows(form, d, tier)[:-1] if d < 8 else hard_rows(form, d, tier)[1:4], f"{form} d={d}"
    h, dy = families.cotangent(form, "normal", x), families.cotangent(form, "normal", x)[::-1].copy()
    weight, b, c = families.weight(form, "normal", d), families.weight(form, "zeros", d), families.bias(form, "normal", d)
    yield directional(f"{label} jvp", x, h, weight)
    yield directional(f"{label} jvp, wide", x, families.cotangent(form, "wide", x), None, 1e-300)
    yield second(f"{label} double backward", h, b, c, dy, x, weight)
    yield second(f"{label} double backward of the core", h, b, c, dy, x, None, 0.25)
    if d < 8:
        yield second(f"{label} double backward of ddx", h[:6], None, None, dy[:6], x[:6], weight)
        yield second(f"{label} double backward of ddweight", None, b, None, dy[:6], x[:6], weight)
        yield second(f"{label} double backward of ddbias", None, None, c, dy[:6], x[:6], weight)
    for k in (0, 1, 5) if d < 8 else (0,):
        yield matrix(f"{label} Jacobian of row {k}", x[k : k + 1])


def _warning_probes() -> Iterator[Probe]:
    """Rows on both sides of what makes the plain tier's bound void; the answers themselves are not looked at."""
    units = 2.0**27  # 2^-26 / 2^-53: the loss that is allowed, in unit roundoffs
    for d, eps, spread in ((2, 1e-300, 1.0), (2, 3.0, 2.0), (8, 1e-300, 1.0)):
        last = int(units / (20 + np.log2(d)) * spread) - 1  # the largest whole mean that is allowed, beside the spread 1
        signs = np.where(np.arange(d) % 2, 1.0, -1.0)
        for mean in (last, last + 1):
            for sign in (1, -1):
                yield _warning(f"mean {sign * mean}, d={d}, eps={eps}", sign * mean + signs[None], eps, mean > last)
    pair = np.array([[-1.0, 1.0]])
    # NumPy adds these in eight sums, of which two overflow with opposite signs: the sum is NaN, and the row finite.
    yield _warning("sums overflow both ways", 1.5e308 * np.array([[1.0, -1, 0, 0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 0, 0]]), 1e-5, True)
    yield _warning("ordinary rows, one on the edge", np.array([[1.0, 2.0], [6391318.0, 6391320.0]]), 1e-300, False)
    for size, eps, void in ((-479, 5e-324, False), (-481, 5e-324, True), (-481, 2.0**-950, False), (499, 1e-5, False), (501, 1e-5, True)):
        yield _warning(f"spread 2^{size}, eps={eps}", pair * 2.0**size, eps, void)

    for row, void in (([1.0, np.nan], False), ([np.inf, 1.0], False), ([1.5e308, 1.5e308], True), ([1.5e308, -1.5e308], True)):
        yield _warning(f"row {row}", np.array([[1.0, 2.0], row]), 1e-5, void)


def _warning(name: str, x: Array, eps: float, void: bool) -> Probe:
    """A forward probe, for a call in which only a warning counts."""
    return Probe(name, OUTPUT, (x, None, None, eps), ((x.shape, x.dtype),), (), (), (), warns=void)


def _all_warn() -> Iterator[Probe]:
    """Every operation says so, and for the row alone that has the fault."""
    x = np.array([[1.0, 2.0], [1e9, 1e9 + 1]])
    one = np.ones(2)
    for probe in (
        backward("gradients of a far row", x, x),
        directional("jvp of a far row", x, x),
        second("double backward of a far row", x, one, one, x, x),
        matrix("Jacobian of a far row", x[1:]),
    ):
        yield replace(probe, right=(), warns=True)


def _merge_probes(tier: str) -> Iterator[Probe]:
    r = np.random.default_rng(7)
    count = r.integers(1, 1000, 40).astype(float), r.integers(1, 9, 40).astype(float)
    scale = 2.0 ** r.choice([-1000, -530, -300, 0, 300, 500], 40)
    mean = r.standard_normal(40) * scale, r.standard_normal(40) * scale
    m2 = r.random(40) * count[0] * scale**2, r.random(40) * count[1] * scale**2
    count[0][:4], mean[0][:4], m2[0][:4] = 0.0, mean[1][:4], 0.0  # an empty shard as the public function hands it on
    count[1][4:7], mean[1][4:7], m2[1][4:7] = 0.0, mean[0][4:7], 0.0
    yield merging("merge", (count[0], mean[0], m2[0]), (count[1], mean[1], m2[1]))
    yield merging("merge, the other way round", (count[1], mean[1], m2[1]), (count[0], mean[0], m2[0]))
    mixed = mean[1] / scale * r.permutation(scale)
    yield merging("merge of means of different sizes", (count[0] + 1, mean[0], m2[0]), (count[1] + 1, mixed, m2[1]))
    near = mean[0] * (1 + 2.0**-50)
    if tier != "plain":
        far = 2.0 ** r.choice([1020, 1023], 40)
        yield merging("merge of huge means", (count[0], far, m2[0]), (count[1], far * (1 - 2.0**-52), m2[1]))
    yield merging("merge of near means", (count[0], mean[0], 0 * m2[0]), (count[1], near, 0 * m2[1]))


def _extreme_probes(form: str) -> Iterator[Probe]:
    """eps at both ends of its range, and rows whose squares are of its size."""
    squares = {"float64": (-1070, 1020), "float32": (-145, 124), "float16": (-40, 26), "bfloat16": (-145, 124)}[form]
    for d in (1, 2, 9):
        rows = hard_rows(form, d)
        for power in squares:
            r, label, eps = np.random.default_rng(d), f"{form} d={d} eps=2^{power}", 2.0**power
            near = families.in_format(np.ldexp(r.standard_normal((4, d)), power // 2), form)
            x = np.concatenate([rows, near, 1 + near])
            weight, bias, dy = families.weight(form, "signs", d), families.bias(form, "wide", d), families.cotangent(form, "normal", x)
            yield forward(f"{label} output", x, weight, bias, eps)
            yield forward(f"{label} core", x, eps=eps)
            yield backward(f"{label} gradients", dy, x, weight, eps)
    yield from _subnormal_ties(form)
    if form in ("float64", "float32"):
        yield _whose_sums_overflow(form, 2, 2100)
    for d in (2, 9):
        yield _whose_sums_overflow(form, d)
        yield from _whose_products_leave_the_range(form, d)
    yield from _far_boundary_probes(form)


def _whose_products_leave_the_range(form: str, d: int) -> Iterator[Probe]:
    """Products with the weight that overflow or vanish although the answers do not, and an eps at or beyond the top of the format."""
    r, label = np.random.default_rng(d), f"{form} d={d}"
    largest, least = oracle.FORMATS[form].largest, oracle.FORMATS[form].least
    x = families.in_format(r.standard_normal((6, d)), form)
    top = families.in_format(np.full(d, 1.9 * 2.0**largest), form)
    yield forward(f"{label} output whose product overflows", x, top, -top)
    small = families.in_format(np.ldexp(1 + r.random((6, d)), 2 * least // 3), form)
    tiny = families.in_format(np.ldexp(r.standard_normal((6, d)), least // 2), form)
    yield backward(f"{label} gradients whose products vanish", small, tiny, small[0], max(5e-324, 2.0 ** (2 * (least // 2))))
    half = families.in_format(np.ldexp(r.standard_normal((6, d)), largest // 2 - 14), form)
    for eps in (1.7976931348623157e308, 3.4e38, 1e300):
        yield forward(f"{label} output, eps={eps}", half, x[0], None, eps)
        yield backward(f"{label} gradients, eps={eps}", half[::-1].copy(), half, None, eps)
    dy = families.in_format(np.ldexp(r.standard_normal((3, d)), min(20, largest // 2)), form)
    factors = families.in_format(np.ldexp(1 + r.random(d), largest - 10), form)
    yield backward(f"{label} gradients of few rows whose products overflow", dy, x[:3], factors, 2.0**100)


def _subnormal_ties(form: str) -> Iterator[Probe]:
    """Answers half-way between two subnormal numbers: with eps = 3, u is -1/2 or 1/2 for rows (-1, 1), and dx is 3 (g_1 - g_2) / 16."""
    least = oracle.FORMATS[form].least
    x = families.in_format(np.array([[-1.0, 1.0], [1.0, -1.0], [-1.0, 1.0]]), form)
    for odd in ([1, 3], [5, 7], [3, -1]):
        yield forward(f"{form} output among subnormal ties", x, families.in_format(np.ldexp(np.array(odd, float), least), form), None, 3.0)
    weight = families.in_format(np.full(2, 2.0 ** (least // 2)), form)
    dy = families.in_format(np.ldexp([[33.0, 1.0], [1.0, 97.0], [-31.0, 1.0]], least - 2 - least // 2), form)
    yield backward(f"{form} gradient among subnormal ties", dy, x, weight, 3.0)


def _far_second_probes(form: str) -> Iterator[Probe]:
    """The double backward pass of rows whose squares leave the range, and of cotangents whose sums over the rows do."""
    r, d = np.random.default_rng(13), 5
    large = {"float64": 520, "float32": 62, "float16": 12, "bfloat16": 62}[form]
    a, dy, x = (families.in_format(np.ldexp(r.standard_normal((4, d)), k), form) for k in (large // 2, large // 2, large))
    b, c, weight = (families.in_format(r.standard_normal(d), form) for _ in range(3))
    yield second(f"{form} double backward of huge rows", a, b, c, dy, x, weight)
    yield second(f"{form} double backward of huge rows, no weight", a, None, None, dy, x)
    if form != "float64":
        yield second(f"{form} double backward of huge rows and eps", a, None, None, dy, x, weight, 2.0 ** (2 * large + 4))
    else:
        x = np.ldexp(x, -12)
        yield second(f"{form} double backward of huge rows and eps", a, None, None, dy, x, weight, 2.0**1020)
    top = oracle.FORMATS[form].largest - 1
    signs = np.array([1.5, 1, 1, -1, -1, -1])[:, None]
    x = families.in_format(np.tile(r.standard_normal(d), (6, 1)), form)
    along = x[:, ::-1].copy()
    dy = families.in_format(np.ldexp(signs * np.ones(d), top), form)
    yield second(f"{form} double backward whose sums overflow", along, None, None, dy, x)
    yield second(f"{form} double backward of ddweight whose sums overflow", None, b, c, dy, x)


def _far_boundary_probes(form: str) -> Iterator[Probe]:
    """Answers next to rounding boundaries of rows and cotangents too large or too small for the first stages, and of sums over rows."""
    r, ks = np.random.default_rng(11), DISTANCES[form]
    start = r.standard_normal((2 * len(ks), 7))
    for power in {"float64": (480, -480), "float32": (100, -60), "float16": (8, -6), "bfloat16": (100, -60)}[form]:
        eps, label = 1e-5 * 4.0**power, f"{form} times 2^{power}"
        x = core_rows(families.in_format(np.ldexp(start, power), form), eps, form, ks)
        yield forward(f"{label} boundary", x, eps=eps)
        plain = families.in_format(np.ldexp(start, power), form)
        dy = families.in_format(np.ldexp(r.standard_normal(start.shape), power), form)
        yield backward(f"{label} boundary of the gradient", gradient_rows(dy, plain, eps, form, ks), plain, eps=eps)
        weight = families.in_format(np.ldexp(r.standard_normal(7), -power // 2), form)
        yield forward(f"{label} boundary of the output", plain[:1], weight, biases(plain[0], weight, eps, form, ks), eps)
    dy = families.in_format(r.standard_normal((5, 2 * len(ks))), form)
    yield backward(f"{form} boundary of the bias", summands(dy, form, ks), np.ones_like(dy), wrt=(False, False, True))
    huge = families.in_format(dy.astype(np.float64) * 2.0 ** (oracle.FORMATS[form].largest - 3), form)
    yield backward(f"{form} boundary of a huge bias", summands(huge, form, ks), np.ones_like(dy), wrt=(False, False, True))


def _tiled(probe: Probe, times: int) -> Probe:
    """The same with its rows repeated: results of rows repeat, sums over rows are so many times as large."""

    def many(one: Any) -> Any:
        return np.tile(one, (times, 1)) if isinstance(one, np.ndarray) and one.ndim == 2 else one

    def sums(one: Array) -> Array:
        summed: Array = many(one) if one.ndim == 2 else (one * one.dtype.type(times)).astype(one.dtype)
        return summed

    made = tuple(one and ((one[0][0] * times, one[0][1]) if len(one[0]) == 2 else one[0], one[1]) for one in probe.made)
    right, room = (tuple(map(sums, answers)) for answers in (probe.right, probe.room))
    return replace(probe, arguments=tuple(map(many, probe.arguments)), made=made, right=right, room=room)


def _whose_sums_overflow(form: str, d: int, between: int = 0) -> Probe:
    """Cotangents at the top of the format whose sums over the rows, and those of weight * u + bias, are in range although parts are not.

    Rows of zeros between the positive and the negative ones bring these into blocks of their own.
    """
    top = oracle.FORMATS[form].largest - 1
    x = np.random.default_rng(d).standard_normal((4, d)).astype(FORMATS[form])
    dy = families.in_format(np.ldexp(np.ones((4, d)), top), form)
    more = dy.copy()
    more[0] = np.ldexp(1.5, top)
    zeros = np.zeros((between, d), dy.dtype)
    x, dy = np.concatenate([x, np.resize(x, zeros.shape), x]), np.concatenate([more, zeros, -dy])
    return backward(f"{form} d={d} gradients whose sums overflow, {between} rows of zeros between", dy, x)


def _large_probes(tier: str) -> Iterator[Probe]:
    """More rows than a block has, rows longer than a group of a sum, and formats that differ; hard rows among ordinary ones."""
    sizes_ = (
        ("float64", 4200, 3),
        ("float16", 4200, 2),
        ("float64", 40, 150),
        ("float32", 140, 300),
        ("float32", 20, 320),
        ("float64", 70, 1100),
        ("float32", 2, 4200),
        ("float64", 2, 5000),
    )
    for form, n, d in sizes_:
        r, label = np.random.default_rng(d), f"{form} {n} x {d}"
        x, dy = (r.standard_normal((n, d)).astype(FORMATS[form]) for _ in range(2))
        x[n // 2] = families.rows(form, "small integers" if tier == "plain" else "few ulps", d, 1)[0]
        weight, bias = families.weight(form, "normal", d), families.bias(form, "normal", d)
        yield forward(f"{label} output", x, weight, bias)
        yield backward(f"{label} gradients", dy, x, weight)
        if tier == "exact":
            continue
        yield directional(f"{label} jvp", x, dy, weight)
        if d < 4:
            yield _tiled(second(f"{label} double backward", dy[:7], bias, bias[::-1].copy(), dy[6::-1].copy(), x[:7], weight), n // 7)
    if tier == "exact":
        yield _of_many_hard_rows(9, 9000)
    else:
        r = np.random.default_rng(1)
        a, b, c, dy, x = (r.standard_normal(shape) for shape in ((2, 300), 300, 300, (2, 300), (2, 300)))
        yield second("float64 2 x 300 double backward", a, b, c, dy, x)
    x, ones = np.empty((0, 3)), np.ones(3)
    yield forward("no rows output", x, ones, ones)
    yield backward("no rows gradients", x, x, ones)
    yield backward("no rows gradients of weight and bias", x, x, ones, wrt=(False, True, True))
    if tier != "exact":
        yield directional("no rows jvp", x, x, ones)
        yield second("no rows double backward", x, ones, ones, x, x, ones)
    for form, other in (("float16", "float32"), ("float32", "float64"), ("bfloat16", "float32"), ("float64", "float16")):
        x = hard_rows(form, 7, tier)[:-1]
        weight, bias = families.weight(other, "normal", 7), families.bias(other, "normal", 7)
        yield forward(f"{form} with {other} output", x, weight, bias)
        yield backward(f"{form} with {other} gradients", families.cotangent(other, "normal", x), x, families.weight(form, "normal", 7))


def _of_many_hard_rows(n: int, d: int) -> Probe:
    """More rows out of the first stages' range than a block of the third stage has, and two that are not finite."""
    x = np.ldexp(np.random.default_rng(n).standard_normal((n, d)), 400)
    x[1, 5] = x[-1, 7] = np.nan
    return forward(f"float64 {n} x {d} rows out of range", x)


def _sunken_probes(tier: str) -> Iterator[Probe]:
    """Rows in which a part of the mean sinks below the least number, and Jacobians whose entries are subnormal."""
    least, huge = 2.0**-1074, 1.75 * 2.0**1023
    whole = [[0.25, 0.5, 0.25, least], [0.75, 0.0, 2.0**-54, least], [0.75, 0.25, 1.0, least], [0.5, -0.5, 1.0, -least]]
    for k, rows in enumerate((whole, [[1.0, huge, -huge], [huge, 2 * least, -huge]], [[1.0, huge, -huge, 2.0, 0.0, least, least]])):
        yield forward(f"float64 means with a sunken part {k}", np.array(rows), eps=1e-300)
    if tier == "safe":
        for d, period in ((31, 5), (200, 3)):
            yield matrix(f"float64 d={d} Jacobian with subnormal entries", np.where(np.arange(d) % period, huge, -huge)[None])


def _special_parameters() -> Iterator[Probe]:
    """Weights and biases that are not finite act as in any other sum of products."""
    for form in ("float64", "float32"):
        x = families.in_format(np.random.default_rng(5).standard_normal((3, 8)), form)
        x[1] = 2.0
        weight = np.array([np.inf, np.nan, 1, -np.inf, 0, 2, np.inf, 3], FORMATS[form])
        bias = np.array([0, 1, np.inf, np.nan, -np.inf, np.nan, -np.inf, 0.5], FORMATS[form])
        with np.errstate(all="ignore"):
            right = (oracle.normalize(x, dtype=np.float64) * weight.astype(np.float64) + bias.astype(np.float64)).astype(FORMATS[form])
        right[:, 7] = oracle.layer_norm(x[:, :], np.full(8, 3.0), np.full(8, 0.5), dtype=FORMATS[form])[:, 7]
        yield Probe(
            f"{form} special parameters", OUTPUT, (x, weight, bias, 1e-5), ((x.shape, x.dtype),), (right,), (np.zeros(8) + 1e-4,), (True,)
        )


# ---------------------------------------------------------------- the integer stage by itself


def _of_integers(probe: Probe) -> Iterator[Probe]:
    """The same answers, each component asked of the integers."""
    if probe.operation == OUTPUT:
        x, _, _, eps = probe.arguments
        rows = np.nonzero(np.isfinite(x.astype(np.float64)).all(axis=1))[0]
        at = np.repeat(rows, x.shape[1]), np.tile(np.arange(x.shape[1]), len(rows))
        spoilt = np.setdiff1d(np.arange(len(x)), rows)
        right = [one.copy() for one in probe.right]
        for one in right:
            one[spoilt] = FILL
        yield replace(probe, operation="_exact_output_components", arguments=(*probe.arguments, *at), right=(right[0],), exact=(True,))
        if len(right) == 3:
            made = tuple((one.shape, one.dtype) for one in right[1:])
            yield replace(
                probe, operation="_exact_row_statistics", arguments=(x, eps, rows), made=made, right=tuple(right[1:]), exact=(True, True)
            )
    elif probe.operation == GRADIENTS:
        dy, x, weight, eps = probe.arguments
        if not all(np.isfinite(one.astype(np.float64)).all() for one in (dy, x)):
            return
        d = x.shape[1]
        at = np.repeat(np.arange(len(x)), d), np.tile(np.arange(d), len(x))
        if probe.made[0]:
            yield replace(
                probe,
                operation="_exact_gradient_components",
                arguments=(dy, x, weight, eps, *at),
                made=probe.made[:1],
                right=probe.right[:1],
                exact=(True,),
            )
        if probe.made[2]:
            yield replace(
                probe,
                operation="_exact_column_sums",
                arguments=(dy, np.arange(d)),
                made=probe.made[2:],
                right=probe.right[2:],
                exact=(True,),
            )


def _integer_probes(found: list[Probe]) -> Iterator[Probe]:
    """The integers on short hard rows."""
    for probe in found:
        x = probe.arguments[1 if probe.operation == GRADIENTS else 0]
        if probe.operation in (OUTPUT, GRADIENTS) and len(x) and x.shape[1] < 10 and x.size < 400:
            yield from _of_integers(probe)


def _fuzz_probes(form: str) -> Iterator[Probe]:
    """Structured rows at random with weights and cotangents of any size."""
    r = np.random.default_rng(len(form))
    for k, d in enumerate((2, 4, 9, 64, 5, 70, 3, 33)):
        x, eps = families.fuzz_rows(r, form, 5, d), families.fuzz_eps(r)
        weight, bias, dy = (families.fuzz_rows(r, form, n, d) for n in (1, 1, 5))
        yield forward(f"{form} fuzz {k}", x, weight[0], bias[0], eps)
        yield forward(f"{form} fuzz {k} core", x, eps=eps)
        yield backward(f"{form} fuzz {k} gradients", dy, x, None if k % 2 else weight[0], eps)


def probes(
    tier: str, widths: tuple[int, ...] = WIDTHS, forms: tuple[str, ...] = ("float64", "float32", "float16", "bfloat16")
) -> list[Probe | Contract]:
    """Everything that a tier is put through, the likeliest to fail first; large arrays only beside all formats."""
    found: list[Probe] = []
    contracts: tuple[Contract, ...] = ()
    for d in widths:
        for form in forms if d in HALVES else [one for one in forms if one in ("float64", "float32")]:
            found += [*_forward_probes(form, d, tier), *_backward_probes(form, d, tier)]
            if tier != "exact" and (d < 8 or d in SINGLE):
                found += _other_probes(form, d, tier)
    if tier != "plain":
        found += (probe for form in forms for probe in (*_extreme_probes(form), *_fuzz_probes(form)))
    else:
        found += (*_warning_probes(), *_all_warn())
    if tier != "plain":
        found += (*_special_parameters(), *_sunken_probes(tier))
    if tier == "exact":
        found += list(_integer_probes(found))
        contracts = CONTRACTS
    if tier == "safe":
        found += (probe for form in forms for probe in _far_second_probes(form))
    return [*found, *contracts, *(_large_probes(tier) if len(forms) == len(DISTANCES) else ()), *_merge_probes(tier)]
