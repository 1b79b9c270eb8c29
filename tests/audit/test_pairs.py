"""Two mistakes at once: both are named where they explain everything together, and no pair is named that was not made."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lnsym.audit import audit, reference
from lnsym.audit.call import Call
from lnsym.audit.diagnose import diagnose
from lnsym.audit.fault import Seen, faults
from lnsym.audit.page import page
from lnsym.audit.pairs import LAST_OF_EPS, OF_EPS, OF_PARAMETERS, First, Pair
from tests.audit.norms import Array, affine, norm, row_mean
from tests.audit.test_forward_faults import RIGHT, constants, probes
from tests.audit.test_forward_faults import _seen as seen_of


def sample(x: Array) -> Array:
    """The variance with divisor d - 1."""
    return x.var(axis=-1, keepdims=True, ddof=1) if x.shape[-1] > 1 else np.full((*x.shape[:-1], 1), np.nan)


def sample_and_one_plus_weight(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    core = (x - row_mean(x)) / np.sqrt(sample(x) + eps)
    return affine(core, None if weight is None else 1 + weight, bias)


def outside_and_weight_twice(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    core = (x - row_mean(x)) / (x.std(axis=-1, keepdims=True) + eps)
    return affine(core, None if weight is None else weight * weight, bias)


def batch_and_no_bias(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    return affine((x - x.mean()) / np.sqrt(x.var() + eps), weight, None)


@norm
def mean_square_and_eps_outside(x: Array, eps: float) -> Array:
    core: Array = x / (np.sqrt(row_mean(x * x)) + eps)
    return core


@norm
def padded_and_eps_squared(x: Array, eps: float) -> Array:
    """Blocks of 16 lanes; those behind the row hold 0 and count in the variance."""
    d = x.shape[-1]
    lanes = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, -d % 16)])
    mean = lanes.sum(axis=-1, keepdims=True) / d
    core: Array = (x - mean) / np.sqrt(((lanes - mean) ** 2).sum(axis=-1, keepdims=True) / d + eps**2)
    return core


def mean_square_in_single(x: Array, weight: Array | None = None, eps: float = 1e-5) -> Array:
    h: Array = x.astype(np.float32)
    core: Array = h / np.sqrt(row_mean(h * h) + np.float32(eps))
    return affine(core.astype(x.dtype), weight, None)


@norm
def cube_root(x: Array, eps: float) -> Array:
    v = x - row_mean(x)
    core: Array = v / (np.cbrt(row_mean(v * v)) + eps)
    return core


@norm
def cube_root_in_single(x: Array, eps: float) -> Array:
    v = x.astype(np.float32) - row_mean(x.astype(np.float32))
    core: Array = v / (np.cbrt(row_mean(v * v)) + np.float32(eps))
    return core


def three(x: Array, weight: Array | None = None, bias: Array | None = None, eps: float = 1e-5) -> Array:
    core = x / (np.sqrt(row_mean(x * x)) + eps)
    return affine(core, None if weight is None else 1 + weight, bias)


@norm
def infinite(x: Array, eps: float) -> Array:
    core: Array = (x - row_mean(x)) / np.zeros((*x.shape[:-1], 1))
    return core


MADE = [
    (sample_and_one_plus_weight, {"LN120", "LN153"}),
    (outside_and_weight_twice, {"LN101", "LN152"}),
    (batch_and_no_bias, {"LN134", "LN151"}),
    (mean_square_and_eps_outside, {"LN126", "LN101"}),
    (padded_and_eps_squared, {"LN122", "LN103"}),
    (mean_square_in_single, {"LN126", "LN210"}),
]


@pytest.mark.parametrize(("subject", "codes"), MADE, ids=lambda one: getattr(one, "__name__", ""))
def test_two_mistakes_are_named_together(subject: Callable[..., Array], codes: set[str]) -> None:
    found = audit(subject, dtype="float64", isolate=False)
    first, second = found.named[:2]
    assert {one.fault.code for one in found.named} == codes
    assert (first.beside, second.beside) == (second.fault, first.fault)
    assert not found.unexplained


@pytest.mark.parametrize("subject", [cube_root, cube_root_in_single, three, infinite])
def test_no_pair_is_named_that_was_not_made(subject: Callable[..., Array]) -> None:
    found = audit(subject, dtype="float64", isolate=False)
    assert found.verdict == "failed"
    assert not [one for one in found.diagnosis if one.beside is not None]


def test_how_two_mistakes_are_told() -> None:
    found = audit(outside_and_weight_twice, dtype="float64", isolate=False)
    said = " ".join(str(found).split())
    assert "FAIL LN101 eps is added to the standard deviation, not to the variance FAIL LN152 the weight is applied twice" in said
    assert "Two mistakes together explain all 22 probes. LN101 alone gives weight*(x - mean)/(sqrt(var) + eps) + bias; LN152" in said
    assert "All 22 probes" not in said
    listed = found.as_dict()["diagnosis"]
    assert isinstance(listed, list)
    assert [(one["code"], one["together_with"]) for one in listed] == [("LN101", "LN152"), ("LN152", "LN101")]
    written = page(found)
    assert "explains all 22 probes of output, together with LN152" in written
    assert "Together they explain all wrong numbers" in written


SAME = {  # pairs that are one mistake of the catalogue
    ("LN120", "LN101"): {"LN114"},
}


@pytest.mark.full
@pytest.mark.parametrize("code", ["LN120", "LN122", "LN126", "LN128", "LN134"])
def test_every_pair_is_told_from_all_others(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "output", RIGHT)
    assert code > LAST_OF_EPS
    first = First(faults()[code], constants(faults()[code]))
    for second in (*OF_EPS, *OF_PARAMETERS):
        pair = Pair(first, faults()[second])
        with np.errstate(all="ignore"):
            made = [(call, models[0]) for call in probes() if (models := pair.models(Seen(call, call.rows())))]
            seen = [seen_of(call, call.shaped(y)) for call, y in made if y.shape == call.flat(call.x).shape]
            found = {one.fault.code for one in diagnose(seen, [], {}) if one.complete}
        assert found == SAME.get((code, second), {code, second})


def test_a_core_that_is_no_quotient_takes_no_mistake_about_eps() -> None:
    call = Call(np.array([[1.0, 2.0, 4.0]]), eps=0.5)
    seen = Seen(call, call.rows())
    assert First(faults()["LN101"], {}).rows(seen, True) is None
    rows = First(faults()["LN120"], {}).rows(seen, True)
    assert rows is not None
    np.testing.assert_allclose(rows.q, np.full((1, 3), call.x.var(ddof=1)), rtol=1e-14)
    np.testing.assert_allclose(rows.v, call.x - call.x.mean(), rtol=1e-14)
