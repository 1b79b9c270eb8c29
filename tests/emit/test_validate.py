"""The validator proves right text right, for every number of coordinates, and refuses every wrong one with a path and both sides."""

from __future__ import annotations

import json

import pytest

from lnsym.emit.plan import Plan, plans
from lnsym.emit.trace.paths import Vocabulary
from lnsym.emit.validate import Validator, validate
from lnsym.errors import EmitError
from tests.emit.modules import source
from tests.emit.toy import MISTAKES, SOURCE

OPS = ("normalize", "layer_norm", "layer_norm_vjp")


@pytest.fixture(scope="module")
def planned() -> tuple[Plan, ...]:
    """The plans of the operations that the toy has."""
    return plans(OPS)


def test_the_toy_is_proved(planned: tuple[Plan, ...]) -> None:
    found = validate(SOURCE, planned, "toy")
    records = [r for r in found if "paths" in r]
    assert [r["function"] for r in records] == list(OPS)
    assert [r["function"] for r in found if "d" in r] == ["_row_sum", "_row_dot", "_column_sum"]
    assert all(result["d"] == "every d" for r in records for result in r["results"])  # type: ignore[attr-defined]
    assert all({s["rows"] for s in r["settings"]} == {1, 2, 3} and int(str(r["paths"])) > 10 for r in records)  # type: ignore[attr-defined]
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_refused(mistake: str, planned: tuple[Plan, ...]) -> None:
    right, wrong = MISTAKES[mistake]
    assert SOURCE.count(right) >= 1
    with pytest.raises(EmitError) as refusal:
        validate(SOURCE.replace(right, wrong), planned, "toy")
    message = str(refusal.value)
    assert "path: " in message
    assert "\n" not in message


def test_the_refusal_names_function_theorem_path_and_both_sides(planned: tuple[Plan, ...]) -> None:
    right, wrong = MISTAKES["eps outside the root"]
    says = r"^normalize \(toy\) with 1 row of float64, .*path: .*: u of row 1 is .*, which is not the .* of claim 1 of output_eq"
    with pytest.raises(EmitError, match=says):
        validate(SOURCE.replace(right, wrong), planned, "toy")


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("q = _row_dot(c, c) / d\n        r", "q = _row_dot(c, c) / int(d)\n        r", r"as a Python number"),
        ("step = _block_rows(d, x.itemsize)", "step = 1 if d < 64 else 8", "compares the number of coordinates with 64"),
        ("m = _row_sum(block) / d", "m = np.median(block, axis=1)", "np.median is not among the functions"),
        ("c = block - m[:, None]", "c = block - np.rint(m)[:, None]", "np.rint is not among the functions"),
        ("m = _row_sum(block) / d", "m = block[:, 0]", "cuts, joins or mixes the axis"),
        ("m = _row_sum(block) / d", "m = float(_row_sum(block)[0]) / d", "makes a Python number of an array"),
    ],
)
def test_text_outside_the_vocabulary_is_refused_by_name(right: str, wrong: str, says: str, planned: tuple[Plan, ...]) -> None:
    with pytest.raises(Vocabulary, match=says):
        validate(SOURCE.replace(right, wrong), planned, "toy")


def test_an_entry_never_written_is_noticed(planned: tuple[Plan, ...]) -> None:
    broken = SOURCE.replace("        mean[start:stop], rstd[start:stop] = m, r\n", "        mean[start:stop] = m\n")
    with pytest.raises(EmitError, match="never written"):
        validate(broken, planned, "toy")


def test_a_function_that_only_refuses_is_refused(planned: tuple[Plan, ...]) -> None:
    broken = SOURCE.replace("    _core_rows(x, eps, out)\n    return out", "    raise ValueError('no')")
    with pytest.raises(EmitError, match="no path of the function gives a result"):
        validate(broken, planned, "toy")


def test_a_hidden_division_by_what_may_vanish_is_refused(planned: tuple[Plan, ...]) -> None:
    broken = SOURCE.replace("out[start:stop] = c * r[:, None]", "out[start:stop] = c * m[:, None] * r[:, None] / m[:, None]")
    with pytest.raises(EmitError, match=r"only if .* nonzero"):
        validate(broken, planned, "toy")


def test_every_branch_is_explored(planned: tuple[Plan, ...]) -> None:
    validator = Validator(SOURCE, planned, "toy")
    verdict = validator.function("normalize")
    # slow row or not; components unsure: none, some, or all
    assert verdict.paths >= 6
    assert validator.algebra.proofs > 20


# ---------------------------------------------------------------- the tiers themselves


def results(tier: str, ops: tuple[str, ...] | None = None, thorough: bool = False) -> set[str]:
    """The functions of a tier whose text is proved."""
    return {str(r["function"]) for r in validate(source(tier), plans(ops), tier, thorough) if "paths" in r}


@pytest.mark.parametrize("tier", ["plain", "safe"])
def test_the_tier_is_proved(tier: str) -> None:
    assert results(tier) == {"normalize", "layer_norm", "layer_norm_jvp", "layer_norm_vjp", "layer_norm_vjp_vjp", "jacobian", "merge_stats"}


@pytest.mark.full
def test_the_exact_tier_is_proved() -> None:
    ops = ("normalize", "layer_norm", "merge_stats")
    assert results("exact", ops) == {*ops}


@pytest.mark.full
@pytest.mark.parametrize("tier", ["plain", "safe", "exact"])
def test_the_tier_is_proved_on_more_paths(tier: str) -> None:
    assert "layer_norm_vjp" in results(tier, thorough=True)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("variance + eps", "variance"),
        ("_row_sum(x) / d", "_row_sum(x) / (d + 1)"),
        ("out[some]", "out[some - some]"),
        ("x[some]", "x[some - some]"),
        ("2 * (e - f)", "e - f"),
    ],
)
def test_a_mistake_in_the_safe_tier_is_refused(right: str, wrong: str) -> None:
    text = source("safe")
    assert right in text
    with pytest.raises(EmitError):
        validate(text.replace(right, wrong), plans(("layer_norm",)), "safe")


BIAS, RETURN = "    if bias is not None:\n        out += bias", "    if not return_stats:\n"
BRANCHES = (  # wrong only where an argument is absent, the call is of another form, or a function does not keep its contract
    ("layer_norm", BIAS, f"{BIAS} if weight is not None else 2 * bias"),
    ("layer_norm", RETURN, f"    result = result if return_stats else 2 * result\n{RETURN}"),
    ("layer_norm_vjp", "_column_sum(g)", "(_column_sum(g) if dx is not None else 2 * _column_sum(g))"),
    ("normalize", "np.count_nonzero(mask) == mask.size", "mask.size == mask.size"),
)


@pytest.mark.parametrize(("op", "right", "wrong"), BRANCHES)
def test_a_mistake_on_one_branch_is_refused(op: str, right: str, wrong: str) -> None:
    text = source("safe")
    assert right in text
    with pytest.raises(EmitError):
        validate(text.replace(right, wrong), plans((op,)), "safe", thorough=True)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("    small -= below[:, None]\n", ""),
        ("2.0 * cross)", "1.0 * cross)"),
        (" + _grouped_dot(small))", ")"),
        ("    small += large\n", ""),
        ("large *= ((r - head) + r_low)[:, None]", "large *= r_low[:, None]"),
        ("    work *= tail\n", ""),
        ("    small += product\n", ""),
    ],
)
def test_a_correction_dropped_in_the_exact_tier_is_noticed(right: str, wrong: str) -> None:
    text = source("exact")
    assert right in text
    with pytest.raises(EmitError):
        Validator(text.replace(right, wrong), plans(("layer_norm",)), "exact").function("layer_norm")


@pytest.mark.full
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("2.0 * middle)", "middle)"),
        ("2.0 * _grouped_product(xs[0], xs[2])", "_grouped_product(xs[0], xs[2])"),
        (" + _grouped_product(gs[0], xs[2])", ""),
        ("    np.multiply(xs[0], slope_tail[:, None], out=term)\n    tail -= term\n", ""),
        ("(r - r_head) + r_low, (slope", "r_low, (slope"),
    ],
)
def test_a_correction_dropped_in_the_exact_gradient_is_noticed(right: str, wrong: str) -> None:
    text = source("exact")
    assert right in text
    with pytest.raises(EmitError):
        Validator(text.replace(right, wrong), plans(("layer_norm_vjp",)), "exact").function("layer_norm_vjp")
