"""PyTorch subjects in every form, with their derivatives by autograd."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from lnsym.audit import audit
from lnsym.audit.call import Call
from lnsym.audit.child import Child
from lnsym.audit.subject import SubjectError, SubjectFailed
from tests.audit.subjects.agree import call_for, errors
from tests.audit.subjects.conftest import Open, rows

HERE = {"isolate": False}  # starting a process with torch in it takes seconds

pytestmark = pytest.mark.torch

SOURCE = '''
import torch
from torch import nn


def layer_norm(x, weight=None, bias=None, eps=1e-5, dim=-1):
    v = x - x.mean(dim, keepdim=True)
    y = v * torch.rsqrt((v * v).mean(dim, keepdim=True) + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


def only_methods(x, eps=1e-5):
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, unbiased=False) + eps).sqrt()


class Norm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.bias = nn.Parameter(torch.zeros(hidden_size))
        self.variance_epsilon = eps

    def forward(self, hidden_states):
        return layer_norm(hidden_states, self.weight, self.bias, self.variance_epsilon)


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim, eps=1e-3)

    def forward(self, x):
        return self.norm(x)


class Hidden(Norm):
    def forward(self, *args, **kwargs):
        return layer_norm(args[0], self.weight, self.bias, self.variance_epsilon)


class Column(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.g = nn.Parameter(torch.ones(1, dim))

    def forward(self, x):
        return layer_norm(x, self.g)


def make(d):
    return nn.LayerNorm(d, eps=1e-3)


made = nn.LayerNorm(6)


class Function(torch.autograd.Function):
    """The mean and rstd that it saves are treated as constants when its backward is differentiated."""

    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        mean, rstd = x.mean(-1, keepdim=True), torch.rsqrt(x.var(-1, keepdim=True, unbiased=False) + eps)
        ctx.save_for_backward(x, weight, mean, rstd)
        return (x - mean) * rstd * weight + bias

    @staticmethod
    def backward(ctx, dy):
        x, weight, mean, rstd = ctx.saved_tensors
        u = (x - mean) * rstd
        h = dy * weight
        dx = rstd * (h - h.mean(-1, keepdim=True) - u * (h * u).mean(-1, keepdim=True))
        return dx, (dy * u).sum(0), dy.sum(0), None


apply = Function.apply


def statistics_too(x, weight, bias, eps):
    v = x - x.mean(-1, keepdim=True)
    rstd = torch.rsqrt((v * v).mean(-1, keepdim=True) + eps)
    return v * rstd * weight + bias, x.mean(-1), rstd


def statistics_detached(x, eps=1e-5):
    return (x - x.mean(-1, keepdim=True).detach()) / (x.var(-1, keepdim=True, unbiased=False).detach() + eps).sqrt()


def ignores(x, weight):
    return layer_norm(x, eps=1e-3)


def writes(x):
    x -= x.mean(-1, keepdim=True)
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5)


def steps(x):
    return torch.full_like(x, x.stride(0))


def by_hand(grad_output, input, weight, eps):
    u = layer_norm(input, eps=eps)
    return None, (grad_output * u).sum(0), grad_output.sum(0)
'''
EXACT = {
    "layer_norm": {"weight", "bias", "eps", "axis"},
    "only_methods": {"eps"},
    "Norm": {"weight", "bias", "eps"},
    "Block": {"weight", "bias"},
    "Hidden": {"weight", "bias", "eps"},
    "Column": {"weight"},
    "make": {"weight", "bias"},
    "made": {"weight", "bias"},
    "statistics_too": {"weight", "bias", "eps"},
}


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The path of the subjects."""
    (tmp_path / "norms.py").write_text(SOURCE, encoding="utf-8")
    return str(tmp_path / "norms.py")


@pytest.mark.parametrize("name", EXACT)
def test_every_form_agrees_with_the_oracle_and_so_do_its_derivatives(opened: Open, file: str, name: str) -> None:
    session = opened(f"{file}:{name}", **HERE)
    assert session.about.framework == "torch"
    assert session.about.takes == EXACT[name]
    assert session.about.gradients == {"vjp", "jvp", "double"}
    found = errors(session, call_for(session))
    weights = {"dweight", "double weight"} if "weight" in session.about.takes else set()
    biases = {"dbias"} if "bias" in session.about.takes else set()
    assert set(found) == {"y", "dx", "jvp", "double dy", "double x"} | weights | biases
    assert max(found.values()) < 1e-13


@pytest.mark.parametrize("name", ["torch.nn:LayerNorm", "torch.nn.functional:layer_norm"])
def test_what_torch_ships(opened: Open, name: str) -> None:
    import torch

    session = opened(name, **HERE)
    assert session.about.takes == {"weight", "bias", "eps"}
    assert max(errors(session, call_for(session)).values()) < 1e-13
    assert session.about.notes[0] == f"torch {torch.__version__}"


@pytest.mark.parametrize("name", ["Function", "apply"])
def test_an_autograd_function_shows_its_double_backward(opened: Open, file: str, name: str) -> None:
    session = opened(f"{file}:{name}", **HERE)
    found = errors(session, call_for(session))
    assert found.pop("double x") > 0.01  # its saved statistics do not depend on x any more
    assert max(found.values()) < 1e-13
    assert session.about.notes[-1] == "no forward mode: the JVP is the derivative of its backward by the cotangent"


def test_formats(opened: Open, file: str) -> None:
    import ml_dtypes

    session = opened(f"{file}:Norm", **HERE)
    assert session.about.formats == ("float64", "float32", "float16", "bfloat16")
    for fmt, bound in (("float32", 1e-5), ("float16", 0.02), (ml_dtypes.bfloat16, 0.2)):
        call = call_for(session, fmt)
        assert session.forward(call).dtype == np.dtype(fmt)
        assert {one.dtype for one in session.gradient(call, call.x).values()} == {np.dtype(fmt)}
        assert max(errors(session, call, "forward gradient").values()) < bound


def test_subsets_of_the_gradients(opened: Open, file: str) -> None:
    session = opened(f"{file}:layer_norm", **HERE)
    call = call_for(session)
    for wrt in (("x",), ("weight",), ("bias", "x")):
        assert set(session.gradient(call, call.x, wrt)) == set(wrt)
    assert set(session.gradient(call.but(weight=None), call.x)) == {"x", "bias"}


def test_what_is_cut_off_has_gradient_zero(opened: Open, file: str) -> None:
    call = call_for(opened(f"{file}:ignores", **HERE))
    assert (opened(f"{file}:ignores", **HERE).gradient(call, call.x)["weight"] == 0).all()
    session = opened(f"{file}:statistics_detached", **HERE)
    assert errors(session, call_for(session), "gradient")["dx"] > 0.01


def test_memory_and_layout_are_shared_with_the_input(opened: Open, file: str) -> None:
    session = opened(f"{file}:writes")
    session.forward(Call(rows(3, 6)))
    assert list(session.changed) == ["x"]
    session = opened(f"{file}:steps", **HERE)
    assert session.forward(Call(rows(6, 8)[::2])).flat[0] == 16
    assert session.forward(Call(np.broadcast_to(rows(8), (3, 8)))).flat[0] == 0
    assert session.forward(Call(rows(6, 8)[::-1])).flat[0] == 8  # torch knows no negative strides


def test_built_in_values_are_read(opened: Open, file: str) -> None:
    assert opened(f"{file}:Block", **HERE).about.eps == 1e-3
    made = opened(f"{file}:made", **HERE).about
    assert (made.eps, made.width) == (1e-5, 6)
    assert ("weight", "norm.weight of the instance") in opened(f"{file}:Block", **HERE).about.arguments


def test_it_runs_in_a_process_of_its_own(opened: Open, file: str) -> None:
    session = opened(f"{file}:Norm", grad="by_hand")
    assert isinstance(session.runner, Child)
    found = errors(session, call_for(session))
    assert set(found) == {"y", "dweight", "dbias", "jvp", "double dy", "double x", "double weight"}
    assert max(found.values()) < 1e-13
    assert session.printed == ""


def test_a_gradient_by_hand_is_taken_in_place_of_autograd(opened: Open, file: str) -> None:
    session = opened(f"{file}:layer_norm", grad="by_hand", **HERE)
    assert set(errors(session, call_for(session), "gradient")) == {"dweight", "dbias"}


def test_an_instance_in_this_process_is_left_as_it_is(opened: Open) -> None:
    import torch

    module = torch.nn.LayerNorm(6)
    session = opened(module)
    assert max(errors(session, call_for(session)).values()) < 1e-13
    assert module.weight.dtype is torch.float32
    assert bool((module.weight == 1).all())


def test_a_scripted_module_is_refused(opened: Open) -> None:
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        scripted = torch.jit.script(torch.nn.LayerNorm(6))
    with pytest.raises(SubjectError, match="is a scripted module, which cannot be given other weights: audit the class"):
        opened(scripted)


def test_a_double_backward_is_shown_with_its_numbers(file: str) -> None:
    found = " ".join(str(audit(f"{file}:Function", dtype="float64", only=("D17",), isolate=False)).split())
    assert "yours double x" in found
    assert "exact double x" in found


def test_an_error_of_torch_is_an_error_of_the_subject(opened: Open, file: str) -> None:
    session = opened(f"{file}:made", **HERE)
    with pytest.raises(SubjectFailed) as error:
        session.forward(Call(rows(3, 5)))
    assert error.value.kind == "raised"
