"""Printing: what is printed is the formula, in exact arithmetic; the known ways in which code generators go wrong are not taken.

Each test named after an id (B137, ...) is a case of kind CODEGEN in tests/data/bug_cases.json.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import cycle
from math import isqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from lnsym.derivations.definitions import d, eps, q, r, s, u, v, z

from lnsym import library
from lnsym.derivation import (
    At,
    Claim,
    Derivation,
    Offer,
    Theorem,
    algebra,
    at,
    by,
    centred,
    check,
    derivative,
    point_of,
    split,
    squares,
    unfold,
    variance,
)  # fmt: skip
from lnsym.emit.build import assembled
from lnsym.emit.plan import Formula, plan_of, plans
from lnsym.emit.printer import expression, lines
from lnsym.emit.statements import ARGUMENTS, Names, Node, Steps, name, number, steps
from lnsym.emit.targets import target
from lnsym.errors import EmitError
from lnsym.evaluate import evaluate
from lnsym.kernel.terms import Entry, Index, Term, free_indices, walk
from lnsym.lang import D, Eq, core, delta, dot, fraction, i, j, matrix, mean, positive, sum_over, symbols, total, vector
from tests.emit.bug_cases import TABLE

THEORY = library.book().theory
a = symbols("a")[0]
w = vector("w")
POINTS = (
    at(z=(1, 2, 3), eps="1/3"),
    at(z=(1, 3), eps=3),
    at(z=(2, 6), eps=12),
    at(z=(1, 1, -1, -1), eps="5/4"),
    at(z=(0, 1, 2, 3, 4), eps="1/4"),
)


def theorem(*claims: Claim, offers: Sequence[Offer] = (), **fields: Any) -> Theorem:
    return check(Derivation("A temporary theorem.", "T00", claims, offers=tuple(offers), **fields), THEORY, "temporary", "temporary")


def same(left: Any, right: Any) -> Claim:
    return Claim(Eq(left, right), by(algebra, why="Both sides are the same."))


def emitted(*claims: Claim, offers: Sequence[Offer], **fields: Any) -> Any:
    """The namespace of the emitted module of a temporary theorem."""
    planned = {plan.op: plan for plan in plan_of(theorem(*claims, offers=offers, **fields))}
    source = assembled(target("numpy"), planned, tuple(planned), "plain", "lnsym emit numpy", validate=False).source
    namespace: dict[str, Any] = {"__name__": "emitted"}
    exec(compile(source, "<emitted>", "exec"), namespace)
    return SimpleNamespace(**namespace)


def case(number: str) -> dict[str, Any]:
    """A case of the table."""
    found: dict[str, Any] = next(one for one in json.loads(TABLE.read_text(encoding="utf-8"))["cases"] if one["id"] == number)
    return found


# ---------------------------------------------------------------- the printed text in exact arithmetic


class Exact:
    """The part of NumPy that printed lines use, on object arrays of fractions."""

    mean = staticmethod(lambda x, axis, keepdims: np.add.reduce(x, axis=axis, keepdims=keepdims) / Fraction(x.shape[axis]))
    sum = staticmethod(lambda x, axis, keepdims=False: np.add.reduce(x, axis=axis, keepdims=keepdims))
    eye = staticmethod(lambda n: np.array([[Fraction(a == b) for a in range(n)] for b in range(n)], object))

    @staticmethod
    def sqrt(x: Any) -> Any:
        return np.vectorize(root, otypes=[object])(x)


def root(x: Fraction) -> Fraction:
    """The root of a square."""
    found = Fraction(isqrt(x.numerator), isqrt(x.denominator))
    assert found * found == x
    return found


def fractions(values: Sequence[Any]) -> Any:
    return np.array([list(map(Fraction, values))], object)


def run(found: Steps, arguments: dict[str, Any]) -> dict[str, Any]:
    """The values of the results of printed steps."""
    scope: dict[str, Any] = {"np": Exact, **arguments}
    for line in lines(found):
        exec(line, scope)
    return {result.name: eval(expression(result.node), scope) for result in found.results}


def values_at(formula: Formula, point: At, arguments: dict[str, Any]) -> tuple[Any, Any]:
    """What the printed lines give, and what the formula is by the evaluator of the refuter, which knows nothing of printing."""
    spot = point_of(point, (formula.relation,), formula.given, THEORY)
    size = spot.sizes.get("d", 0)
    free = [index for index in free_indices(formula.relation.opened()[0]) if index.range.name == "coordinates"]
    result = run(steps([formula]), arguments)[formula.result]
    found = np.broadcast_to(result, {0: (1, 1), 1: (1, size), 2: (size, size)}[len(free)])
    expected = np.empty(found.shape, object)
    for place in np.ndindex(*found.shape):
        where = dict(zip(free, (n + 1 for n in (place[-len(free) :] if free else ())), strict=True))
        expected[place] = evaluate(THEORY, spot, formula.term, where)
    return found, expected


VALUES = (
    (Fraction(1, 2), Fraction(-2), Fraction(3)),
    (Fraction(5), Fraction(1, 7), Fraction(-1)),
    (Fraction(2), Fraction(0), Fraction(9, 4)),
)


def cut(values: Sequence[Fraction], size: int) -> tuple[Fraction, ...]:
    return tuple(values[n % len(values)] for n in range(size))


@pytest.mark.parametrize("point", POINTS, ids=lambda point: str(point.values["z"]))
@pytest.mark.parametrize("op", ["normalize", "layer_norm", "layer_norm_jvp", "layer_norm_vjp", "layer_norm_vjp_vjp", "jacobian"])
def test_printed_lines_are_the_formula_at_exact_points(op: str, point: At) -> None:
    """B145: what is shared between lines expands back to the formula; compared as fractions, without tolerance."""
    row = point.values["z"]
    assert isinstance(row, tuple)
    size = len(row)
    (plan,) = plans([op])
    for formula in plan.formulas:
        if any(index.range.name == "rows" for node in walk(formula.term) for index in getattr(node, "indices", ())):
            continue  # sums over rows have the next test
        vectors = dict.fromkeys(node.vector for node in walk(formula.term) if isinstance(node, Entry) and node.vector not in "zvuy")
        used: dict[str, Any] = {symbol: cut(values, size) for symbol, values in zip(vectors, cycle(VALUES), strict=False)}
        spelled = {formula.names.get(symbol) or ARGUMENTS.get(symbol, symbol): fractions(values) for symbol, values in used.items()}
        spot = at(z=row, eps=point.values["eps"], **used)
        found, expected = values_at(formula, spot, {"x": fractions(row), "eps": point.values["eps"], **spelled})
        assert (found == expected).all(), (op, formula.result)


def test_sums_over_rows_add_what_single_rows_give() -> None:
    """dweight of several rows, in fractions, is the sum of dy * u over them."""
    (plan,) = plans(["layer_norm_vjp"])
    x = np.array([[Fraction(n) for n in row] for row in ((2, 6), (1, 5), (-1, 3))], object)
    dy = np.array([[Fraction(n) for n in row] for row in ((1, 2), (3, 4), (5, 7))], object)
    cores = np.array([[-1, 1], [-1, 1], [-1, 1]], object) * Fraction(1, 2)
    found = run(steps(f for f in plan.formulas if f.result != "dx"), {"x": x, "dy": dy, "eps": Fraction(12)})
    assert found["dweight"].tolist() == (dy * cores).sum(axis=0).tolist()
    assert found["dbias"].tolist() == [9, 13]


def test_shared_parts_expand_back_to_what_they_stand_for() -> None:
    """B145 again, as trees: putting every line back gives one tree, whatever was shared."""
    for plan in plans():
        found = steps(plan.formulas)
        table: dict[str, Node] = {}
        for line in found.lines:
            table[line.name] = expanded(line.node, table)
        for formula, result in zip(plan.formulas, found.results, strict=True):
            alone = steps([formula])
            own: dict[str, Node] = {}
            for line in alone.lines:
                own[line.name] = expanded(line.node, own)
            assert expanded(result.node, table) == expanded(alone.results[0].node, own), (plan.op, formula.result)


def expanded(node: Node, table: dict[str, Node]) -> Node:
    if node.op == "name":
        return table.get(str(node.value), node)
    args = tuple(expanded(arg, table) for arg in node.args)
    if node.op == "multiply" and args[0].op == "multiply":  # a named product of the first factors
        args = (*args[0].args, *args[1:])
    return Node(node.op, args, node.value)


# ---------------------------------------------------------------- names


COLLIDING = ("x0", "mean", "np", "core", "x", "deviations", "lambda", "eps", "variance", "_", "d'", "out", "part", "x_prime")


@pytest.mark.parametrize("symbol", COLLIDING)
def test_b137_a_symbol_never_collides_with_a_name_of_the_code(symbol: str) -> None:
    """A vector of any spelling beside z and u gives what it gives under a harmless name."""
    other = vector(symbol)
    claim = Claim(Eq(other * v / s + z, other * u + z), by(unfold(u), why="The definition of the core."))
    module = emitted(claim, offers=[Offer("f", "y")], given=(positive(eps),))
    code = module.f.__code__
    (argument,) = set(code.co_varnames[: code.co_argcount]) - {"x", "eps"}
    assert argument.isidentifier()
    x, factor = np.array([1.0, 2.0, 4.0]), np.array([0.5, -2.0, 3.0])
    got = module.f(**{"x": x, argument: factor, "eps": 0.25})
    np.testing.assert_allclose(got, np.array(case("B137")["expected"]["y"], float) * factor + x, rtol=1e-15)


def test_b137_scalars_named_like_temporaries_keep_their_values() -> None:
    """c x0^2 + c (x0^4 - x0^2) at c = 1, x0 = 2 is 16; with a temporary named x0 it was 256."""
    c, x0 = symbols("c x0")
    claim = same(c * x0**4, c * x0**2 + c * (x0**4 - x0**2))
    assert float(emitted(claim, offers=[Offer("f", "value")]).f(c=1.0, x0=2.0)) == 16.0


def test_names_are_handed_out_once() -> None:
    names = Names(["np"])
    assert [names.fresh(x) for x in ("mean", "mean", "np", "x'", "lambda", "1st", "a b")] == [
        "mean", "mean_2", "np_2", "x_prime", "lambda_2", "v1st", "a_b",
    ]  # fmt: skip


# ---------------------------------------------------------------- numbers and powers


def test_b139_a_power_of_three_halves_keeps_its_exponent() -> None:
    """(q + eps)^(-3/2) is the third power of 1/s, and never an integer division."""
    claim = Claim(Eq(r / (q + eps), 1 / s**3), by(squares, unfold(r, s), why="s^2 is q + eps."))
    module = emitted(claim, offers=[Offer("f", "value")], given=(positive(eps),))
    assert module.f([1.0, 2.0, 4.0], eps=0.25) == pytest.approx(float(case("B139")["expected"]["value"]), rel=1e-15)


@pytest.mark.parametrize("exponent", [-7, -3, -2, -1, 0, 1, 2, 3, 8])
def test_integer_exponents_are_kept(exponent: int) -> None:
    assert eval(expression(node_of(a**exponent)), {"a": Fraction(3)}) == Fraction(3) ** exponent
    assert eval(expression(node_of(2 * a**exponent / eps)), {"a": Fraction(3), "eps": Fraction(7)}) == 2 * Fraction(3) ** exponent / 7


def node_of(term: Term) -> Node:
    """A term as an expression over whole arrays."""
    claim = Claim(Eq(term + a - a, term), by(algebra, why="Both sides are the same."), given=(positive(a), positive(eps)))
    (plan,) = plan_of(theorem(claim, offers=[Offer("f", "value")]))
    return steps(plan.formulas).results[0].node


LONG = Fraction(12345678901234567890123456789012345678901234567891, 98765432109876543210987654321098765432109876543211)


@pytest.mark.parametrize(
    "value", [Fraction(1, 3), LONG, 1 / LONG, Fraction(10**50), Fraction(2**53 + 1), -LONG, Fraction(-7, 2), Fraction(3)]
)
def test_b143_no_digit_of_a_rational_is_lost(value: Fraction) -> None:
    """p/q stands as a quotient of integers, which Python rounds once; as a quotient it stays exact where integers are."""
    node = node_of(fraction(value.numerator, value.denominator))
    text = expression(node)
    assert eval(text) == float(value)
    if value.denominator != 1:
        assert str(abs(value.numerator)) in text
        assert str(value.denominator) in text


def test_b143_a_rational_factor_keeps_its_digits() -> None:
    assert expression(node_of(a * LONG)) == f"a * ({LONG.numerator} / {LONG.denominator})"
    assert expression(node_of(a * Fraction(2, 3))) == "a * 2 / 3"


def test_a_number_beyond_float64_is_refused() -> None:
    with pytest.raises(EmitError, match="of 401 digits lies beyond float64"):
        expression(number(10**400))


# ---------------------------------------------------------------- the batch


def test_a_constant_keeps_the_batch() -> None:
    """A result that does not depend on the row is given for each row, and not once."""
    claims = (
        same(mean(z) - mean(z) + a * w, a * w),
        same(z - z + a, a + z * 0),
        same(mean(z) - mean(z) + 7 + mean(0 * w), 7 + mean(0 * z)),
    )
    module = emitted(*claims, offers=[Offer("f", "scaled", 1), Offer("g", "vector", 2), Offer("h", "scalar", 3), Offer("h", "w", 1)])
    x = np.ones((4, 2, 5))
    assert module.f(x, a=2.0).shape == (4, 2, 5)
    assert module.g(x, a=3.0).tolist() == np.full((4, 2, 5), 3.0).tolist()
    scalar, scaled = module.h(x, x, a=2.0)
    assert scalar.tolist() == np.full((4, 2), 7.0).tolist()
    assert scaled.shape == (4, 2, 5)


def test_a_constant_bias_or_gradient_is_broadcast_to_the_rows() -> None:
    """With all cotangents but ddbias absent, ddy is ddbias in every row."""
    from tests.emit.modules import emitted as module

    x = np.random.default_rng(0).normal(size=(3, 4))
    ddy, dx, dweight = module("plain").layer_norm_vjp_vjp(None, None, np.arange(4.0), x, x)
    assert (ddy == np.arange(4.0)).all()
    assert not dx.any()
    assert not dweight.any()


# ---------------------------------------------------------------- deltas, derivatives, matrices


def test_b141_a_delta_under_a_sum_is_used_up() -> None:
    claim = same(sum_over(j, delta(i, j) * w[j] * a), w[i] * a)
    reverse = Claim(Eq(w[i] * a, sum_over(j, delta(i, j) * w[j] * a)), by(algebra, why="The delta contracts."))
    for one in (claim, reverse):
        assert emitted(one, offers=[Offer("f", "y")]).f([1.0, 2.0, 4.0], a=2.0).tolist() == [2.0, 4.0, 8.0]
    assert "eye" not in expression(steps([plan_of(theorem(reverse, offers=[Offer("f", "y")]))[0].formulas[0]]).results[0].node)


def test_b141_a_derivative_that_is_left_is_refused() -> None:
    claim = Claim(Eq(D(a**2 * eps, a), D(eps * a**2, a)), by(derivative, why="The same."))
    with pytest.raises(
        EmitError, match=r"theorem temporary, claim 1, y: a derivative is left in the formula; offer a claim whose right side"
    ):
        emitted(claim, offers=[Offer("f", "y")])


def test_a_product_with_a_matrix_is_refused() -> None:
    m = matrix("M")
    with pytest.raises(EmitError, match="claim 1, y: the product of a matrix with a vector stays"):
        emitted(same((m @ w)[i] + 0, (m @ w)[i]), offers=[Offer("f", "y")])


def test_a_matrix_of_two_indices_is_printed_with_the_identity() -> None:
    claim = same(a * delta(i, j) + w[i] * w[j], w[i] * w[j] + delta(i, j) * a)
    got = emitted(claim, offers=[Offer("f", "m")]).f([1.0, 2.0, 4.0], a=10.0)
    assert got.tolist() == [[11.0, 2.0, 4.0], [2.0, 14.0, 8.0], [4.0, 8.0, 26.0]]


def test_an_entry_at_a_fixed_place() -> None:
    second = Index("2")
    got = emitted(same(w[second] * z + z - z, z * w[second]), offers=[Offer("f", "y")]).f([[1.0, 2.0], [5.0, 7.0]], [1.0, 3.0])
    assert got.tolist() in ([[2.0, 6.0], [7.0, 21.0]], [[3.0, 6.0], [15.0, 21.0]])


def test_words_of_vectors() -> None:
    """dot, total, mean, d and norm of any vector."""
    claim = same(dot(w, w) * a + total(w) / d + mean(w * w), a * dot(w, w) + mean(w * w) + total(w) / d)
    got = emitted(claim, offers=[Offer("f", "y")]).f([[1.0, 2.0], [3.0, 4.0]], a=2.0)
    assert got.tolist() == [10.0 + 1.5 + 2.5, 50.0 + 3.5 + 12.5]


# ---------------------------------------------------------------- text


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (Node("negate", (Node("power", (name("r"),), 2),)), "-r**2"),
        (Node("power", (Node("negate", (name("r"),)),), 2), "(-r)**2"),
        (Node("divide", (name("a"), Node("multiply", (name("b"), name("c"))))), "a / (b * c)"),
        (Node("multiply", (name("a"), Node("divide", (name("b"), name("c"))))), "a * (b / c)"),
        (Node("divide", (Node("divide", (name("a"), name("b"))), name("c"))), "a / b / c"),
        (Node("add", (name("a"), Node("negate", (Node("add", (name("b"), name("c"))),)))), "a - (b + c)"),
        (Node("multiply", (number(Fraction(1, 3)), name("a"))), "1 / 3 * a"),
        (Node("multiply", (name("a"), number(Fraction(1, 3)))), "a * (1 / 3)"),
        (Node("divide", (name("a"), number(Fraction(1, 3)))), "a / (1 / 3)"),
        (Node("power", (number(Fraction(1, 3)),), 2), "(1 / 3)**2"),
        (Node("multiply", (name("a"), Node("negate", (name("b"),)))), "a * -b"),
    ],
)
def test_brackets_follow_python(node: Node, text: str) -> None:
    assert expression(node) == text
    ast.parse(text, mode="eval")


def test_every_number_of_a_formula_is_an_integer_in_the_text() -> None:
    """No float literal is printed: what is rounded, Python rounds."""
    for plan in plans():
        found = steps(plan.formulas)
        for text in (*lines(found), *(expression(result.node) for result in found.results)):
            assert not [x for x in ast.walk(ast.parse(text)) if isinstance(x, ast.Constant) and isinstance(x.value, float)]


def test_the_core_of_another_vector_has_lines_of_its_own() -> None:
    claim = Claim(
        Eq(core(z) * core(w) + 0 * z, core(z) * core(w)), by(algebra, split, centred, variance, why="The same."), given=(positive(eps),)
    )
    (plan,) = plan_of(theorem(claim, offers=[Offer("f", "y")]))
    names = [line.name for line in steps(plan.formulas).lines]
    assert names == [
        "mean", "deviations", "variance", "root", "core", "mean_w", "deviations_w", "variance_w", "root_w", "core_w",
    ]  # fmt: skip
