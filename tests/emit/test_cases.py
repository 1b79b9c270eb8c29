"""Every public bug report whose operation is emitted gives the right answer through the emitted functions, in safe and exact tier."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lnsym import oracle
from tests.emit.bug_cases import FORMATS, FULL_SHAPE, PRECISION, SAFE_K, Case, cases, excess, named, wrong_answers
from tests.emit.modules import emitted

Array = NDArray[Any]
TIERS = ("safe", "exact")
NUMBERS = [case for case in cases() if case.op in ("forward", "vjp", "stats")]
# Every other case, with the test that is about it or the reason why none is.
ELSEWHERE = {
    "B39": "test_a_negative_eps_is_refused",
    "B58": "test_eps_zero_is_an_error_only_for_constant_rows",
    "B60": "test_no_rows_give_no_output_and_zero_gradients",
    "B92": "test_the_second_derivative_along_a_line",
    "B109": "test_shapes_are_those_declared",
    "B139": "test_the_derivative_of_the_root_has_the_exponent_minus_three_halves",
    "B96": "no operation takes cotangents of mean and rstd, so that none can drop them; their own derivatives are theorems of the book",
    "B127": "no function has an option for wider accumulation",
    "B134": "about 32-bit products of sizes beyond 4 GiB; NumPy counts in 64 bits, and rows and entries are only counted by NumPy",
    "B146": "about tests that cannot fail: tests/emit/test_mutants.py changes every operator of the emitted text",
}


def test_every_case_has_its_test_or_its_reason() -> None:
    listed = {case.id for case in NUMBERS} | set(ELSEWHERE)
    assert len({case.id for case in cases()}) == len(cases())
    assert {case.id for case in cases()} == listed
    assert not {case.id for case in NUMBERS} & set(ELSEWHERE)
    for reason in ELSEWHERE.values():
        assert " " in reason or reason in globals(), f"no test named {reason}"


def test_every_case_about_code_generation_has_a_test_of_the_printer() -> None:
    text = (Path(__file__).parent / "test_printer.py").read_text(encoding="utf-8")
    named_there = set(re.findall(r"def test_(b\d+)_|\"\"\"(B\d+)", text))
    ids = {one.upper() for pair in named_there for one in pair if one}
    assert {case.id for case in cases() if case.data["kind"] == "CODEGEN"} <= ids


# ---------------------------------------------------------------- layouts


def _laid_out(layout: str, array: Array | None) -> Array | None:
    """The same numbers, otherwise in memory."""
    if array is None or layout == "as given":
        return array
    if layout == "columns first":
        return np.asfortranarray(array)
    if layout == "other byte order":
        return array if array.dtype.name == "bfloat16" else array.astype(array.dtype.newbyteorder())
    padded = np.full(tuple(2 * n + 1 for n in array.shape), 99, array.dtype)
    view = padded[(slice(1, None, 2),) * array.ndim]
    view[...] = array
    return view


LAYOUTS = ("as given", "columns first", "other byte order", "every other entry of a wider array")


def _answers(tier: str, case: Case, layout: str = "as given") -> dict[str, Array]:
    """What the emitted functions return, under the names of the data, and of mirrored rows only what was asked for."""
    x, weight, bias, dy = (_laid_out(layout, array) for array in (case.x, case.weight, case.bias, case.dy))
    module, found = emitted(tier), dict[str, Array]()
    if dy is not None:
        names = ("dz", "dgamma", "dbeta")
        found.update(zip(names, module.layer_norm_vjp(dy, x, weight, case.eps, case.axis), strict=True))
    else:
        y, mean, rstd = module.layer_norm(x, weight, bias, case.eps, case.axis, return_stats=True)
        found = {"y": y, "mean": mean, "rstd": rstd}
    if case.mirrored:
        for name in set(found) & {"y", "dz", "dgamma", "dbeta"}:
            found[name] = found[name][..., case.asked()]
    return found


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: case.id)
def test_the_answer_is_right(case: Case, tier: str, layout: str) -> None:
    found = _answers(tier, case, layout)
    assert set(case.quantities()) <= set(found)
    for name in case.quantities():
        answer = found[name]
        assert answer.dtype.isnative
        assert answer.size == np.size(case.expected(name))  # the data gives statistics of a single row without its axis
        assert name not in FULL_SHAPE or answer.shape == case.x[..., case.asked()].shape
        assert excess(case, name, answer) <= 1, name
        if tier == "exact" and name in ("y", "dz"):
            np.testing.assert_array_equal(answer, case.nearest(name, answer.dtype.name))


@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: case.id)
def test_formats_are_the_rule(case: Case) -> None:
    for tier in TIERS:
        for name, answer in _answers(tier, case).items():
            kept = case.result_format if name not in ("mean", "rstd") or case.result_format in ("float64", "float32") else "float32"
            assert answer.dtype.name == kept


@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: case.id)
def test_the_oracle_agrees_with_the_case(case: Case) -> None:
    """The stated answers are the integers' answers, to the last digit of every format."""
    last = tuple(range(-len(case.axis), 0))

    def rows(array: Array) -> Array:
        moved = np.moveaxis(array, case.axis, last)
        return moved.reshape(-1, int(np.prod(moved.shape[-len(case.axis) :])))

    def flat(array: Array | None) -> Array | None:
        return None if array is None else array.ravel()

    def asked(answer: Array) -> Array:
        return answer[:, case.asked()]

    x, weight = rows(case.x), flat(case.weight)
    if "y_row" in case.data["expected"]:
        x = x[:1]  # of many equal rows
    found: dict[str, Array] = {}
    for kind in ("float64", "float32"):
        form = FORMATS[kind]
        if case.dy is not None:
            found["dz"] = asked(oracle.vjp(rows(case.dy), x, weight, case.eps, form))
            found["dgamma"] = oracle.dweight(rows(case.dy), x, case.eps, form)[case.asked()]
            found["dbeta"] = oracle.dbias(rows(case.dy), form)[case.asked()]
        else:
            found["y"] = asked(oracle.layer_norm(x, weight, flat(case.bias), case.eps, form))
            found["mean"], found["rstd"] = oracle.mean(x, form), oracle.rstd(x, case.eps, form)
        for name in case.quantities():
            right = case.nearest(name, kind)
            right = asked(rows(_whole(case, right)))[: len(x)] if name in ("y", "dz") else right.reshape(found[name].shape)
            np.testing.assert_array_equal(found[name], right, err_msg=name)


def _whole(case: Case, answer: Array) -> Array:
    """An answer about mirrored rows filled up to their length."""
    return np.concatenate([answer, answer], axis=-1) if case.mirrored else answer


def test_the_stated_wrong_answers_are_refused() -> None:
    """The comparison can fail: what the fault models of the reports compute is outside every bound."""
    seen = [case.id for case, name, wrong in wrong_answers() if excess(case, name, wrong) > 1]
    assert seen == [case.id for case, _, _ in wrong_answers()]
    assert len(seen) > 40


# ---------------------------------------------------------------- the operations beside forward and vjp


@pytest.mark.parametrize("case", [c for c in NUMBERS if c.dy is not None and c.axis == (-1,)], ids=lambda case: case.id)
def test_jvp_and_jacobian_give_the_same_gradient(case: Case) -> None:
    """J is symmetric: dx is J applied to weight * dy, and the Jacobian's rows combined by it."""
    assert case.dy is not None
    weight = np.ones(case.x.shape[-1], case.x.dtype) if case.weight is None else case.weight
    g = case.dy * weight
    direct = emitted("safe").layer_norm_jvp(case.x, g, None, case.eps)
    assert excess(case, "dz", direct[..., case.asked()]) <= 1
    width = case.x.shape[-1]
    for x, h, right in zip(case.x.reshape(-1, width), g.reshape(-1, width), direct.reshape(-1, width), strict=True):
        matrix = emitted("safe").jacobian(x, case.eps).astype(np.float64)
        room = 4 * SAFE_K[case.result_format] * 2.0 ** -PRECISION[case.result_format] * np.abs(matrix).sum() * np.abs(h).max()
        assert (np.abs(matrix @ h.astype(np.float64) - right) <= room).all()


@pytest.mark.parametrize(
    "case", [c for c in NUMBERS if c.dy is None and not c.mirrored and c.x.ndim == 1 and c.x.size > 1], ids=lambda c: c.id
)
@pytest.mark.parametrize("tier", TIERS)
def test_two_shards_have_the_statistics_of_the_whole(case: Case, tier: str) -> None:
    """The row cut in two unequal parts: merging gives the stated mean, and the stated variance times the count."""
    parts = case.x[:1], case.x[1:]
    shards = [(float(len(part)), *_mean_and_squares(part)) for part in parts]
    n, mean, m2 = emitted(tier).merge_stats(*shards)
    right, variance = Fraction(case.data["expected"]["mean"]), Fraction(case.data["expected"]["q"])
    size = float(abs(right)) + float(variance) ** 0.5
    assert n == case.x.size
    assert abs(float(Fraction(float(mean)) - right)) <= 2.0**-48 * size
    # A shard's mean is rounded before it is handed over, which counts by the difference of the two means.
    assert abs(float(Fraction(float(m2)) - case.x.size * variance)) <= 2.0**-50 * float(n) * size * float(variance) ** 0.5


def _mean_and_squares(part: Array) -> tuple[float, float]:
    entries = [Fraction(float(v)) for v in part]
    mean = sum(entries) / len(entries)
    return float(mean), float(sum((v - mean) ** 2 for v in entries))


def test_the_second_derivative_along_a_line() -> None:
    """B92: v . (dx of the double backward pass with ddx = v and dy = w)."""
    case = named("B92")
    v, w = (np.array(case.data["input"][name], np.float64) for name in ("v", "w"))
    _, dx, _ = emitted("safe").layer_norm_vjp_vjp(v, None, None, w, case.x, case.weight, case.eps)
    assert abs(float(Fraction(float(v @ dx)) - Fraction(case.data["expected"]["value"]))) <= 2.0**-49


def test_the_derivative_of_the_root_has_the_exponent_minus_three_halves() -> None:
    """B139: the derivative along x itself, as along x - mean, is u (1 - rho) = eps (x - mean) (q + eps)^(-3/2), which shows the power.

    Stated is (q + eps)^(-3/2), for rows with the mean 7/3 and eps = 1/4.
    """
    case = named("B139")
    power = Fraction(case.data["expected"]["value"])
    centred = [Fraction(float(v)) - Fraction(7, 3) for v in case.x]
    for tier, found in (
        ("safe", emitted("safe").layer_norm_jvp(case.x, case.x, eps=case.eps)),
        ("exact", emitted("exact").layer_norm_vjp(case.x, case.x, eps=case.eps, wrt=("x",))[0]),
    ):
        right = [float(power * Fraction(1, 4) * c) for c in centred]
        if tier == "exact":
            np.testing.assert_array_equal(found, right)
        np.testing.assert_allclose(found, right, rtol=0, atol=2.0**-48)


# ---------------------------------------------------------------- required behaviour that is not a number


@pytest.mark.parametrize("tier", TIERS)
def test_a_negative_eps_is_refused(tier: str) -> None:
    case, module = named("B39"), emitted(tier)
    for eps in (case.eps, float("nan"), float("inf"), -0.5e-300):
        for function, arrays in ((module.normalize, 1), (module.layer_norm, 1), (module.layer_norm_vjp, 2)):
            with pytest.raises(ValueError, match="eps") as caught:
                function(*[case.x] * arrays, eps=eps)
            assert "\n" not in str(caught.value)


@pytest.mark.parametrize("tier", TIERS)
def test_eps_zero_is_an_error_only_for_constant_rows(tier: str) -> None:
    case, module = named("B58"), emitted(tier)
    with pytest.raises(ValueError, match="constant"):
        module.normalize(case.x, eps=0.0)
    with pytest.raises(ValueError, match="constant"):
        module.layer_norm(case.x, eps=0.0)
    with pytest.raises(ValueError, match="constant"):
        module.layer_norm_vjp(case.x, case.x, eps=0.0)
    np.testing.assert_array_equal(module.normalize(np.array([[-3.0, 3.0], [1.0, -1.0]]), 0.0), [[-1, 1], [1, -1]])


@pytest.mark.parametrize("tier", TIERS)
def test_no_rows_give_no_output_and_zero_gradients(tier: str) -> None:
    case, module = named("B60"), emitted(tier)
    assert module.layer_norm(case.x, eps=case.eps).shape == (0, 3)
    dx, dweight, dbias = module.layer_norm_vjp(case.x, case.x, eps=case.eps)
    assert dx.shape == (0, 3)
    np.testing.assert_array_equal(dweight, np.zeros(3, case.x.dtype))
    np.testing.assert_array_equal(dbias, np.zeros(3, case.x.dtype))


@pytest.mark.parametrize("tier", TIERS)
def test_shapes_are_those_declared(tier: str) -> None:
    """B109: y has the shape of x; mean and rstd have its shape without the normalized axes."""
    case = named("B109")
    for axis, kept in ((-1, (3, 1)), ((1,), (3, 4)), ((0, -1), (1,))):
        y, mean, rstd = emitted(tier).layer_norm(case.x, eps=case.eps, axis=axis, return_stats=True)
        assert y.shape == case.x.shape
        assert mean.shape == rstd.shape == kept


def test_half_formats_are_rounded_once() -> None:
    """The format of a tie: what the exact tier returns for mixed formats, rounded to the format of x, is the stated answer (B123, B125)."""
    for name in ("B123", "B125"):
        case = named(name)
        found = _answers("exact", case)["y"]
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found.astype(FORMATS["bfloat16"]), case.nearest("y", "bfloat16"))
