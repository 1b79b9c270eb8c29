"""How parameters are fitted to the words of a call, and what is said where they cannot be."""

from __future__ import annotations

from inspect import Signature, signature
from typing import Any

import pytest

from lnsym.audit.mapping import CONSTRUCTOR, GRADIENT, GRADIENT_BY_POSITION, arguments_of, parse_map, signature_of
from lnsym.audit.subject import SubjectError


def of(parameters: str) -> Signature:
    """The signature of a function with these parameters."""
    found: dict[str, Any] = {}
    exec(f"def function({parameters}): ...", found)
    return signature(found["function"])


CASES = {
    "x": {"x": "x"},
    "z, gamma, beta, epsilon": {"x": "z", "weight": "gamma", "bias": "beta", "eps": "epsilon"},
    "hidden_states, w=None, b=None, *, variance_epsilon": {"x": "hidden_states", "weight": "w", "bias": "b", "eps": "variance_epsilon"},
    "X, g, offset, layer_norm_eps=1, dim=-1": {"x": "X", "weight": "g", "bias": "offset", "eps": "layer_norm_eps", "axis": "dim"},
    "h, weight, bias": {"x": "h", "weight": "weight", "bias": "bias"},
    "weight, h": {"weight": "weight", "x": "h"},
    "input, normalized_shape, weight=None": {"x": "input", "normalized_shape": "normalized_shape", "weight": "weight"},
    "x, padding_mask=None, momentum=0.1": {"x": "x", "mask": "padding_mask"},
}


@pytest.mark.parametrize("parameters", CASES)
def test_parameters_are_known_by_the_names_of_the_field(parameters: str) -> None:
    assert arguments_of("f", of(parameters)).words == CASES[parameters]


def test_a_position_or_a_name_can_be_asked_for_and_the_rest_follows() -> None:
    found = arguments_of("f", of("a, b, c, eps=0"), parse_map("x=1, weight=a,bias=c,eps=none"))
    assert found.words == {"x": "b", "weight": "a", "bias": "c"}
    assert found.left == ("eps",)


def test_without_a_signature_arguments_stand_by_position() -> None:
    seen: list[Any] = []
    found = arguments_of("f", None)
    found.call(lambda *given: seen.extend(given), {"x": 1, "weight": 2, "bias": 3, "eps": 4})
    assert seen == [1, 2, 3, 4]
    assert found.needs("weight")
    assert arguments_of("f", None, parse_map("x=0,eps=1")).words == {"x": "argument0", "eps": "argument1"}


def test_a_wrapper_that_hides_its_parameters_counts_as_without_a_signature() -> None:
    assert list(arguments_of("f", of("*a, **k")).words) == ["x", "weight", "bias", "eps"]


def test_positional_only_parameters_are_passed_by_position_and_a_gap_is_filled_with_the_default() -> None:
    def function(x: int, weight: int = 7, bias: int = 8, /) -> tuple[int, int, int]:
        return x, weight, bias

    assert arguments_of("f", signature_of(function)).call(function, {"x": 1, "bias": 2}) == (1, 7, 2)

    assert arguments_of("f", of("p, q, r, /")).words == {"x": "p", "weight": "q", "bias": "r"}


def test_a_gradient_and_a_constructor_have_words_of_their_own() -> None:
    gradient = arguments_of("f", of("g, x, w, eps"), {}, GRADIENT, GRADIENT_BY_POSITION)
    assert gradient.words == {"dy": "g", "x": "x", "weight": "w", "eps": "eps"}
    constructor = arguments_of("f", of("dim, eps=1, bias=True"), {}, CONSTRUCTOR, ("normalized_shape",))
    assert constructor.words == {"normalized_shape": "dim", "eps": "eps"}


SAID = [
    ("h, a, b, e", "", "f: cannot tell a, e apart. Say: `--map x=h,weight=a,bias=b,eps=e`"),
    ("x, params, eps=1", "", "f: cannot tell what params is. If it is the weight: `--map x=x,weight=params,eps=eps`; else give"),
    ("self, h", "", "f is a method, which needs an instance"),
    ("x, p, q, r, s", "", "f needs p, q, r, s, for which a layer norm has no value; give a function of x, weight, bias, eps that"),
    ("x, weight", "x=y", '--map x=y: f has no parameter "y". It has x, weight.'),
    ("x, weight", "weight=wieght", '--map weight=wieght: f has no parameter "wieght". Did you mean "weight"?'),
    ("x, weight", "weight=2", "--map weight=2: f has 2 parameters, counted from 0"),
    ("x, weight", "x=weight,weight=1", "--map: weight is given to two words"),
    ("x, scale", "weight=none", "f: scale has no default, so it cannot be left out: take `weight=none` away"),
]


@pytest.mark.parametrize(("parameters", "text", "message"), SAID)
def test_what_cannot_be_fitted_is_said(parameters: str, text: str, message: str) -> None:
    with pytest.raises(SubjectError) as error:
        arguments_of("f", of(parameters), parse_map(text) if text else {})
    assert message in str(error.value)
    assert error.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", '--map: cannot read "x"; write `--map x=h,weight=a`'),
        ("x=", '--map: cannot read "x="'),
        ("gamma=g", 'there is no word "gamma"; the words are x, weight, bias, eps, axis, mask, normalized_shape. Did you mean "weight"?'),
        ("x=a,x=b", "--map: x is given twice"),
        ("x=a,bias=a", "--map: a is given to two words"),
    ],
)
def test_a_map_that_cannot_be_read_is_said(text: str, message: str) -> None:
    with pytest.raises(SubjectError) as error:
        parse_map(text)
    assert message in str(error.value)


def test_a_map_by_name_does_not_fit_a_function_without_names() -> None:
    with pytest.raises(SubjectError, match=r"its parameters have no known names; give positions"):
        arguments_of("f", None, parse_map("x=h"))
    with pytest.raises(SubjectError, match=r"leave a gap"):
        arguments_of("f", None, parse_map("x=0,eps=2"))
