"""NumPy subjects: functions, classes, factories and instances, and gradients written by hand."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lnsym.audit import reference
from lnsym.audit.adapted import Adapted
from lnsym.audit.call import Array, Call
from lnsym.audit.packages import packages_of
from lnsym.audit.session import Session
from lnsym.audit.subject import SubjectFailed
from lnsym.audit.subjects import adapters, open_subject
from lnsym.errors import LnsymError
from tests.audit.subjects.conftest import rows


def layer_norm(x: Array, weight: Any = None, bias: Any = None, eps: float = 1e-5, axis: Any = -1) -> Array:
    """The textbook's two passes."""
    centered = x - x.mean(axis=axis, keepdims=True)
    y: Array = centered / np.sqrt((centered**2).mean(axis=axis, keepdims=True) + eps)
    if weight is not None:
        y = y * weight
    return y if bias is None else y + bias


def required(z: Array, gamma: Array, beta: Array, epsilon: float) -> Array:
    return layer_norm(z, gamma, beta, epsilon)


def shaped(x: Array, normalized_shape: tuple[int, ...], weight: Array | None = None, eps: float = 1e-5) -> Array:
    return layer_norm(x, weight, None, eps, tuple(range(-len(normalized_shape), 0)))


def with_statistics(x: Array, eps: float) -> tuple[Array, Array]:
    return layer_norm(x, eps=eps), x.mean(-1)


def built_in(x: Array) -> Array:
    return layer_norm(x, eps=1e-3)


class Norm:
    """What people write."""

    def __init__(self, dim: int, eps: float = 1e-5) -> None:
        self.gamma, self.beta, self.eps = np.ones(dim), np.zeros((1, dim)), eps

    def forward(self, x: Array) -> Array:
        return layer_norm(x, self.gamma, self.beta, self.eps)


class Fixed:
    """Its eps is its own."""

    def __init__(self, hidden_size: int, affine: bool = True) -> None:
        self.weight, self.epsilon, self.affine = np.ones(hidden_size), 1e-3, affine

    def __call__(self, inputs: Array) -> Array:
        return layer_norm(inputs, self.weight, None, self.epsilon)


class Wrapped:
    """Holds another one."""

    def __init__(self, width: int) -> None:
        self.norm = Fixed(width)

    def __call__(self, x: Array) -> Array:
        return self.norm(x)


def make_norm(d: int) -> Norm:
    return Norm(d, 1e-2)


def here(thing: Any, **options: Any) -> Session:
    """The subject in this process, where the tests of adapters can look."""
    return Session(open_subject(thing, isolate=False, **options))


def off(session: Session, call: Call) -> float:
    """How far the answer is from the exact one, for what the subject takes of the call."""
    takes = session.about.takes
    for word in ("weight", "bias"):
        if word not in takes:
            call = call.but(**{word: None})
    call = call.but(eps=session.eps_for(call.eps))
    return float(np.abs(session.forward(call) - reference.output(call)).max(initial=0))


THINGS: dict[str, tuple[Any, set[str]]] = {
    "function": (layer_norm, {"weight", "bias", "eps", "axis"}),
    "required": (required, {"weight", "bias", "eps"}),
    "normalized_shape": (shaped, {"weight", "eps"}),
    "statistics too": (with_statistics, {"eps"}),
    "partial": (functools.partial(layer_norm, eps=1e-5), {"weight", "bias", "eps", "axis"}),
    "class": (Norm, {"weight", "bias", "eps"}),
    "class with its own eps": (Fixed, {"weight"}),
    "factory": (make_norm, {"weight", "bias"}),
    "instance": (Norm(6, 1e-4), {"weight", "bias"}),
    "method": (Norm(6, 1e-4).forward, set()),
    "wrapped": (Wrapped, set()),
}


@pytest.mark.parametrize("name", THINGS)
@pytest.mark.parametrize("given", ["weight and bias", "neither"])
def test_every_form_is_called_as_it_wants_to_be(name: str, given: str, call: Call) -> None:
    thing, takes = THINGS[name]
    session = here(thing, eps=1e-4)
    assert session.about.takes == takes
    assert off(session, call if given == "weight and bias" else call.but(weight=None, bias=None)) < 4e-15
    assert session.about.framework == "numpy"


def test_calls_do_not_leak_into_each_other(call: Call) -> None:
    for thing in (Norm, Norm(6, 0.25)):
        session = here(thing)
        assert off(session, call) < 4e-15
        assert off(session, call.but(weight=None, bias=None)) < 4e-15
    instance = Norm(6)
    here(instance).forward(call)
    assert (instance.gamma == 1).all()


def test_widths_axes_and_masks(call: Call) -> None:
    wide = Call(rows(2, 3, 4), rows(3, 4), rows(3, 4), 0.25, (1, 2))
    assert off(here(layer_norm), wide) < 4e-15
    assert off(here(shaped), wide) < 4e-15
    assert off(here(layer_norm), Call(rows(4, 5), axis=(0,), eps=0.25)) < 4e-15
    assert off(here(Norm), Call(rows(4, 9), rows(9), eps=0.5)) < 4e-15
    seen: list[Any] = []

    def masked(x: Array, mask: Array) -> Array:
        seen.append(mask)
        return x

    session = here(masked)
    session.forward(call)
    session.forward(call.but(mask=call.x > 0))
    assert seen[0].all()
    assert (seen[1] == (call.x > 0)).all()
    assert session.about.takes == {"mask"}


def test_what_is_built_in_is_read_or_told() -> None:
    assert here(Fixed).about.eps == 1e-3
    assert here(Wrapped).about.eps == 1e-3
    assert here(make_norm).about.eps == 1e-2
    assert here(Norm(6, 1e-4)).about.width == 6
    assert here(Norm).about.width is None
    assert here(built_in).about.eps is None
    assert here(built_in, eps=1e-3).about.eps == 1e-3
    assert here(Fixed, eps=1e-5).about.eps == 1e-3  # what it says itself counts
    assert here(layer_norm, eps=1e-3).about.eps is None


def test_a_reader_is_told_how_it_was_called(call: Call) -> None:
    session = here(with_statistics)
    session.forward(call)
    assert session.about.notes[-1] == "it returns 2 results; the first is audited"
    assert here(Norm).about.arguments == (
        ("normalized_shape", "dim"),
        ("eps", "eps"),
        ("x", "x"),
        ("weight", "gamma of the instance"),
        ("bias", "beta of the instance"),
    )

    def more(x: Array, momentum: float = 0.1, training: bool = True) -> Array:
        return x

    assert "left at their defaults: momentum, training" in here(more).about.notes


def test_arguments_as_mapped(call: Call) -> None:
    def odd(h: Array, a: Array, b: Array, e: float) -> Array:
        return layer_norm(h, a, b, e)

    with pytest.raises(LnsymError, match=r"Say: `--map x=h,weight=a,bias=b,eps=e`"):
        here(odd)
    assert off(here(odd, mapping="x=h,weight=a,bias=b,eps=e"), call) < 4e-15
    assert off(here(odd, mapping={"x": 0, "weight": 1, "bias": 2, "eps": 3}), call) < 4e-15
    assert here(layer_norm, mapping="eps=none,axis=none").about.takes == {"weight", "bias"}
    session = here(Norm, mapping="weight=beta,bias=gamma,eps=none")
    assert dict(session.about.arguments)["weight"] == "beta of the instance"
    assert session.about.eps == 1e-5


def backward(dy: Array, x: Array, weight: Array, eps: float) -> tuple[Array, Array, Array]:
    """The three gradients."""
    u = layer_norm(x, eps=eps)
    rstd = 1 / np.sqrt(x.var(-1, keepdims=True) + eps)
    h = dy * weight
    dx = rstd * (h - h.mean(-1, keepdims=True) - u * (h * u).mean(-1, keepdims=True))
    return dx, (dy * u).sum(0), dy.sum(0)


def by_name(grad_output: Array, input: Array, gamma: Array, mean: Array, rstd: Array) -> dict[str, Array]:  # noqa: A002
    u = (input - mean) * rstd
    h = grad_output * gamma
    dx = rstd * (h - h.mean(-1, keepdims=True) - u * (h * u).mean(-1, keepdims=True))
    return {"dbeta": grad_output.sum(0), "grad_gamma": (grad_output * u).sum(0), "dinput": dx}


def unclear(a: Array, b: Array, c: Array, d: Array) -> None:
    pass


def only_dx(g: Array, x: Array, eps: float) -> Array:
    return backward(g, x, np.ones(x.shape[-1]), eps)[0]


@pytest.mark.parametrize(("grad", "names"), [(backward, "x weight bias"), (by_name, "x weight bias"), (only_dx, "x")])
def test_a_gradient_written_by_hand(grad: Callable[..., Any], names: str, call: Call) -> None:
    session = here(layer_norm, grad=grad)
    assert session.about.gradients == {"vjp"}
    if grad is only_dx:
        call = call.but(weight=None)
    dy = rows(3, 6, seed=2)
    found, exact = session.gradient(call, dy), reference.gradient(call, dy)
    assert set(found) == set(names.split())
    for name, one in found.items():
        assert np.abs(one - exact[name]).max() < 4e-15
    assert set(session.gradient(call, dy, ("x",))) == {"x"}


@pytest.mark.parametrize(
    ("grad", "message"),
    [
        (unclear, "cannot tell c, d apart. Name the parameters of a gradient dy, x, weight, eps"),
        (np.positive, "must take dy and x; name its parameters dy, x, weight, eps"),
        (3, "what it names is of type int, not a function"),
    ],
)
def test_a_gradient_that_cannot_be_called(grad: Any, message: str) -> None:
    with pytest.raises(LnsymError, match=message):
        here(layer_norm, grad=grad)


def test_without_a_gradient_there_is_none(call: Call) -> None:
    session = here(layer_norm)
    assert session.about.gradients == set()
    with pytest.raises(SubjectFailed, match="no gradient is given"):
        session.gradient(call, call.x)


# ---------------------------------------------------------------- the adapters as a family


def test_the_folder_is_the_registry() -> None:
    assert list(adapters()) == ["jax", "onnx", "torch", "numpy"]
    assert issubclass(adapters()["numpy"].make, Adapted)


def test_an_unknown_framework_is_said() -> None:
    with pytest.raises(LnsymError, match=r'There is no framework "tensorflow"; those known are jax, numpy, onnx, torch'):
        here(layer_norm, framework="tensorflow")


def test_the_packages_of_code_are_read_off_it() -> None:
    assert "numpy" in packages_of(layer_norm)
    assert "numpy" in packages_of(required)  # through the function that it calls
    assert "numpy" in packages_of(Norm)
    assert "numpy" in packages_of(functools.partial(layer_norm))

    def late(x: Any) -> Any:
        import torch

        return torch.nn.functional.layer_norm(x, x.shape[-1:])

    assert "torch" in packages_of(late)
    assert not packages_of(layer_norm) & {"torch", "jax"}
