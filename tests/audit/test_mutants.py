"""Mutants of right implementations: each operator, constant, axis and coefficient changed; all that differ as functions are caught."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lnsym.audit import audit
from lnsym.audit.call import Array
from tests.emit.battery import Names
from tests.emit.mutate import Mutant, loaded, mutants

SOURCE = Path(__file__).with_name("textbook.py").read_text(encoding="utf-8")
CODE = compile(SOURCE, "<textbook>", "exec")
FORWARD = ("_forward", "_running", "_shifted", "_blocked")
# What a mutant is judged in: the functions below are reached from one of these.
USES = {
    "_forward": ("_statistics", "_core", "_affine", "_forward"),
    "_running": ("_welford", "_running"),
    "_shifted": ("_shifted",),
    "_blocked": ("_blocked",),
    "_backward": ("_backward", "_dx"),
}
QUICK = 12  # every so many are tried in the quick run
APART = 1e-7  # relative: what differs more is another function, what differs less is rounding


def listed() -> list[tuple[str, Mutant]]:
    """The emitted code's kinds of change, and axes and coefficients besides."""
    changed = [(use, mutant) for use, names in USES.items() for mutant in mutants(SOURCE, frozenset(names), f"{use} ")]
    return changed + [(use, mutant) for use, names in USES.items() for name in names for mutant in scaled_or_turned(name, use)]


def scaled_or_turned(name: str, use: str) -> Iterator[Mutant]:
    """One result of an operation off by a thousandth, or one axis 0 in the place of 1 and the other way about."""
    module = ast.parse(SOURCE)
    function = next(node for node in module.body if isinstance(node, ast.FunctionDef) and node.name == name)
    alone = ast.Module([function], [])
    for node in list(ast.walk(function)):
        if isinstance(node, ast.keyword) and node.arg == "axis" and isinstance(node.value, ast.Constant):
            old, node.value = node.value, ast.Constant(0 if node.value.value == 1 else 1)
            yield compiled(alone, f"{use} {name}: axis turned, line {old.lineno}", name)
            node.value = old
        elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.FloorDiv):
            old_left, old_op, old_right = node.left, node.op, node.right
            inner = ast.BinOp(old_left, old_op, old_right)
            node.left, node.op, node.right = inner, ast.Mult(), ast.Constant(1.001)
            yield compiled(alone, f"{use} {name}: times 1.001: {ast.unparse(inner)}", name)
            node.left, node.op, node.right = old_left, old_op, old_right


def compiled(module: ast.Module, title: str, name: str) -> Mutant:
    ast.fix_missing_locations(module)
    return Mutant(title, name, 0, compile(module, "<mutant>", "exec"))


def forward_of(names: Names, use: str) -> Callable[..., Array]:
    rows = names[use]

    def layer_norm(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
        y: Array = rows(x.reshape(-1, x.shape[-1]), weight, bias, eps)
        return y.reshape(x.shape)

    return layer_norm


def gradient_of(names: Names) -> Callable[..., Any]:
    def layer_norm_vjp(dy: Array, x: Array, weight: Array | None = None, eps: float = 1e-5) -> tuple[Array, Array, Array]:
        flat = x.reshape(-1, x.shape[-1])
        dx, dweight, dbias = names["_backward"](dy.reshape(flat.shape), flat, weight, eps)
        return dx.reshape(x.shape), dweight, dbias

    return layer_norm_vjp


def answers(names: Names, use: str) -> Iterator[Array]:
    """What the functions give on inputs of their own, apart from those of the audit."""
    r = np.random.default_rng(7)
    for n, d, eps in ((3, 4, 0.5), (5, 3, 2.0), (1, 7, 0.1), (4, 4, 1.0), (2, 9, 30.0), (3, 2, 0.3), (2, 1, 1.5), (6, 11, 0.7)):
        x, w, b, dy = r.normal(1, 2, (n, d)), r.normal(size=d), r.normal(size=d), r.normal(size=(n, d))
        for weight, bias in ((w, b), (None, b), (w, None)):
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if use == "_backward":
                    yield from gradient_of(names)(dy, x, weight, eps)
                else:
                    yield forward_of(names, use)(x, weight, bias, eps)


RIGHT = {use: list(answers(loaded(CODE), use)) for use in USES}


def differs(names: Names, use: str) -> bool:
    """Whether it is another function, by inputs of our own."""
    try:
        found = list(answers(names, use))
    except Exception:  # noqa: BLE001 a mutant may fail in any way
        return True
    if any(np.shape(one) != right.shape for one, right in zip(found, RIGHT[use], strict=True)):
        return True
    with np.errstate(all="ignore"):
        return any(
            bool((~(np.abs(one - right) <= APART * (1 + np.abs(right)))).any()) for one, right in zip(found, RIGHT[use], strict=True)
        )


def verdict(names: Names, use: str) -> str:
    options: dict[str, Any] = {"dtype": "float64", "isolate": False, "exit_first": True}
    right = loaded(CODE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if use == "_backward":
            return audit(forward_of(right, "_forward"), grad=gradient_of(names), **options).verdict
        return audit(forward_of(names, use), **options).verdict


@pytest.mark.parametrize("use", FORWARD)
def test_the_text_itself_is_right(use: str) -> None:
    names = loaded(CODE)
    found = audit(forward_of(names, use), grad=gradient_of(names), dtype="float64,float32", isolate=False)
    assert found.verdict == "held", str(found)


def missed(part: list[tuple[str, Mutant]]) -> tuple[list[str], int]:
    """The mutants that differ and are not caught, and how many differ."""
    kept, wrong = [], 0
    for use, mutant in part:
        names = loaded(CODE, mutant)
        if differs(names, use):
            wrong += 1
            if verdict(names, use) != "failed":
                kept.append(mutant.name)
    return kept, wrong


def test_some_mutants_are_caught() -> None:
    kept, wrong = missed(listed()[::QUICK])
    assert wrong >= 15
    assert not kept


@pytest.mark.full
def test_all_mutants_that_differ_are_caught() -> None:
    everything = listed()
    kept, wrong = missed(everything)
    print(f"mutants {len(everything)}: {wrong} differ as functions, {wrong - len(kept)} caught")  # noqa: T201
    assert wrong >= 200
    assert not kept
