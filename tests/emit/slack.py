"""How much slack the rounding tests of the exact tier have: each of their constants is halved alone until a wrong component gets through.

`python -m tests.emit.slack` measures all constants and writes tests/data/slack.json. A constant is a number of the module that is called a
slack or made of the unit roundoff, or one place in a function where the unit roundoff stands. The rows lie so near to rounding boundaries
that every stage but the integers is wrong about half of them, if its test lets them pass. Imports the battery and the boundary rows.
"""

from __future__ import annotations

import ast
import builtins
import copy
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from tests.emit import families
from tests.emit.battery import Probe, backward, forward
from tests.emit.boundaries import biases, core_rows, gradient_rows
from tests.emit.modules import source
from tests.emit.mutate import failure, loaded, reached

TABLE = Path(__file__).parents[1] / "data" / "slack.json"
UNIT = "_U"
TOGETHER = "all of them together"
SUFFIX = "_SLACK"
LAST = 40  # constants are halved so often at most; then 0 is tried
OPERATIONS = ("_layer_norm_rows", "_vjp_rows")


# ---------------------------------------------------------------- the constants


@dataclass(frozen=True)
class Constant:
    """A constant of a rounding test: where it stands, its value as it is written, and the module with another in its place."""

    name: str
    value: str
    tree: ast.Module = field(repr=False, compare=False)
    place: tuple[int, int] = field(repr=False)
    """Line and column of the expression to be scaled."""

    def scaled(self, factor: float) -> CodeType:
        """The module with this constant times a factor."""
        scaler = _Scaler(self.place, factor)
        tree = ast.fix_missing_locations(scaler.visit(copy.deepcopy(self.tree)))
        if not scaler.found:
            raise AssertionError(f"{self.name} is not where it was")
        return builtins.compile(tree, f"<{self.name} times {factor}>", "exec")


class _Scaler(ast.NodeTransformer):
    """Multiplies the expression at one place by a factor."""

    def __init__(self, place: tuple[int, int], factor: float) -> None:
        """Remember what to do."""
        self.place, self.factor, self.found = place, factor, False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Replace the outermost expression that begins at the place."""
        if isinstance(node, ast.expr) and not self.found and (node.lineno, node.col_offset) == self.place and _is_scalable(node):
            self.found = True
            return ast.BinOp(node, ast.Mult(), ast.Constant(self.factor))
        return super().generic_visit(node)


def _is_scalable(node: ast.expr) -> bool:
    return not isinstance(node, ast.Name) or node.id == UNIT


def constants(text: str) -> Iterator[Constant]:
    """The constants of the rounding tests that the exact tier's operations reach, in the order of the text."""
    tree = ast.parse(text)
    functions = reached(text, OPERATIONS)
    used = {
        one.id
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name in functions
        for one in ast.walk(node)
        if isinstance(one, ast.Name)
    }
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in used and name != UNIT and (name.endswith(SUFFIX) or UNIT in _names(node.value)):
                yield Constant(name, ast.unparse(node.value), tree, (node.value.lineno, node.value.col_offset))
        elif isinstance(node, ast.FunctionDef) and node.name in functions:
            yield from _in_function(node, tree)


def _in_function(function: ast.FunctionDef, tree: ast.Module) -> Iterator[Constant]:
    places = sorted(
        (one for one in ast.walk(function) if isinstance(one, ast.Name) and one.id == UNIT), key=lambda one: (one.lineno, one.col_offset)
    )
    terms: dict[int, tuple[ast.expr, ast.Name]] = {}
    for one in places:
        term = _term(function, one)
        terms.setdefault(id(term), (term, one))  # a square of the unit roundoff is one constant
    for number, (term, one) in enumerate(terms.values(), 1):
        yield Constant(f"{function.name} {number}", ast.unparse(term), tree, (one.lineno, one.col_offset))


def _term(function: ast.FunctionDef, place: ast.Name) -> ast.expr:
    """The product around a place: the term of the bound that it makes."""
    parents = {id(child): node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    node: ast.expr = place
    while isinstance(parent := parents[id(node)], ast.BinOp) and isinstance(parent.op, (ast.Mult, ast.Div, ast.Pow)):
        node = parent
    return node


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def together(text: str) -> Constant:
    """The unit roundoff, of which all bounds are multiples."""
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == UNIT:
            return Constant(TOGETHER, ast.unparse(node.value), tree, (node.value.lineno, node.value.col_offset))
    raise AssertionError(f"the module has no {UNIT}")


# ---------------------------------------------------------------- rows on which every stage is wrong if it decides


def battery(rows: int = 200, forms: tuple[str, ...] = ("float64", "float32", "float16", "bfloat16")) -> list[Probe]:
    """Forward and backward, for ordinary rows, rows far from 0 and rows of any width, in all formats, next to rounding boundaries."""
    found: list[Probe] = []
    for form in forms:
        near = range(20, 100, 7) if form == "float64" else range(16, 45, 3) if form == "float32" else range(6, 16)
        for d in (5, 66):
            n = max(2, rows if d < 10 else rows // 4)
            r = np.random.default_rng([d, len(form)])
            start = r.standard_normal((n, d)) * 2.0 ** r.integers(-3, 4, (n, 1))
            x = core_rows(families.in_format(start, form), 1e-5, form, near)
            found.append(forward(f"{form} d={d} core", x))
            dy = families.in_format(r.standard_normal((n, d)), form)
            found.append(backward(f"{form} d={d} gradient", gradient_rows(dy, x, 1e-5, form, near), x, wrt=(True, False, False)))
        for kind in ("noise", "far", "wide", "huge", "tiny"):
            found += [_of_biases(form, kind, k, near) for k in range(max(1, rows // 40))]
    return found + [probe for form in forms for probe in _fuzz(form, rows)]


def _of_biases(form: str, kind: str, k: int, near: range) -> Probe:
    """One row of any kind, whose bias brings every component next to a boundary."""
    r, d = np.random.default_rng([k, len(form), len(kind)]), 40
    noise = r.standard_normal(d)
    top = {"float64": 1000, "float32": 120, "float16": 12, "bfloat16": 120}[form]
    row = {
        "noise": noise,
        "far": 2.0 ** int(r.integers(1, 10)) + noise,
        "wide": noise * 2.0 ** r.integers(-9, 9, d),
        "huge": noise * 2.0 ** (top - 2),
        "tiny": noise * 2.0 ** (-top),
    }[kind]
    x = families.in_format(row, form)
    weight = families.in_format(r.standard_normal(d), form)
    eps = 1e-5 if kind != "tiny" else 2.0 ** (-2 * top if form != "float64" else -1060)
    return forward(f"{form} {kind} {k} output", x[None], weight, biases(x, weight, eps, form, near), eps)


def _fuzz(form: str, rows: int) -> Iterator[Probe]:
    """Structured rows at random, forward and backward."""
    r = np.random.default_rng(len(form))
    for k in range(max(1, rows // 10)):
        x, eps = families.fuzz_rows(r, form, 6, (2, 3, 9, 64, 70)[k % 5]), families.fuzz_eps(r)
        yield forward(f"{form} fuzz {k}", x, eps=eps)
        yield backward(
            f"{form} fuzz {k} gradient", families.in_format(r.standard_normal(x.shape), form), x, eps=eps, wrt=(True, False, False)
        )


# ---------------------------------------------------------------- measuring


def wrong_at(constant: Constant, factor: float, probes: list[Probe]) -> bool:
    """Whether a wrong component gets through when the constant is this part of itself."""
    return failure(loaded(constant.scaled(factor)), "exact", probes) is not None


def first_wrong(constant: Constant, probes: list[Probe]) -> int | None:
    """The least k for which 2^-k times the constant lets a wrong component through: LAST + 1 where only 0 does, None where even 0 does not.

    A smaller constant lets more through, so that halving the interval of k finds the least.
    """
    if not wrong_at(constant, 0.0, probes):
        return None
    low, high = 0, LAST + 1  # not wrong at 2^-low, wrong at 2^-high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if wrong_at(constant, 2.0**-middle, probes) else (middle, high)
    return high


def choices(text: str) -> list[Constant]:
    """All constants together first, and then each."""
    return [together(text), *constants(text)]


_probes: list[Probe] = []


def _start(probes: list[Probe]) -> None:
    global _probes  # noqa: PLW0603 a worker process has one
    _probes = probes


def _measured(number: int) -> tuple[str, str, int | None]:
    constant = choices(source("exact"))[number]
    return constant.name, constant.value, first_wrong(constant, _probes)


def written(table: dict[str, Any]) -> str:
    """The table as lines of text: constant, value, where a mismatch was seen."""
    lines = []
    for one in table["constants"]:
        k = one["wrong at"]
        seen = f"none, even without it (down to 2^-{LAST} and 0)" if k is None else "only at 0" if k > LAST else f"2^-{k}"
        lines.append(f"{one['name']:34} {one['value']:44} {seen}")
    return "\n".join(lines)


def main(rows: int = 200) -> int:
    """Measure all constants and write the table."""
    probes = battery(rows)
    text = source("exact")
    if wrong := failure(loaded(builtins.compile(text, "<exact>", "exec")), "exact", probes):
        sys.stdout.write(f"the exact tier itself fails: {wrong}\n")
        return 1
    count = len(choices(text))
    with ProcessPoolExecutor(2, get_context("spawn"), _start, (probes,)) as pool:
        measured = [{"name": name, "value": value, "wrong at": k} for name, value, k in pool.map(_measured, range(count))]
    table = {
        "written by": "python -m tests.emit.slack",
        "meaning": "a wrong component was seen when the constant was 2^-k of itself, k as stated, and none at larger powers; "
        f"{LAST + 1}: only at 0; null: not even at 0",
        "components": sum(probe.right[0].size for probe in probes),
        "constants": measured,
    }
    TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    sys.stdout.write(written(table) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
