"""The JavaScript target: the file, and its numbers, which are those of the oracle within the bound that it prints. Imports the emitter."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lnsym import oracle
from lnsym.cli import main
from lnsym.emit.build import assembled, build, digest
from lnsym.emit.plan import ORDER, EmitInputError, Plan, plans
from lnsym.emit.targets.javascript import TARGET, TEMPLATES
from lnsym.errors import EmitError
from lnsym.oracle import measure
from tests.emit import envelopes, families
from tests.emit.javascript import ERRORS
from tests.emit.node import results, source

Array = NDArray[Any]
U = 2.0**-53
TIERS = ("plain", "exact")
USED = 0.995  # the part of the bound that may be used; beyond it the sentence in targets/javascript.py is to be changed
K = 16.0  # the multiple of the safe tier's bound that ordinary rows may use
node = pytest.mark.node


# ---------------------------------------------------------------- the file


@pytest.mark.parametrize("tier", TIERS)
def test_a_module_has_every_operation_and_needs_nothing(tier: str) -> None:
    text = source(tier)
    assert text.startswith(f"// Written by `lnsym emit javascript --tier {tier}`.\n")
    assert re.findall(r"^export function (\w+)", text, re.MULTILINE) == [*ORDER, "check"]
    assert not re.search(r"^import |require\(|import\(", text, re.MULTILINE)


@pytest.mark.parametrize("tier", TIERS)
def test_the_certificate_says_what_was_proved_of_the_text(tier: str) -> None:
    made = build("javascript", tier=tier)
    assert (made.certificate["target"], made.certificate["tier"]) == ("javascript", tier)
    assert f"sha256 {digest(made.certificate)}" in made.source
    records = made.certificate["validation"]
    assert isinstance(records, list)
    assert [one["function"] for one in records] == list(ORDER)
    for one, plan in zip(records, plans(), strict=True):
        assert [result["result"] for result in one["results"]] == list(plan.results)
        assert one["proofs"] >= len(plan.results)
        assert "tested only" in one["method"]


def test_the_list_and_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "ln.mjs"
    assert main(["emit", "javascript", "--tier", "plain", "--op", "merge_stats,normalize", "-o", str(path)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(f"wrote {path}: normalize, merge_stats; plain tier, certificate sha256 ")
    assert out[1] == "  normalize: 1 path through the text, 5 equations proved for every d"
    assert out[-1] == f"Next: node {path} --check"
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"^export function (\w+)", text, re.MULTILINE) == ["normalize", "merge_stats", "check"]
    assert "matrixOf" not in text  # helpers that nothing needs are left out
    assert main(["emit", "javascript", "--op", "normalize", "-o", str(path)]) == 2
    assert capsys.readouterr().err == "lnsym: javascript has no tier safe; choose the tier among plain, exact: see lnsym emit --list\n"


def test_every_template_is_used() -> None:
    text = (TEMPLATES.parents[1] / "targets" / "javascript.py").read_text(encoding="utf-8")
    named = {one.value for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    assert {path.name.removesuffix(".mjs.j2") for path in TEMPLATES.iterdir()} <= named


def test_what_is_not_proved_is_refused() -> None:
    (plan,) = plans(["layer_norm"])
    first = plan.formulas[0]
    forged = Plan(plan.op, (replace(first, relation=replace(first.relation, right=first.relation.left)),))
    with pytest.raises(EmitError, match="not the right side"):
        assembled(TARGET, {"layer_norm": forged}, ("layer_norm",), "plain", "lnsym emit javascript")
    with pytest.raises(EmitInputError, match="no operation 'softmax'"):
        build("javascript", ["softmax"], "plain")


@node
@pytest.mark.parametrize("tier", TIERS)
def test_a_file_tries_itself(tier: str, tmp_path: Path) -> None:
    path = tmp_path / "l n#.mjs"
    path.write_text(source(tier), encoding="utf-8")
    done = subprocess.run(["node", str(path), "--check"], text=True, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"\d\d passed, 0 failed\n", done.stdout)
    right, changed = {"plain": ("deviations[i] / root", "deviations[i] * root"), "exact": ("over(deviations[i],", "times(deviations[i],")}[
        tier
    ]
    wrong = source(tier).replace(right, changed)
    path.write_text(wrong, encoding="utf-8")
    done = subprocess.run(["node", str(path), "--check"], text=True, capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "failed: normalize(" in done.stdout
    script = f"import {{ normalize }} from {json.dumps(path.as_uri())}; console.log(normalize.name);"
    done = subprocess.run(["node", "--input-type=module", "-e", script], text=True, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "normalize\n")  # to import it runs nothing


# ---------------------------------------------------------------- numbers: the bound


def bounds(x: Array, core: Array, eps: float) -> tuple[Array, Array]:
    """The bound of each component as the comment states it, and the rows for which it is stated."""
    with np.errstate(all="ignore"):
        wide = x.astype(np.longdouble)  # whose range the squares do not leave
        mean = wide.mean(1, keepdims=True)
        q = ((wide - mean) ** 2).mean(1, keepdims=True)
        root = np.sqrt(q + eps)
        loss = (np.abs(mean) + np.sqrt(q)) / root
        valid = (loss <= 2.0**26) & (q + eps >= 2.0**-960) & (q + eps <= 2.0**1000)
        bound: Array = U * (1.01 * loss + 7 * np.abs(core)) + 2.0**-1074 * (1 + 1 / root)
    return bound, valid[:, 0]


def stated(names: Sequence[str], dims: Sequence[int], every: Sequence[float]) -> float:
    """The largest part of the bound that is used on families of rows; a warning comes just where the bound is void."""
    cases = [(families.rows("float64", name, d, 6), eps, name) for name in names for d in dims for eps in every]
    found = results("plain", [("normalize", (x, eps)) for x, eps, _ in cases])
    worst = 0.0
    for (x, eps, name), outcome in zip(cases, found, strict=True):
        assert not outcome.error
        core = oracle.normalize(x, eps, "float64")
        bound, valid = bounds(x, core, eps)
        void = int(re.match(r"the error bound is void for (\d+)", outcome.said[0])[1]) if outcome.said else 0  # type: ignore[index]
        assert void == len(x) - int(valid.sum()), (name, x.shape, eps)
        with np.errstate(all="ignore"):
            used = np.abs(np.array(outcome.result) - core) / (bound + U * np.abs(core))  # the answer itself is rounded
        worst = max(worst, float(used[valid].max(initial=0.0)))
    return worst


@node
def test_the_bound_holds_wherever_it_is_stated() -> None:
    """Constant rows, huge means, near overflow, subnormal numbers and one entry are among the families."""
    assert stated(families.names("float64"), (1, 2, 3, 7, 64), (1e-5, 1e-12)) <= USED


@node
@pytest.mark.full
def test_the_bound_holds_for_long_rows_and_odd_eps() -> None:
    assert stated(families.names("float64"), (1, 2, 3, 65, 768, 4096), (1e-5, 0.25, 1e-250, 1e300)) <= USED


def points() -> Iterator[tuple[list[float], float]]:
    """Rows whose core has all entries rational, with eps."""
    yield [1.0, 2.0, 3.0], 1 / 3
    yield [1.0, 3.0], 3.0
    yield [2.0, 6.0], 12.0
    yield [1.0, 1.0, -1.0, -1.0], 1.25
    yield [0.0, 1.0, 2.0, 3.0, 4.0], 0.25


@node
def test_the_points_of_the_book() -> None:
    found = results("plain", [("normalize", one) for one in points()])
    for (row, eps), outcome in zip(points(), found, strict=True):
        np.testing.assert_allclose(outcome.result, oracle.normalize([row], eps)[0], rtol=0, atol=4 * U)
    assert found[0].result == pytest.approx([-1.0, 0.0, 1.0], abs=2 * U)
    assert found[1].result == [-0.5, 0.5]


@node
@pytest.mark.parametrize("value", [0.1, -7.3, 1e300, 5e-324, 0.0, 1234.5])
def test_a_constant_row_is_zero(value: float) -> None:
    """Whatever its length: the mean of equal numbers is that number, which a sum over d alone does not give."""
    for outcome in results("plain", [("normalize", ([value] * d, 1e-300)) for d in (1, 2, 3, 10, 49, 98, 103, 107, 1000)]):
        assert not any(outcome.result)


@node
def test_mean_and_rstd_keep_their_bounds() -> None:
    cases = [(families.rows("float64", name, d, 6), 1e-5) for name in families.names("float64") for d in (1, 3, 64)]
    calls = [("layer_norm", (x, None, None, eps, {"returnStats": True})) for x, eps in cases]
    for (x, eps), outcome in zip(cases, results("plain", calls), strict=True):
        _, valid = bounds(x, np.zeros_like(x), eps)
        x, got = x[valid], {key: np.array(value)[valid] for key, value in outcome.result.items()}
        want, rstd = oracle.mean(x, "float64"), oracle.rstd(x, eps, "float64")
        spread = np.sqrt(((x - x.mean(1, keepdims=True)).astype(np.longdouble) ** 2).mean(1))
        assert (np.abs(got["mean"] - want) <= U * (1.01 * (np.abs(want) + spread) + np.abs(want)) + 2.0**-1074).all()
        assert (np.abs(got["rstd"] - rstd) <= U * 8 * rstd).all()


ORDINARY = ("normal", "small integers", "short fractions", "outlier")


@node
def test_derivatives_are_those_of_the_oracle() -> None:
    """On ordinary rows, for which the bound of the safe tier is a fair measure; with and without a weight."""
    calls: list[tuple[str, Sequence[Any]]] = []
    cases = []
    for name in ORDINARY:
        for size in (2, 3, 7, 64):
            x = families.rows("float64", name, size, 4)
            h, dy = families.cotangent("float64", "normal", x), families.cotangent("float64", "ones", x)
            for kind in (None, "normal", "signs"):
                weight = None if kind is None else families.weight("float64", kind, size)
                row = families.bias("float64", "normal", size)
                cases.append((x, h, dy, weight, row))
                calls += [
                    ("layer_norm", (x, weight, row, 1e-5)),
                    ("layer_norm_jvp", (x, h, weight, 1e-5)),
                    ("layer_norm_vjp", (h, x, weight, 1e-5)),
                    ("layer_norm_vjp_vjp", (h, row, row, dy, x, weight, 1e-5)),
                    ("jacobian", (x[0], 1e-5)),
                ]
    found = iter(results("plain", calls))
    for x, h, dy, weight, row in cases:
        y, jvp, vjp, second, jacobian = (next(found).result for _ in range(5))
        assert measure.safe_constant(np.array(y, float), x, weight, row, 1e-5).max() <= K
        assert measure.jvp_constant(np.array(jvp, float), x, h, weight, 1e-5).max() <= K
        assert measure.vjp_constant(np.array(vjp["dx"], float), h, x, weight, 1e-5).max() <= K
        sums = envelopes.vjp_sums(h, x, 1e-5)
        assert envelopes.constant(vjp["dweight"].astype(float), oracle.dweight(h, x, 1e-5), sums[0]) <= K
        assert envelopes.constant(vjp["dbias"].astype(float), oracle.dbias(h), sums[1]) <= K
        wanted = oracle.vjp_vjp(h, row, row, dy, x, weight, 1e-5)
        for key, want, envelope in zip(("ddy", "dx", "dweight"), wanted, envelopes.vjp_vjp(h, row, row, dy, x, weight, 1e-5), strict=True):
            assert envelopes.constant(np.array(second[key], float), want, envelope) <= K
        assert envelopes.constant(np.array(jacobian, float), oracle.jacobian(x[0], 1e-5), envelopes.jacobian(x[:1], 1e-5)) <= K


@node
def test_absent_cotangents_are_zeros() -> None:
    x, dy = [[1.0, 3.0], [2.0, 8.0]], [[1.0, 0.0], [0.5, 2.0]]
    zeros = [[0.0, 0.0], [0.0, 0.0]]
    op = "layer_norm_vjp_vjp"
    first, second = results("plain", [(op, (None, None, [1.0, 2.0], dy, x)), (op, (zeros, [0.0, 0.0], [1.0, 2.0], dy, x, None))])
    assert first.result == second.result
    assert first.result["ddy"] == [[1.0, 2.0], [1.0, 2.0]]


# ---------------------------------------------------------------- laws


@node
def test_the_core_has_mean_0_and_sums_its_cotangents_away() -> None:
    x = families.rows("float64", "normal", 7, 5)
    core, vjp, jacobian = results(
        "plain", [("normalize", (x,)), ("layer_norm_vjp", (families.cotangent("float64", "normal", x), x)), ("jacobian", (x[0],))]
    )
    assert np.abs(np.sum(core.result, axis=1)).max() <= 64 * U
    assert np.abs(np.sum(vjp.result["dx"], axis=1)).max() <= 1e3 * U
    assert np.abs(np.sum(jacobian.result, axis=1)).max() <= 1e3 * U
    assert np.allclose(jacobian.result, np.transpose(jacobian.result), rtol=0, atol=16 * U)


@node
def test_scaling_by_a_power_of_two_with_eps_changes_no_bit() -> None:
    x = families.rows("float64", "normal", 7, 5)
    first, second = results("plain", [("normalize", (x, 1e-5)), ("normalize", (x * 2.0**30, 1e-5 * 2.0**60))])
    assert np.array_equal(first.result, second.result)


@node
def test_a_batch_is_its_rows_one_by_one_and_their_sums() -> None:
    x, dy = families.rows("float64", "normal", 3, 4), families.rows("float64", "short fractions", 3, 4)
    whole, *single = results("plain", [("layer_norm_vjp", (dy, x)), *(("layer_norm_vjp", (dy[n], x[n])) for n in range(4))])
    for n, one in enumerate(single):
        assert np.array_equal(whole.result["dx"][n], one.result["dx"])
    np.testing.assert_allclose(whole.result["dweight"], sum(one.result["dweight"] for one in single), rtol=1e-14)
    np.testing.assert_allclose(whole.result["dbias"], dy.sum(axis=0), rtol=1e-15)


# ---------------------------------------------------------------- shapes, kinds and errors


@node
def test_results_are_of_the_kind_of_x() -> None:
    row = np.array([1.0, 3.0])
    typed, plain, batch, mixed = results("plain", [("normalize", (one, 3.0)) for one in (row, [1, 3], np.array([[1.0, 3.0]]), [[1, 3]])])
    assert isinstance(typed.result, np.ndarray)
    assert plain.result == [-0.5, 0.5]
    assert isinstance(batch.result, list)
    assert isinstance(batch.result[0], np.ndarray)
    assert mixed.result == [[-0.5, 0.5]]
    one, many = results("plain", [("layer_norm", (x, None, None, 3.0, {"returnStats": True})) for x in ([1, 3], [[1, 3], [1, 3]])])
    assert (one.result["mean"], one.result["rstd"]) == (2.0, 0.5)
    assert (many.result["mean"], many.result["rstd"]) == ([2.0, 2.0], [0.5, 0.5])


@node
def test_a_row_with_nan_touches_no_other_and_is_not_warned_of() -> None:
    (found,) = results("plain", [("normalize", ([[1.0, 3.0], [float("nan"), 1.0], [float("inf"), 0.0]], 3.0))])
    assert found.result[0] == [-0.5, 0.5]
    assert np.isnan(found.result[1:]).all()
    assert not found.said


@node
def test_bad_arguments_get_a_clear_text() -> None:
    for (op, given, message), found in zip(ERRORS, results("plain", [(op, given) for op, given, _ in ERRORS]), strict=True):
        assert found.error.startswith(message), (op, given, found)


@node
def test_shards_merge_and_an_empty_one_adds_nothing() -> None:
    shard, empty = {"n": 3, "mean": 2, "m2": 6}, {"n": 0, "mean": 9, "m2": 7}
    pairs = (({"n": 2, "mean": 4, "m2": 8}, {"n": 2, "mean": 0, "m2": 20000}), (shard, empty), (empty, shard), (empty, empty))
    first, second, third, fourth = results("plain", [("merge_stats", pair) for pair in pairs])
    assert first.result == {"n": 4, "mean": 2, "m2": 20024}
    assert second.result == third.result == shard
    assert fourth.result == {"n": 0, "mean": 0, "m2": 0}


# ---------------------------------------------------------------- fractions


@node
def test_fractions_give_the_exact_values_of_the_book() -> None:
    calls: list[tuple[str, Sequence[Any]]] = [
        ("normalize", (["1", "2", "3"], "1/3")),
        ("normalize", ([1, 3], 3)),
        ("jacobian", ([1, 3], "3")),
        ("normalize", (["0.5", {"bigint": "2"}, " +7/2"], "0.75")),
    ]
    assert [found.result for found in results("exact", calls)] == [
        ["-1", "0", "1"], ["-1/2", "1/2"], [["3/16", "-3/16"], ["-3/16", "3/16"]], ["-1", "0", "1"],
    ]  # fmt: skip


@node
def test_fractions_of_any_size_are_exact() -> None:
    """z = (0, 2p/q) with p and q of 30 digits, and an eps that makes variance + eps a square."""
    p, q = 10**30 + 57, 3**60
    half = Fraction(p, q)
    stabilizer = (half * Fraction(3, 4)) ** 2  # so that the root is 5/4 of it
    (found, merged) = results(
        "exact",
        [
            ("normalize", (["0", str(2 * half)], str(stabilizer))),
            ("merge_stats", ({"n": "3", "mean": str(half), "m2": "1/7"}, {"n": "1", "mean": "0", "m2": "0"})),
        ],
    )
    assert found.result == ["-4/5", "4/5"]
    assert merged.result == {"n": "4", "mean": str(half * 3 / 4), "m2": str(Fraction(1, 7) + half**2 * 3 / 4)}


@node
def test_what_fractions_refuse() -> None:
    cases = {
        (("1", "2"), "1"): "RangeError: the root of 5/4 is no fraction; choose x and eps so that variance + eps is a square",
        (("1", "x"), "1"): 'RangeError: x[1]: expected a text such as "-2/3" or "0.25", got "x"',
        (("1", "1/0"), "1"): 'RangeError: x[1]: the denominator of "1/0" is 0',
        ((1, 0.5), "1"): 'RangeError: x[1]: expected a whole number or a text such as "1/3", got 0.5',
        ((1, None), "1"): 'TypeError: x[1]: expected a whole number or a text such as "1/3", got null',
        (("1", "2"), "0"): "RangeError: eps: expected a number > 0, got 0",
        (("1", "2"), "-1/2"): "RangeError: eps: expected a number > 0, got -1/2",
    }
    for message, found in zip(cases.values(), results("exact", [("normalize", one) for one in cases]), strict=True):
        assert found.error.startswith(message)
