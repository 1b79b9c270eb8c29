"""The row functions of the exact tier as a whole, run as they stand on polynomials: forward and gradients, fast stages and retries."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from lnsym.emit.trace.entries import Machine, Text
from lnsym.emit.trace.polynomials import Poly, Ring, total
from lnsym.errors import EmitError

ORDER = 3  # products of this order, 2^-72, and above are dropped: rounding errors of the smallest words, which the bounds cover
WITNESSES = ("ordinary", "far", "flat", "out of range")  # flat: eps is far larger than the variance
CONSTANTS = {"out of range": {"_BAND": 0}}  # whatever is multiplied is scaled first
AFFINE = ("weight and bias", "weight", "bias", "")
STAGES = ("first", "retry", "third", "integers")


@dataclass(frozen=True)
class Case:
    """A way to run a row function: number of coordinates, format, weight and bias, kind of row, and the stage that decides."""

    d: int
    form: str = "float64"
    affine: str = "weight and bias"
    witness: str = "ordinary"
    stage: str = "first"
    rows: int = 1
    block: int = 2  # rows in a block

    def __str__(self) -> str:
        count = f"{self.rows} row{'s' * (self.rows > 1)}"
        return f"d = {self.d}, {count} of {self.form}, {self.affine or 'no weight'}, {self.witness}, decided by the {self.stage} stage"


@dataclass
class Data:
    """Rows x = mu + v with sum v = 0 and sum v^2 = d (s^2 - eps), cotangents, weight and bias as polynomials."""

    machine: Machine
    eps: Poly
    mu: list[Poly]
    v: list[list[Poly]]
    s: list[Poly]
    y: list[list[Poly]]
    weight: list[Poly]
    bias: list[Poly]
    unwritten: Poly = field(init=False)

    def __post_init__(self) -> None:
        self.unwritten = self.machine.ring.symbol("unwritten", 1e3)

    @property
    def x(self) -> list[list[Poly]]:
        """The entries."""
        return [[mu + v for v in row] for mu, row in zip(self.mu, self.v, strict=True)]

    def array(self, case: Case, cells: Any) -> Any:
        """An array in the case's format."""
        return self.machine.wrap(cells, case.form)

    def blank(self, case: Case, *rows: int) -> Any:
        """An array that is to be written."""
        return self.array(case, np.full((*rows, case.d), self.unwritten, object))

    def place(self, row: Any) -> int:
        """Which of the rows this is."""
        return next(n for n, x in enumerate(self.x) if x[0] == row[0])


def made(case: Case) -> Data:
    """Symbols for a case; their values are those of a row of that kind."""
    ring = Ring(case.d, ORDER)
    machine, random = Machine(ring), np.random.default_rng(case.d)
    if case.witness == "far" and case.d > 1:
        machine.rounded["_plain_rows"] = {"divide": 1}  # the first mean, which is then corrected
    level, tilt = (3e4, 400.0) if case.witness == "far" else (0.25, 0.3)
    mu, v, s, y = [], [], [], []
    root = 30.0 if case.witness == "flat" else 0.1
    eps = ring.symbol("eps", root**2) if case.d > 1 else ring.symbol("sqrt eps", root) ** 2
    for n in range(case.rows):
        mu.append(ring.symbol(f"mu:{n}", level * (1 + 0.37 * n)))
        y.append(ring.family(f"y:{n}", list(random.normal(size=case.d) + tilt)))
        if case.d == 1:
            v.append([ring.zero])
            s.append(eps.sqrt())
            continue
        values = random.normal(size=case.d)
        values -= values.mean()
        v.append(ring.family(f"v:{n}", list(values)))
        s.append(ring.symbol(f"s:{n}", math.sqrt(float((values**2).mean()) + root**2)))
        ring.sums[((ring.count, 1),)] = ring.zero
        ring.sums[((ring.count, 2),)] = (s[n] * s[n] - eps) * case.d
    weight = ring.family("weight", list(1 + 0.1 * random.normal(size=case.d)))
    bias = ring.family("bias", list(random.normal(size=case.d)))
    return Data(machine, eps, mu, v, s, y, weight, bias)


# ---------------------------------------------------------------- what must come out


def outputs(data: Data, case: Case) -> dict[str, Any]:
    """y, mean and rstd."""
    rows = range(case.rows)
    y = [[v / data.s[n] for v in data.v[n]] for n in rows]
    if "weight" in case.affine:
        y = [[w * u for w, u in zip(data.weight, row, strict=True)] for row in y]
    if "bias" in case.affine:
        y = [[u + b for u, b in zip(row, data.bias, strict=True)] for row in y]
    return {"y": y, "mean": data.mu, "rstd": [1 / s for s in data.s]}


def gradients(data: Data, case: Case) -> dict[str, Any]:
    """dx, and dweight and dbias of several rows."""
    ring, d = data.machine.ring, case.d
    dx = []
    for v, s, dy in zip(data.v, data.s, data.y, strict=True):
        g = [w * c for w, c in zip(data.weight, dy, strict=True)] if "weight" in case.affine else dy
        mean = ring.gathered(total(g, ring)) / d
        along = ring.gathered(total([a * b for a, b in zip(g, v, strict=True)], ring)) / d
        dx.append([(h - mean - a * along / (s * s)) / s for h, a in zip(g, v, strict=True)])
    terms = [[c * a / s for c, a in zip(dy, v, strict=True)] for v, s, dy in zip(data.v, data.s, data.y, strict=True)]
    dweight, dbias = ([total(column, ring) for column in zip(*table, strict=True)] for table in (terms, data.y))
    return {"dx": dx, "dweight": dweight, "dbias": dbias}


# ---------------------------------------------------------------- stages


def prepare(text: Text, data: Data, case: Case, wanted: dict[str, Any]) -> None:
    """Put contracts in the place of what reads bits or uses integers, and have stages before the one that decides leave everything."""
    retry = case.stage != "first"

    def round_words(high: Any, low: Any, _: Any, exponent: Any, __: Any) -> Any:
        late = text.machine.inside("_settle_rows") or text.machine.inside("_narrow_finish") or text.machine.inside("_settle_means")
        decided = case.stage in ("first", "retry") or (case.stage == "third" and late)
        columns = text.machine.inside("_round_columns")
        decided = decided or columns
        if case.stage == "first" and case.witness != "out of range" and np.size(high) and not columns:
            raise EmitError(f"{text.machine.frames[1][0]} ({case}): the first stage leaves components to others though it need not")
        value = text.machine.wrap(np.ldexp(text.machine.wrap(high + low), exponent))
        if not decided:
            value[...] = data.unwritten
        return value, np.full(value.shape, decided)

    def differ(a: Any, b: Any, out: Any) -> None:
        out[...] = (a != b) | retry

    def spoiled(name: str, arrays: Callable[..., list[Any]], verdict: Callable[[Any], Any]) -> None:
        own = text.names.get(name)
        if own is None or not retry:
            return

        def call(*args: Any) -> Any:
            result = own(*args)
            for array in arrays(*args):
                array[...] = True if array.dtype == bool else data.unwritten
            return verdict(result)

        text.names[name] = call

    def stage(name: str, position: int, results: str) -> None:
        def call(*args: Any) -> None:
            x = args[1 if results == "dx" else 0]
            rows, columns, out = args[position:]
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
                out[row, column] = wanted[results][data.place(x[row])][column]

        text.replace(name, call)

    def statistics(x: Any, _: Any, rows: Any, mean: Any, rstd: Any) -> None:
        for row in rows.tolist():
            n = data.place(x[row])
            mean[row], rstd[row] = data.mu[n], 1 / data.s[n]

    for size in ("_exact_block_rows", "_gradient_rows"):
        text.replace(size, lambda _: case.block)
    for size in ("_panel_rows", "_gradient_panel"):
        text.replace(size, lambda _: 2 * case.block)
    text.replace("_round_words", round_words)
    text.replace("_differ", differ)
    text.replace("_exact_row_statistics", statistics)
    text.replace("_round_into", lambda x, out: np.copyto(out, x))
    stage("_exact_output_components", 4, "y")
    stage("_exact_gradient_components", 4, "dx")
    spoiled("_round_parts", lambda *args: [args[3], args[4]], lambda _: None)
    spoiled("_rounded", lambda *args: [args[3]], np.zeros_like)
    spoiled("_round_gradient", lambda *args: [args[3]], np.ones_like)
    if case.witness == "out of range" and (plain := text.names.get("_plain_words")):
        text.names["_plain_words"] = lambda *args: _unfit(plain(*args))
    spoiled("_narrow_block", lambda *args: [args[3]], lambda result: (np.ones_like(result[0]), result[1]))


def _unfit(result: tuple[list[Any], Any, Any]) -> tuple[list[Any], Any, Any]:
    """What _plain_words says of rows that it is not good for."""
    words, fine, finite = result
    return words, np.zeros_like(fine), finite


# ---------------------------------------------------------------- runs


def forward(source: str, case: Case) -> int:
    """Run _layer_norm_rows and compare; the number of identities."""
    data = made(case)
    wanted, machine = outputs(data, case), data.machine
    text = Text(source, machine, CONSTANTS.get(case.witness))
    prepare(text, data, case, wanted)
    out = data.blank(case, case.rows)
    weight = data.array(case, data.weight) if "weight" in case.affine else None
    bias = data.array(case, data.bias) if "bias" in case.affine else None
    mean, rstd = text["_layer_norm_rows"](data.array(case, data.x), weight, bias, machine.wrap(data.eps), out)
    return sum(compare("_layer_norm_rows", case, name, got, wanted[name]) for name, got in (("y", out), ("mean", mean), ("rstd", rstd)))


def backward(source: str, case: Case) -> int:
    """Run _vjp_rows and compare; the number of identities."""
    data = made(case)
    wanted, machine = gradients(data, case), data.machine
    text = Text(source, machine, CONSTANTS.get(case.witness))
    prepare(text, data, case, wanted)
    got = {"dx": data.blank(case, case.rows)}
    if case.rows > 1:  # one row's dweight is a forward result
        got |= {"dweight": data.blank(case), "dbias": data.blank(case)}
    weight = data.array(case, data.weight) if "weight" in case.affine else None
    eps = machine.wrap(data.eps)
    text["_vjp_rows"](data.array(case, data.y), data.array(case, data.x), weight, eps, got["dx"], got.get("dweight"), got.get("dbias"))
    return sum(compare("_vjp_rows", case, name, array, wanted[name]) for name, array in got.items())


def compare(function: str, case: object, name: str, got: Any, wanted: Any) -> int:
    """Whether the entries are identical; raises EmitError naming the first that is not."""
    there = np.empty(np.shape(got), object)
    there[...] = wanted
    for place in np.ndindex(there.shape):
        found = np.asarray(got, object)[place]
        rest = found - there[place]
        if isinstance(rest, Poly):
            rest = rest.ring.gathered(rest)
        if rest:
            at = f"{name}[{', '.join(map(str, place))}]" if place else name
            raise EmitError(f"{function} ({case}): {at} is not what the formula says; the difference is {rest}")
    return there.size


def cases(widths: tuple[int, ...], every: bool) -> Iterator[Case]:
    """The cases for these numbers of coordinates; not all combinations unless wanted."""
    for d in widths:
        if every:
            for form, affine, witness, stage, count in product(("float64", "float32"), AFFINE, WITNESSES, STAGES, (1, 2)):
                yield Case(d, form, affine, witness, stage, count, 3 - count)
            continue
        yield Case(d, rows=2)
        yield Case(d, "float32", witness="far")
        yield Case(d, affine="", witness="far", stage="retry")
        if d < 64:
            yield Case(d, affine="weight", witness="flat", rows=3)
            yield Case(d, affine="weight", witness="far", rows=3)
            yield Case(d, affine="bias", stage="third")
            yield Case(d, witness="out of range", stage="third", rows=2, block=1)
            yield Case(d, stage="integers", rows=2)
            yield Case(d, "float32", rows=3, block=1)
            yield Case(d, "float32", "", stage="retry", rows=2)
            yield Case(d, "float32", stage="retry")
            yield Case(d, "float32", witness="out of range", rows=3)
            yield Case(d, "float32", stage="integers", rows=2, block=1)
