"""Exact identities of emitted functions at chosen numbers of coordinates, where the structure of a sum depends on d.

The small functions that carry this structure (groups of 64, tails, cuts on grids, words) are run as they stand on polynomials, and their
results must be identically what their contract says, whatever the rounding errors are that they catch. The row functions of the exact
tier are run so as a whole (see whole.py).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lnsym.emit.trace import whole
from lnsym.emit.trace.contracts import CONTRACTS
from lnsym.emit.trace.entries import Machine, Text
from lnsym.emit.trace.polynomials import Poly, Ring, total
from lnsym.emit.trace.standin import functions
from lnsym.errors import EmitError

WIDTHS = (1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 65, 129)
MORE = {"_row_sum": (256, 321), "_row_dot": (256, 321)}  # where paths of theirs begin
WHOLE_WIDTHS = (1, 3, 64, 65, 129)
# What stands in a function's place while others are traced, though it says nothing of the value that a theorem needs.
ANY_VALUE = {"_row_max", "_row_bound", "_size_bound", "_row_range", "_row_first", "_is_constant", "_all"}
ORACLE = {"_round_words", "_round_into", "_differ"}  # rounding itself, and bits: only the oracle speaks of these
Record = dict[str, object]
Result = tuple[str, Any, Any]  # what it is, what came, what the contract says


@dataclass
class Trial:
    """One function at one number of coordinates."""

    text: Text
    d: int
    rows: int = 2

    @property
    def ring(self) -> Ring:
        """The ring."""
        return self.text.machine.ring

    def block(self, name: str, rows: int | None = None, columns: int | None = None) -> Any:
        """An array of symbols near 1, some of them negative."""
        shape = self.rows if rows is None else rows, self.d if columns is None else columns
        values = np.random.default_rng(len(name) + shape[1]).normal(size=shape)
        cells = np.empty(shape, object)
        cells[...] = [[self.ring.symbol(f"{name}[{n},{j}]", v) for j, v in enumerate(row)] for n, row in enumerate(values)]
        return self.text.machine.wrap(cells)

    def vector(self, name: str, order: int = 0) -> Any:
        """One symbol for each row, positive; of a lower word where an order is given."""
        cells = np.empty(self.rows, object)
        cells[:] = [self.ring.symbol(f"{name}[{n}]", (0.7 + n) * 2.0 ** (-24 * order), order) for n in range(self.rows)]
        return self.text.machine.wrap(cells)

    def room(self, like: Any) -> Any:
        """An array to be written to."""
        return self.text.machine.wrap(np.full(like.shape, self.ring.symbol("unwritten", 1e3), object))

    def sums(self, cells: Any, axis: int = 1) -> list[Poly]:
        """The sums along rows or columns, added one by one."""
        return [total(part, self.ring) for part in (np.asarray(cells, object) if axis else np.asarray(cells, object).T)]


Check = Callable[[Any, Trial], Iterator[Result]]


# ---------------------------------------------------------------- sums


def _sum(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x")
    yield "sum", f(x), t.sums(x)


def _dot(f: Any, t: Trial) -> Iterator[Result]:
    a, b = t.block("a"), t.block("b")
    yield "sum of products", f(a, b), t.sums(a * b)


def _squares(f: Any, t: Trial) -> Iterator[Result]:
    a = t.block("a")
    yield "sum of squares", f(a), t.sums(a * a)


def _groups(cells: Any) -> list[list[Any]]:
    return [[row[k : k + 64] for k in range(0, len(row), 64)] for row in np.asarray(cells, object)]


def _group_sums(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x")
    yield "sums of groups", f(x), [[total(group, t.ring) for group in row] for row in _groups(x)]


def _group_squares(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x")
    yield "sums of groups", f(x), [[total(group * group, t.ring) for group in row] for row in _groups(x)]


def _over_groups(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x", columns=min(t.d, 20))
    yield "sum over groups", f(np.add, x), t.sums(x)


def _columns(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x", rows=t.d, columns=2)
    wanted = t.sums(x, axis=0)
    yield "sum of columns", f(x), wanted


def _column_words(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x", rows=t.d, columns=2)
    wanted = t.sums(x, axis=0)
    high, low, *_ = f(x)
    yield "high + low", high + low, wanted


def _careful_columns(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x", rows=t.d, columns=2)
    wanted = t.sums(x, axis=0)
    words = f(x)
    yield "sum of the words", words[0] + words[1] + words[2], wanted


def _places(f: Any, t: Trial) -> Iterator[Result]:
    mask = np.arange(2 * t.d).reshape(2, t.d) % 3 == 1
    rows, columns = f(mask, 5)
    yield "rows", rows.astype(object), (np.nonzero(mask)[0] + 5).astype(object)
    yield "columns", columns.astype(object), np.nonzero(mask)[1].astype(object)


def _blocks_tree(f: Any, t: Trial) -> Iterator[Result]:
    x, sums = t.block("x", rows=1, columns=min(t.d, 9))[0], list[Any]()
    for block, term in enumerate(x):
        f(sums, term, block)
    yield "total", np.array(t.text["_total"](sums, 0)), total(x, t.ring)


def _diagonal(f: Any, t: Trial) -> Iterator[Result]:
    n = min(t.d, 8)
    matrix, value = t.block("x", n, n), t.vector("value")[0]
    wanted = matrix + np.asarray(np.eye(n, dtype=int), object) * value
    f(matrix, value)
    yield "matrix", matrix, wanted


# ---------------------------------------------------------------- grids and words


def _split_sum(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x")
    high, low = f(x, t.vector("top"), t.room(x))
    yield "high + low", high + low, t.sums(x)


def _split_squares(f: Any, t: Trial) -> Iterator[Result]:
    a = t.block("a")
    high, low, _ = f(a, t.vector("unit"))
    yield "high + low", high + low, t.sums(a * a)


def _grid(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x")
    large, small = t.room(x), t.room(x)
    sums, _ = f(x, t.vector("grid"), large, small)
    yield "large + small", large + small, np.asarray(x, object)
    yield "sum of large", sums, t.sums(large)


def _words_of_sum(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x")
    first, second, third, missing = f(x, t.vector("top"))
    words = first + second + third
    signs = [1 if words[n] + missing[n] == row else -1 for n, row in enumerate(t.sums(x))]
    yield "words and what they miss", words + missing * np.array(signs, object), t.sums(x)


def _slices(t: Trial, name: str) -> list[Any]:
    head, middle, low = (t.block(f"{name}{part}") for part in ("head", "middle", "low"))
    return [head, middle, low, middle + low]


def _sum_of_slices(f: Any, t: Trial) -> Iterator[Result]:
    head, middle, low, _ = _slices(t, "x")
    high, rest = f(head, middle, low)
    yield "high + low", high + rest, t.sums(head + middle + low)


def _dot_of_slices(f: Any, t: Trial) -> Iterator[Result]:
    a, b = t.block("a"), t.block("b")
    for unit in (1.0, 2.0**-23):
        high, low = f(a, b, unit)
        yield "high + low", high + low, t.sums(a * b)


def _moments(f: Any, t: Trial) -> Iterator[Result]:
    xs, gs = _slices(t, "x"), _slices(t, "g")
    x, g = xs[0] + xs[3], gs[0] + gs[3]
    high, low = f(xs, gs)
    yield "high + low", high + low, t.sums(x * x) + t.sums(g * x)


def _cut(f: Any, t: Trial) -> Iterator[Result]:
    x, extra = t.block("x"), t.block("extra")
    for more in (None, extra):
        slices = [t.room(x), t.room(x), t.room(x), x.copy()]
        f(slices, more)
        whole_ = x if more is None else x + more
        yield "head + middle + low", slices[0] + slices[1] + slices[2], np.asarray(whole_, object)
        yield "middle + low", slices[3], np.asarray(slices[1] + slices[2], object)


def _scale(f: Any, t: Trial) -> Iterator[Result]:
    x = t.block("x")
    for exponents in ([3, -4], [900, -905]):
        out, powers = t.room(x), np.array(exponents)
        f(x, t.text.machine.wrap(powers, np.int64), out)
        yield "x 2^exponent", out, np.asarray(np.ldexp(x, powers[:, None]), object)


def _error_free(operation: Callable[[Any, Any], Any]) -> Check:
    def check(f: Any, t: Trial) -> Iterator[Result]:
        a, b = t.vector("a"), t.vector("b")
        high, low = f(a, b)
        yield "high + low", high + low, np.asarray(operation(a, b), object)

    return check


def _error_free_one(operation: Callable[[Any], Any]) -> Check:
    def check(f: Any, t: Trial) -> Iterator[Result]:
        a = t.vector("a")
        high, low = f(a)
        yield "high + low", high + low, np.asarray(operation(a), object)

    return check


def _halves(f: Any, t: Trial) -> Iterator[Result]:
    a, b = t.block("a"), t.block("b")
    halves = [[t.room(a), t.room(a)] for _ in range(2)]
    for x, half in zip((a, b), halves, strict=True):
        f(x, *half)
        yield "head + tail", half[0] + half[1], np.asarray(x, object)
    product, error = t.block("product"), t.room(a)
    t.text["_error_of_product"](product, *halves, error, t.room(a))
    yield "product + error", product + error, np.asarray(a * b, object)


def _multiply(f: Any, t: Trial) -> Iterator[Result]:
    a, b, a_low, b_low = t.vector("a"), t.vector("b"), t.vector("a low", 2), t.vector("b low", 2)
    high, low = f(a, a_low, b, b_low)
    yield "high + low", high + low, np.asarray((a + a_low) * (b + b_low), object)


def _divide(f: Any, t: Trial) -> Iterator[Result]:
    a, b, a_low, b_low = t.vector("a"), t.vector("b"), t.vector("a low", 2), t.vector("b low", 2)
    high, low = f(a, a_low, b, b_low)
    yield "(high + low) b", (high + low) * (b + b_low), np.asarray(a + a_low, object)


def _subtract(f: Any, t: Trial) -> Iterator[Result]:
    a, b, a_low, b_low = t.vector("a"), t.vector("b"), t.vector("a low", 2), t.vector("b low", 2)
    high, low = f(a, a_low, b, b_low)
    yield "high + low", high + low, np.asarray(a + a_low - b - b_low, object)


def _divide_by_count(f: Any, t: Trial) -> Iterator[Result]:
    high, low, lowest, count = t.vector("high"), t.vector("low", 2), t.vector("lowest", 4), t.vector("count")
    first, second, third, _ = f(high, low, lowest, count)
    yield "three words times the count", (first + second + third) * count, np.asarray(high + low + lowest, object)


def _reciprocal_root(f: Any, t: Trial) -> Iterator[Result]:
    s, low, count = t.vector("s"), t.vector("low", 2), t.vector("count")
    first, second = f(s * s * count, low, count)
    root = first + second
    yield "root^2 (high + low)", root * root * (s * s * count + low), np.asarray(count, object)


def _three_words(f: Any, t: Trial) -> Iterator[Result]:
    parts = [t.vector(name) for name in "abcd"]
    yield "sum of the words", sum(f(*parts)), np.asarray(sum(parts), object)


# For each function what its contract says, the check, and the order above which it is exact; None means exact without exception.
IDENTITIES: dict[str, tuple[str, Check, int | None]] = {
    "_row_sum": ("sum over i of x[n, i]", _sum, None),
    "_row_dot": ("sum over i of a[n, i] b[n, i]", _dot, None),
    "_products": ("sum over i of a[n, i] b[n, i]", _dot, None),
    "_column_sum": ("sum over n of x[n, i]", _columns, None),
    "_add_to": ("with _total: the sum over all blocks", _blocks_tree, None),
    "_add_to_diagonal": ("matrix + value on the diagonal", _diagonal, None),
    "_grouped_sum": ("sum over i of x[n, i]", _sum, None),
    "_grouped_dot": ("sum over i of a[n, i]^2", _squares, None),
    "_grouped_product": ("sum over i of a[n, i] b[n, i]", _dot, None),
    "_sum_groups": ("sums over groups of 64 columns", _group_sums, None),
    "_dot_groups": ("sums of squares over groups of 64 columns", _group_squares, None),
    "_over_groups": ("sum over the groups", _over_groups, None),
    "_sum_exact": ("sum over i of x[n, i]", _sum, None),
    "_sum_split": ("high + low is the sum", _split_sum, None),
    "_sum_squares": ("high + low is the sum of squares", _split_squares, None),
    "_sum_words": ("the words and the error whose size is given add up to the sum", _words_of_sum, None),
    "_sum_of_slices": ("high + low is the sum of all slices", _sum_of_slices, None),
    "_dot_of_slices": ("high + low is the sum of products", _dot_of_slices, None),
    "_second_moments": ("high + low are the sums of x^2 and g x", _moments, None),
    "_split_on_grid": ("large + small is x, and the sum is that of large", _grid, None),
    "_cut": ("head + middle + low is x and the addend", _cut, None),
    "_scale": ("x 2^exponent", _scale, None),
    "_halves": ("head + tail is a; with _error_of_product, product + error is a b", _halves, None),
    "_column_sum_words": ("high + low is the sum of each column", _column_words, None),
    "_column_sum_tree": ("sum of each column", _columns, None),
    "_careful_column_sums": ("the words add up to the sum of each column", _careful_columns, None),
    "_undecided": ("the places where the mask holds, counted from the block's first row", _places, None),
    "_two_sum": ("high + low is a + b", _error_free(lambda a, b: a + b), None),
    "_fast_two_sum": ("high + low is a + b", _error_free(lambda a, b: a + b), None),
    "_split": ("head + tail is a", _error_free_one(lambda a: a), None),
    "_two_product": ("high + low is a b", _error_free(lambda a, b: a * b), None),
    "_two_square": ("high + low is a^2", _error_free_one(lambda a: a * a), None),
    "_three_words": ("the words add up to a + b + c + d", _three_words, None),
    "_subtract_words": ("the words add up to the difference", _subtract, None),
    "_multiply_words": ("the words are the product to second order", _multiply, 4),
    "_divide_words": ("the words are the quotient to second order", _divide, 4),
    "_divide_by_count": ("the words are the quotient to third order", _divide_by_count, 6),
    "_reciprocal_root_words": ("the words are 1 / sqrt to second order", _reciprocal_root, 4),
}


# ---------------------------------------------------------------- one text


def check(source: str, name: str, widths: Sequence[int] = WIDTHS) -> int:
    """The number of identities found of one function; raises EmitError naming it, d and the first component that differs."""
    _, contract, order = IDENTITIES[name]
    count = 0
    for few in (-1, 4096):  # _FEW: with it, few numbers are added in one call
        text = Text(source, Machine(Ring(10**9, order)), {"_FEW": few})
        for d in (*widths, *MORE.get(name, ())):
            for label, got, wanted in contract(text[name], Trial(text, d)):
                count += whole.compare(name, f"d = {d}", label, got, wanted)
        if "_FEW" not in text:
            break
    return count


def contracts(source: str, widths: Sequence[int] = WIDTHS) -> list[Record]:
    """Records of the functions in a text that have a contract here."""
    there = functions(ast.parse(source))
    return [
        {
            "function": name,
            "method": "the emitted function run on polynomials; identical to its contract",
            "contract": IDENTITIES[name][0],
            "d": [*widths, *MORE.get(name, ())],
            "identities": check(source, name, widths),
        }
        for name in there
        if name in IDENTITIES
    ]


def rows(source: str, widths: Sequence[int] = WHOLE_WIDTHS, every: bool = False) -> list[Record]:
    """Records of the row functions of the exact tier, run as a whole."""
    there = functions(ast.parse(source))
    found = []
    for name, run in (("_layer_norm_rows", whole.forward), ("_vjp_rows", whole.backward)):
        if name in there:
            tried = list(whole.cases(tuple(widths), every))
            found.append(
                {
                    "function": name,
                    "method": "the emitted function run on polynomials, rounding errors as symbols; identical to the formula but for "
                    f"products of such errors below 2^-{whole.ORDER * 24}, along the branches of the rows tried",
                    "d": list(widths),
                    "stages": sorted({case.stage for case in tried}),
                    "rows tried": sorted({case.witness for case in tried}),
                    "identities": sum(run(source, case) for case in tried),
                }
            )
    return found


def uncovered(source: str) -> list[str]:
    """Functions that the proofs for symbolic d replace, of which nothing is shown here although their value matters."""
    there = functions(ast.parse(source))
    replaced = {name for name, says in there.items() if says.startswith("Contract:") or name in CONTRACTS}
    return sorted(replaced - IDENTITIES.keys() - ANY_VALUE - ORACLE)


def _all_is_all(source: str) -> None:
    """Raise EmitError if the function _all, on which tracing relies, does not say whether a mask holds everywhere."""
    text = Text(source, Machine(Ring(1)))
    for mask in ([True], [False], [True, False], [False, True, True], [True] * 65, [True] * 64 + [False]):
        if "_all" in text and bool(text["_all"](np.array(mask))) is not all(mask):
            raise EmitError(f"_all: a mask that {'holds' if all(mask) else 'does not hold'} everywhere is said to be otherwise")


def identities(source: str, tier: str) -> list[Record]:
    """What holds of an emitted text as exact identities: a record for each function; raises EmitError where one does not hold."""
    try:
        _all_is_all(source)
        found = contracts(source)
        if tier == "exact":
            found += rows(source)
            there = functions(ast.parse(source))
            integers = sorted(name for name, says in there.items() if says.startswith("Integer stage:"))
            for what, names in (("integers", integers), ("rounding itself", sorted(ORACLE & there.keys()))):
                if names:
                    found.append({"functions": names, "method": f"{what}: compared with the oracle in the tests, not proved"})
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError) as error:
        raise EmitError(f"the {tier} tier's text does something that cannot be run on polynomials: {error}") from error
    return found
