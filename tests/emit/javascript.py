"""What tells right emitted JavaScript from wrong: calls, what bad arguments are told, and mutants of a text. Imports the runner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tests.emit.node import Outcome

Calls = list[tuple[str, Sequence[Any]]]

ERRORS: tuple[tuple[str, tuple[Any, ...], str], ...] = (
    ("normalize", ([],), "RangeError: x: expected at least one entry in a row, got none"),
    ("normalize", ([[]],), "RangeError: x[0]: expected at least one entry in a row, got none"),
    ("normalize", ([[1], [1, 2]],), "RangeError: x[1]: expected 1 entries, as many as x[0] has, got 2"),
    ("normalize", (1,), "TypeError: x: expected an array of numbers, got a value of type number"),
    ("normalize", (None,), "TypeError: x: expected an array of numbers, got null"),
    ("normalize", ({"absent": 1},), "TypeError: x: expected an array of numbers, got nothing"),
    ("normalize", ([1, "2"],), "TypeError: x[1]: expected a number, got a value of type string"),
    ("normalize", ([1, None],), "TypeError: x[1]: expected a number, got null"),
    ("normalize", ([1, [2]],), "TypeError: x[1]: expected a number, got an array"),
    ("normalize", ([[1], 2],), "TypeError: x[1]: expected an array of numbers, got a value of type number"),
    ("normalize", ([1, 2], 0), "RangeError: eps: expected a finite number > 0, got 0; the usual value is 1e-5"),
    ("normalize", ([1, 2], -1), "RangeError: eps: expected a finite number > 0, got -1; the usual value is 1e-5"),
    ("normalize", ([1, 2], float("nan")), "RangeError: eps: expected a finite number > 0, got NaN; the usual value is 1e-5"),
    ("normalize", ([1, 2], float("inf")), "RangeError: eps: expected a finite number > 0, got Infinity; the usual value is 1e-5"),
    ("normalize", ([1, 2], "1e-5"), "TypeError: eps: expected a number, got a value of type string"),
    ("layer_norm", ([1, 2], [1]), "RangeError: weight: expected 2 entries, as many as a row of x has, got 1"),
    ("layer_norm", ([1, 2], None, [1, 2, 3]), "RangeError: bias: expected 2 entries, as many as a row of x has, got 3"),
    ("layer_norm_jvp", ([1, 2], [1]), "RangeError: dx: expected the shape of x, one row of 2 entries, got one row of 1 entries"),
    ("layer_norm_vjp", ([[1, 2]], [1, 2]), "RangeError: dy: expected the shape of x, one row of 2 entries, got 1 rows of 2 entries"),
    (
        "layer_norm_vjp_vjp",
        ([1], None, None, [1, 2], [1, 2]),
        "RangeError: ddx: expected the shape of x, one row of 2 entries, got one row of 1",
    ),
    ("jacobian", ([[1, 2]],), "RangeError: x: expected one row, got 1 rows of 2 entries"),
    ("merge_stats", (None, {"n": 1, "mean": 0, "m2": 0}), "TypeError: first: expected { n, mean, m2 }, got null"),
    ("merge_stats", ({"n": 1, "mean": 0, "m2": 0}, {"n": 1, "mean": 0}), "TypeError: second.m2: expected a number, got nothing"),
    ("merge_stats", ({"n": -1, "mean": 0, "m2": 0}, {"n": 1, "mean": 0, "m2": 0}), "RangeError: first.n: expected a count >= 0, got -1"),
    (
        "merge_stats",
        ({"n": 1, "mean": 0, "m2": -2}, {"n": 1, "mean": 0, "m2": 0}),
        "RangeError: first.m2: expected a sum of squares >= 0, got -2",
    ),
)


# ---------------------------------------------------------------- mutants


def mutants(text: str) -> Iterator[tuple[str, str]]:
    """Each text with one sign, comparison, connective or number of its code changed, and what was changed; texts and comments stay."""
    swaps = {" + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " === ": " !== ", " !== ": " === ", " && ": " || ", " || ": " && "}
    swaps |= {" < ": " >= ", " >= ": " < ", " > ": " <= ", " <= ": " > "}
    swaps |= {"plus(": "times(", "times(": "plus(", "over(": "times(", "minus(": "plus("}
    swaps |= {"ONE": "ZERO", "ZERO": "ONE", "meanOf(": "sumOf(", "sumOf(": "meanOf(", "[i]": "[0]", " += ": " -= ", " *= ": " /= "}
    token = re.compile(
        r"(?P<kept>/\*.*?\*/|//[^\n]*|`[^`]*`|\"[^\"\n]*\"|^export|^function [^\n]*|^const [^\n]*)|"
        r"(?P<swap> (?:[-+*/<>]|[-+*]=|[<>]=|[!=]==|&&|\|\|) |\b(?:plus|times|over|minus|meanOf|sumOf)\(|\b(?:ONE|ZERO)\b|\[i\])|"
        r"(?P<number>(?<![\w.$])\d+n?\b(?!\.))",
        re.DOTALL | re.MULTILINE,
    )
    for found in token.finditer(text):
        if found["swap"]:
            other = swaps[found["swap"]]
        elif found["number"]:
            other = str(int(found["number"].rstrip("n")) + 1) + "n" * found["number"].endswith("n")
        else:
            continue
        line = text[text.rfind("\n", 0, found.start()) + 1 : text.find("\n", found.end())].strip()
        yield f"{line} | {found[0].strip()} -> {other.strip()}", text[: found.start()] + other + text[found.end() :]


# ---------------------------------------------------------------- calls

NAN, INFINITY = float("nan"), float("inf")
HARD = (
    # sums whose rounding errors are larger than what is left
    ([1e16, 1.0, -1e16], 1e20),
    ([-1e16, 1.0, 1e16], 1e20),
    ([1.0, 1e16, -1e16], 1e20),
    ([1.0, -1e16, 1e16, 3.0], 1e20),
    # constant rows
    ([0.1] * 49, 1e-30),
    ([3.0, 3.0, 3.0], 1e-290),
    ([1e150, 1e150], 1e302),
    # no bound, for want of range
    ([1e308, -1e308], 1e-5),
    ([1e155, -1e155], 1e-5),
    ([1e-200, 2e-200], 1e-300),
    ([NAN, 1.0], 1e-5),
    ([INFINITY, 1.0], 1e-5),
    # about the ends of the condition of the bound
    ([2.0**502, 0.0], 1e-5),
    ([1.2 * 2.0**501, 0.0], 1e-5),
    ([2.0**500, 0.0], 1e-5),
    ([2.0**-479.5, 0.0], 1e-320),
    ([2.0**-478.9, 0.0], 1e-320),
    ([2.0**-478.5, 0.0], 1e-320),
    ([1e8, 1e8 + 1e-7], 1e-12),
    ([-1e8, -1e8 - 1e-7], 1e-12),
    ([6e7, 6e7 + 2], 1e-5),
    ([1.0, 2.0], 1e-300),
    ([2.0**26, 2.0**26 + 2.0], 1e-320),
    ([2.0**26 - 2.0, 2.0**26], 1e-320),
    ([2.0**25, 2.0**25 + 2.0], 1e-320),
)


def battery(tier: str) -> Calls:
    """Calls that tell right helpers and public functions from wrong ones."""
    rows: list[list[Any]]
    others: list[list[Any]]
    if tier == "exact":
        rows = [["1", "2", "3"], ["-3", "-1", "-2"]]
        others = [["1/2", "-3", "0.25"], ["2/3", "5", "0"]]
    else:
        rows = [[1.0, 2.0, 3.0], [-4.0, 0.5, 9.0]]
        others = [[0.5, -3.0, 0.25], [2.0, 5.0, 0.0]]
    third: Any = "1/3" if tier == "exact" else 1 / 3
    calls: Calls = []
    for x, o in ((rows[0], others[0]), (rows, others)):
        calls += [
            ("normalize", (x, third)),
            ("layer_norm", (x, None, None, third)),
            ("layer_norm", (x, others[0], others[1], third, {"returnStats": True})),
            ("layer_norm_jvp", (x, o, None, third)),
            ("layer_norm_jvp", (x, o, others[1], third)),
            ("layer_norm_vjp", (o, x, None, third)),
            ("layer_norm_vjp", (o, x, others[1], third)),
            ("layer_norm_vjp_vjp", (o, others[0], others[1], o, x, None, third)),
            ("layer_norm_vjp_vjp", (None, None, None, o, x, others[0], third)),
            ("jacobian", (x, third)),
        ]
    shards = [{"n": n, "mean": m, "m2": q} for n, m, q in ((2, 4, 8), (3, -1, 5), (0, 9, 1))]
    calls += [("merge_stats", (one, other)) for one in shards for other in shards]
    calls += [(op, given) for op, given, _ in ERRORS]
    entries: Any = ["1", "2", "3"] if tier == "exact" else [1.0, 2.0, 3.0]
    pairs = (
        (rows, entries),
        (entries, rows),
        (rows, rows),
        (rows, [rows[0]]),
        (entries, entries),
        (entries, [1]),
        (rows, [1]),
        ([[1]], [1]),
    )
    calls += [("second", pair) for pair in pairs]
    calls += [("ratio", one) for one in ((3, 2), (3, -2), (8, -6), (0, 4), (1, 0), ("1/2", "x"))]
    calls += [("root", (one,)) for one in (4, 9, 0, -1, 1, 2)]
    if tier == "exact":
        calls += [("normalize", (["0", str(Fraction(2 * 10**30, 7))], str(Fraction(3 * 10**30, 28) ** 2)))]
        calls += [
            ("normalize", one)
            for one in ((["1", "2"], "1"), (["1", "1/0"], "1"), ([1, 0.5], 1), (["0", "-0.02"], "0.0001"), ([0, 2], "-1"))
        ]
        calls += [("normalize", (["-2/4", "1/2"], "3/4")), ("normalize", (["0", "4"], "9/4")), ("normalize", (["0", "1/8"], "2/9"))]
        return [*calls, *((op, given) for op, given in defaults([0, "1/50"], "3/10000"))]
    calls += defaults(np.array([1.0, 2.0]), 1e-5)
    calls += [("normalize", ([np.array([1.0, 2.0]), [1.0, 2.0]],)), ("normalize", ([[1.0, 2.0], np.array([1.0, 2.0])],))]
    calls += [("normalize", (np.array(row), eps)) for row, eps in HARD]
    calls += [("normalize", ([[1.0, 2.0], [1e200, 0.0], [1e201, 0.0]],)), ("jacobian", (np.array([1.0, 3.0]), 3.0))]
    return calls


def defaults(x: Any, other: Any) -> Calls:
    """A call of each operation without eps, and with another."""
    calls: Calls = []
    for extra in ((), (None, other)):
        calls += [("normalize", (x, *extra[1:])), ("layer_norm", (x, None, *extra)), ("layer_norm_jvp", (x, x, *extra))]
        calls += [("layer_norm_vjp", (x, x, *extra)), ("layer_norm_vjp_vjp", (x, None, None, x, x, *extra)), ("jacobian", (x, *extra[1:]))]
    return calls


def alike(one: Any, other: Any) -> bool:
    """Equal, where floats may differ by a few units in the last place of their size."""
    if isinstance(one, Outcome) and isinstance(other, Outcome):
        return one.error == other.error and one.said == other.said and alike(one.result, other.result)
    if isinstance(one, (list, np.ndarray)):
        return type(one) is type(other) and len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, float) and isinstance(other, (int, float)):
        return one == other or (one != one and other != other)
    return bool(one == other)
