"""JAX and flax subjects in every form, with their derivatives, under jit and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lnsym.audit import reference
from lnsym.audit.call import Call
from lnsym.audit.child import Child
from tests.audit.subjects.agree import call_for, errors
from tests.audit.subjects.conftest import Open, rows

HERE = {"isolate": False}  # starting a process with jax in it takes seconds

pytestmark = pytest.mark.jax

SOURCE = """
from functools import partial

import jax
import jax.numpy as jnp


def layer_norm(x, scale=None, offset=None, eps=1e-5, axis=-1):
    v = x - x.mean(axis, keepdims=True)
    y = v * jax.lax.rsqrt((v * v).mean(axis, keepdims=True) + eps)
    y = y if scale is None else y * scale
    return y if offset is None else y + offset


jitted = jax.jit(layer_norm, static_argnames=("eps", "axis"))


def branches(x, eps=1e-5):
    if x.sum() > 1e9:
        return x
    return layer_norm(x, eps=eps)


@partial(jax.custom_vjp, nondiff_argnums=(3,))
def custom(x, w, b, eps):
    return layer_norm(x, w, b, eps)


def _forward(x, w, b, eps):
    return layer_norm(x, w, b, eps), (x, w)


def _backward(eps, saved, dy):
    x, w = saved
    mean = x.mean(-1, keepdims=True)
    rstd = jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + eps)
    u, h = (x - mean) * rstd, dy * w
    return rstd * (h - h.mean(-1, keepdims=True) - u * (h * u).mean(-1, keepdims=True)), (dy * u).sum(0), dy.sum(0)


custom.defvjp(_forward, _backward)


class Plain:
    def __init__(self, d):
        self.g, self.b, self.eps = jnp.ones(d), jnp.zeros(d), 1e-3

    def __call__(self, x):
        return layer_norm(x, self.g, self.b, self.eps)


def rounds_under_jit(x):
    y = layer_norm(x)
    return y.astype(jnp.float16).astype(x.dtype) if isinstance(y, jax.core.Tracer) else y
"""
FLAX = """
import flax.linen as nn
from flax import nnx


class Linen(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        return nn.LayerNorm(epsilon=self.epsilon, use_fast_variance=False)(x)


instance = nn.LayerNorm(epsilon=1e-3, use_fast_variance=False)


class Nnx(nnx.Module):
    def __init__(self, dim, *, rngs):
        self.norm = nnx.LayerNorm(dim, epsilon=1e-3, rngs=rngs, use_fast_variance=False)

    def __call__(self, x):
        return self.norm(x)
"""
EXACT = {
    "jnorms.py:layer_norm": {"weight", "bias", "eps", "axis"},
    "jnorms.py:jitted": {"weight", "bias", "eps", "axis"},
    "jnorms.py:branches": {"eps"},
    "jnorms.py:custom": {"weight", "bias", "eps"},
    "jnorms.py:Plain": {"weight", "bias"},
}
EXACT_FLAX = {
    "fnorms.py:Linen": {"weight", "bias", "eps"},
    "fnorms.py:instance": {"weight", "bias", "mask"},
    "fnorms.py:Nnx": {"weight", "bias"},
    "flax.linen:LayerNorm": {"weight", "bias", "eps", "mask"},
    "flax.nnx:LayerNorm": {"weight", "bias", "eps", "mask"},
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the subjects."""
    (tmp_path / "jnorms.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "fnorms.py").write_text(FLAX, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("spec", [*EXACT, *EXACT_FLAX])
def test_every_form_agrees_with_the_oracle_and_so_do_its_derivatives(opened: Open, spec: str) -> None:
    session = opened(spec, **HERE)
    takes = {**EXACT, **EXACT_FLAX}[spec]
    assert session.about.takes == takes
    assert session.about.width is None
    found = errors(session, call_for(session))
    parameters = {"dweight", "double weight", "dbias"} if "weight" in takes else set()
    assert set(found) == {"y", "dx", "jvp", "double dy", "double x"} | parameters
    assert max(found.values()) < 1e-13


def test_formats(opened: Open) -> None:
    import ml_dtypes

    session = opened("jnorms.py:layer_norm", **HERE)
    for fmt, bound in (("float32", 1e-5), ("float16", 0.02), (ml_dtypes.bfloat16, 0.2)):
        call = call_for(session, fmt)
        assert session.forward(call).dtype == np.dtype(fmt)
        assert max(errors(session, call, "forward gradient").values()) < bound


def test_how_it_was_called_is_said(opened: Open) -> None:
    session = opened("jnorms.py:layer_norm", **HERE)
    session.forward(call_for(session))
    assert session.about.notes[-1] == "called under jit"
    session = opened("jnorms.py:branches", **HERE)
    session.forward(call_for(session))
    assert session.about.notes[-1] == "jit cannot trace it: called without"
    session = opened("jnorms.py:custom", **HERE)
    session.jvp(call_for(session), rows(3, 6))
    assert "no forward mode: the JVP is the derivative of its VJP by the cotangent" in session.about.notes


def test_without_jit_and_by_vmap(opened: Open) -> None:
    session = opened("jnorms.py:layer_norm", **HERE)
    call = call_for(session)
    for verb in ("eager", "vmap"):
        value = session.runner.ask(verb, (call,)).value
        assert isinstance(value, np.ndarray)
        assert np.abs(value - reference.output(call)).max() < 1e-14
    session = opened("jnorms.py:rounds_under_jit", eps=1e-5, **HERE)
    call = Call(rows(3, 6))
    assert errors(session, call, "forward")["y"] > 1e-6
    eager = session.runner.ask("eager", (call,)).value
    assert np.abs(np.asarray(eager) - reference.output(call)).max() < 1e-14


def test_it_runs_in_a_process_of_its_own(opened: Open) -> None:
    session = opened("jnorms.py:layer_norm")
    assert isinstance(session.runner, Child)
    assert max(errors(session, call_for(session)).values()) < 1e-13
    assert session.printed == ""


def test_changes_of_eps_and_shape_are_not_lost_in_what_is_compiled(opened: Open) -> None:
    session = opened("jnorms.py:layer_norm", **HERE)
    for call in (Call(rows(3, 6)), Call(rows(3, 6), eps=0.5), Call(rows(2, 3, 4), eps=0.5, axis=(1, 2)), Call(rows(3, 6), eps=0.5)):
        assert errors(session, call, "forward")["y"] < 1e-14


def test_the_setting_of_this_process_is_left_as_it_is(opened: Open) -> None:
    import jax.numpy as jnp

    def norm(x: Any) -> Any:
        return (x - jnp.mean(x, -1, keepdims=True)) / jnp.sqrt(jnp.var(x, -1, keepdims=True) + 1e-5)

    session = opened(norm, eps=1e-5)
    assert session.about.framework == "jax"
    assert errors(session, Call(rows(3, 6)), "forward gradient")["y"] < 1e-14
    assert jnp.ones(1, float).dtype == np.float32
