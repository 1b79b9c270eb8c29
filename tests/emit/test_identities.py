"""Emitted functions as exact identities at chosen d: they hold of the text as it is, and of no text with a tail, a group or a word lost."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from fractions import Fraction
from types import FrameType
from typing import Any

import numpy as np
import pytest

from lnsym.emit.trace import identities, whole
from lnsym.emit.trace.entries import Machine, Text
from lnsym.emit.trace.polynomials import Ring, total
from lnsym.emit.trace.standin import functions
from lnsym.errors import EmitError
from tests.emit.loader import loaded
from tests.emit.modules import emitted, source

NAMED = {tier: sorted(identities.IDENTITIES.keys() & vars(emitted(tier)).keys()) for tier in ("exact", "safe")}

# ---------------------------------------------------------------- the text as it is


@pytest.mark.parametrize(("tier", "name"), [(tier, name) for tier, names in NAMED.items() for name in names])
def test_functions_are_identical_to_their_contracts(tier: str, name: str) -> None:
    assert identities.check(source(tier), name) >= len(identities.WIDTHS)


@pytest.mark.parametrize("tier", ["exact", "safe"])
def test_every_function_that_a_proof_replaces_is_covered(tier: str) -> None:
    assert identities.uncovered(source(tier)) == []


@pytest.mark.parametrize("d", [d if d in (1, 3, 64) else pytest.param(d, marks=pytest.mark.full) for d in identities.WIDTHS])
@pytest.mark.parametrize("run", [whole.forward, whole.backward], ids=["forward", "backward"])
def test_row_functions_of_the_exact_tier_are_identical_to_the_formulas(run: Callable[[str, whole.Case], int], d: int) -> None:
    for case in whole.cases((d,), every=False):
        assert run(source("exact"), case) >= d


@pytest.mark.full
@pytest.mark.parametrize("d", [1, 2, 65])
@pytest.mark.parametrize("stage", whole.STAGES)
def test_every_stage_gives_the_same(stage: str, d: int) -> None:
    """All kinds of rows and arguments, with every stage before the given one leaving everything over and its results spoiled."""
    for case in whole.cases((d,), every=True):
        if case.stage != stage or (d > 2 and (case.rows == 1 or "bias" in case.affine)):
            continue
        whole.forward(source("exact"), case)
        whole.backward(source("exact"), case)


@pytest.mark.parametrize("tier", ["exact", "safe", "plain"])
def test_records_say_what_was_done(tier: str) -> None:
    records = identities.identities(source(tier), tier)
    assert [record["function"] for record in records if "contract" in record] == [
        name for name in functions(ast.parse(source(tier))) if name in identities.IDENTITIES
    ]
    if tier == "exact":
        assert {record.get("function") for record in records} >= {"_layer_norm_rows", "_vjp_rows"}
        assert any("integers" in str(record["method"]) and "_exact_output_components" in str(record["functions"]) for record in records)


@pytest.mark.parametrize(("tier", "name"), [(tier, name) for tier, names in NAMED.items() for name in names])
def test_every_line_of_a_function_with_a_contract_is_run(tier: str, name: str) -> None:
    function = next(node for node in ast.parse(source(tier)).body if isinstance(node, ast.FunctionDef) and node.name == name)
    statements = [node for node in ast.walk(function) if isinstance(node, ast.stmt)]
    lines = {node.lineno for node in statements if not isinstance(node, (ast.FunctionDef, ast.AnnAssign))}
    lines -= {node.lineno for node in function.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    run = set[int]()

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != "<emitted>" or frame.f_code.co_name != name:
            return None
        run.add(frame.f_lineno)
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        identities.check(source(tier), name)
    finally:
        sys.settrace(before)
    assert lines <= run


# ---------------------------------------------------------------- mutants

MUTANTS = [
    # a tail dropped
    ("safe", "_row_sum", "total = x[:, d - rest :] @ ones[:rest]", "total = 0 * x[:, 0]"),
    ("safe", "_row_sum", " + x[:, d - rest :] @ ones[:rest]", ""),
    ("safe", "_row_dot", "total if rest == 0 else total + _products(a[:, d - rest :], b[:, d - rest :])", "total"),
    ("safe", "_column_sum", "total += ones[:rest] @ x[rows - rest :]", "pass"),
    ("exact", "_dot_groups", "np.vecdot(tail, tail, out=sums[:, -1])", "sums[:, -1] = 0"),
    ("exact", "_sum_groups", "np.matmul(x[:, d - rest :], _ONES[8][:rest], out=sums[:, -1])", "sums[:, -1] = 0"),
    ("exact", "_grouped_product", "total += np.vecdot(a[:, d - rest :], b[:, d - rest :])", "pass"),
    ("exact", "_dot_of_slices", "if whole < d:", "if False:"),
    # a tail not written: what was in the array stays
    ("exact", "_dot_groups", "np.vecdot(tail, tail, out=sums[:, -1])", "pass"),
    # a wrong group
    ("safe", "_row_sum", "start : start + _GROUP", "0:_GROUP"),
    ("safe", "_row_sum", "x[:, : d - rest].reshape", "x[:, rest:].reshape"),
    ("exact", "_sum_groups", "x[:, : d - rest].reshape", "x[:, rest:].reshape"),
    ("exact", "_dot_groups", "a[:, : d - rest].reshape", "a[:, rest:].reshape"),
    ("exact", "_over_groups", "groups.T[1:]", "groups.T[2:]"),
    ("exact", "_undecided", "rows + start", "rows"),
    # a word dropped
    ("exact", "_sum_split", "return high, _grouped_sum(work)", "return high, 0 * high"),
    ("exact", "_sum_squares", "_over_groups(np.add, sums - upper)", "0 * unit"),
    ("exact", "_sum_words", "_two_sum(sums[1], tail)", "_two_sum(sums[1], 0 * tail)"),
    ("exact", "_sum_words", "_sum_exact(x)", "0 * below"),
    ("exact", "_second_moments", "middle_low + rest", "rest"),
    ("exact", "_second_moments", "2.0 * _grouped_product(xs[0], xs[2]) + ", ""),
    ("exact", "_cut", "np.subtract(rest, middle, out=low)", "low[...] = rest"),
    ("exact", "_multiply_words", " + a_low * b", ""),
    ("exact", "_divide_words", " - error", ""),
    ("exact", "_divide_by_count", "lost, lost4 = _two_sum(lost, lowest)", "lost4 = lost"),
    ("exact", "_reciprocal_root_words", " - error", ""),
    ("exact", "_column_sum_words", "low += _column_sum(error)", "pass"),
    ("exact", "_column_sum_tree", "n - half : n", ": half"),
    ("exact", "_two_product", "+ a_tail * b_tail", ""),
    # above the sums
    ("exact", "_centre_on_grid", "small -= below[:, None]", "pass"),
    ("exact", "_root_on_grid", "2.0 * cross_low + ", ""),
    ("exact", "_root_on_grid", " + _grouped_dot(small)", ""),
    ("exact", "_multiply_parts", " + r_low", ""),
    ("exact", "_weigh_parts", "work *= tail", "work *= 0.0"),
    ("exact", "_add_to_parts", "small += product", "pass"),
    ("exact", "_plain_rows", "x -= shift[:, None]", "x += shift[:, None]"),
    ("exact", "_round_gradient", "tail -= term", "tail += term"),
    ("exact", "_row_words", " + q_low", ""),
    ("exact", "_add_weight_gradient", "head += halves[1]", "pass"),
    ("exact", "_retry_gradient", "-offset_low", "0 * offset_low"),
    ("exact", "_narrow_retry", " - slope * w", ""),
    ("exact", "_vjp_rows", "_bias_gradient(dy, dbias)", "dbias[...] = dy[0]"),
]


def changed(tier: str, name: str, old: str, new: str) -> str:
    """The text with one function changed everywhere the old words stand in it."""
    text = source(tier)
    node = next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name)
    own = ast.get_source_segment(text, node)
    assert own is not None
    assert old in own, f"{name} has changed: name other words for this mutant"
    return text.replace(own, own.replace(old, new))


@pytest.mark.parametrize(
    ("tier", "name", "old", "new"),
    [pytest.param(*mutant, marks=() if n % 6 == 0 else pytest.mark.full) for n, mutant in enumerate(MUTANTS)],
)
def test_mutants_are_refused(tier: str, name: str, old: str, new: str) -> None:
    with pytest.raises(EmitError) as refused:
        identities.identities(changed(tier, name, old, new), tier)
    assert "d = " in str(refused.value)


def test_a_refusal_names_function_width_and_component() -> None:
    text = changed("safe", "_row_sum", "total = x[:, d - rest :] @ ones[:rest]", "total = 0 * x[:, 0]")
    with pytest.raises(EmitError, match=r"^_row_sum \(d = 129\): sum\[0\] is not what the formula says; the difference is .*x\[0,128\]"):
        identities.identities(text, "safe")


# ---------------------------------------------------------------- blocks and groups do not show, to the last bit


def whole_rows(x: Any) -> Any:
    return np.add.reduce(x, axis=1)


DIVISIONS: dict[str, dict[str, Callable[..., Any]]] = {
    "blocks of one row": dict.fromkeys(("_exact_block_rows", "_gradient_rows", "_panel_rows", "_gradient_panel"), lambda _: 1),
    "one block": dict.fromkeys(("_exact_block_rows", "_gradient_rows", "_panel_rows", "_gradient_panel"), lambda _: 1000),
    "no groups": {
        "_grouped_sum": whole_rows,
        "_grouped_dot": lambda a: whole_rows(a * a),
        "_grouped_product": lambda a, b: whole_rows(a * b),
    },
    "rows long": {"_is_short": lambda _: False},
    "rows short": {"_is_short": lambda _: True},
}


@pytest.mark.parametrize("division", DIVISIONS)
@pytest.mark.parametrize("form", ["float64", "float32", "float16"])
@pytest.mark.parametrize("d", [1, 3, 64, 65, 129])
def test_the_exact_tier_is_the_same_to_the_bit_however_it_is_divided(division: str, form: str, d: int) -> None:
    """In the exact tier everything that is correctly rounded; the safe tier promises its bound for every division, not the same bits."""
    random, rows = np.random.default_rng(d), 37
    x, dy = (random.normal(size=(rows, d)).astype(form) for _ in range(2))
    x[3] += 100
    weight, bias = random.normal(size=d).astype(form), random.normal(size=d).astype(form)
    reference, other = loaded(source("exact"), "as_it_is"), loaded(source("exact"), "divided")
    vars(other).update({name: function for name, function in DIVISIONS[division].items() if name in vars(other)})
    results = [
        (*module.layer_norm(x, weight, bias, return_stats=True), *module.layer_norm_vjp(dy, x, weight, wrt=("x", "bias")))
        for module in (reference, other)
    ]
    for one, two in zip(*results, strict=True):
        assert one.tobytes() == two.tobytes()


# ---------------------------------------------------------------- the polynomials


def test_arithmetic() -> None:
    ring = Ring(3)
    a, b = ring.symbol("a", 2.0), ring.symbol("b", 3.0)
    assert (a + b) * (a - b) == a * a - b * b
    assert (a * a).sqrt() == a
    assert a / (2 * b) * b == a * Fraction(1, 2)
    assert a < b
    assert not a - a
    assert (a + b).power(Fraction(-1)) != 1 / a


def test_a_sum_over_all_coordinates_is_named_once() -> None:
    ring = Ring(3)
    v = ring.family("v", [1.0, 2.0, -3.0])
    ring.sums[((1, 1),)] = ring.zero
    assert ring.gathered(total(v, ring)) == 0
    squares = ring.gathered(total([x * x for x in v], ring))
    assert squares.value == 14.0
    assert squares == ring.gathered(total([x * x for x in v], ring))
    assert ring.gathered(v[0] + v[1]) == v[0] + v[1]


def test_products_of_high_order_are_dropped_where_a_limit_is_set() -> None:
    ring = Ring(3, limit=3)
    a, low = ring.symbol("a", 2.0), ring.symbol("low", 2.0**-50, order=2)
    assert low * low == 0
    assert (a * a + low).power(Fraction(-1)) * (a * a + low) == 1
    assert (a * a + low).sqrt() == a + low / (2 * a)


def test_an_anchor_cuts_off_something_unknown_and_nothing_of_zero() -> None:
    machine = Machine(Ring(2))
    text = Text("import numpy as np\n_ANCHOR = 1.0\n\ndef _cut(x):\n    return (x + _ANCHOR * 2.0**-23) - _ANCHOR * 2.0**-23\n", machine)
    x = machine.wrap([machine.ring.symbol("x", 1.0), machine.ring.zero])
    cut = text["_cut"](x)
    assert cut[0] != x[0]
    assert abs((cut[0] - x[0]).value) <= 2.0**-23
    assert cut[1] == 0
