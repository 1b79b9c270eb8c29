"""How the public functions of emitted modules are called, and what their results are named in plans. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """How a public function is called: its array arguments (n rows, or one for all), which may be absent, and its results by name."""

    rows: tuple[str, ...]
    parameters: tuple[str, ...]
    optional: tuple[str, ...]
    call: Callable[..., Mapping[str, Any]]
    summed: tuple[str, ...] = ()  # results that are sums over the rows
    also: tuple[Callable[..., Mapping[str, Any]], ...] = ()  # other ways to call it


def _named(*names: str) -> Callable[[Any], dict[str, Any]]:
    return lambda results: dict(zip(names, results if isinstance(results, tuple) else (results,), strict=True))


def _normalize(f: Any, a: Mapping[str, Any]) -> dict[str, Any]:
    return {"u": f(a["x"], a["eps"])}


def _layer_norm(f: Any, a: Mapping[str, Any]) -> dict[str, Any]:
    return _named("y", "mean", "rstd")(f(a["x"], a["weight"], a["bias"], a["eps"], return_stats=True))


def _layer_norm_alone(f: Any, a: Mapping[str, Any]) -> dict[str, Any]:
    return {"y": f(a["x"], a["weight"], a["bias"], a["eps"])}


def _jvp(f: Any, a: Mapping[str, Any]) -> dict[str, Any]:
    return {"dy": f(a["x"], a["dx"], a["weight"], a["eps"])}


def _vjp(f: Any, a: Mapping[str, Any]) -> dict[str, Any]:
    return _named("dx", "dweight", "dbias")(f(a["dy"], a["x"], a["weight"], a["eps"]))


def _some_gradients(*wrt: str) -> Callable[..., Mapping[str, Any]]:
    def call(f: Any, a: Mapping[str, Any]) -> dict[str, Any]:
        return _named(*(f"d{name}" for name in wrt))(f(a["dy"], a["x"], a["weight"], a["eps"], wrt=wrt))

    return call


SOME_GRADIENTS = tuple(_some_gradients(*wrt) for wrt in (("x",), ("weight",), ("bias",), ("weight", "x"), ("bias", "weight", "x")))


def _vjp_vjp(f: Any, a: Mapping[str, Any]) -> dict[str, Any]:
    return _named("ddy", "dx", "dweight")(f(a["ddx"], a["ddweight"], a["ddbias"], a["dy"], a["x"], a["weight"], a["eps"]))


def _jacobian(f: Any, a: Mapping[str, Any]) -> dict[str, Any]:
    return {"jacobian": f(a["x"][0], a["eps"])}


def _merge(f: Any, a: Mapping[str, Any]) -> dict[str, Any]:
    return _named("n", "mean", "m2")(f((a["n"], a["mean"], a["m2"]), (a["n'"], a["mean'"], a["m2'"])))


CALLS = {
    "normalize": Call(("x",), (), (), _normalize),
    "layer_norm": Call(("x",), ("weight", "bias"), ("weight", "bias"), _layer_norm, (), (_layer_norm_alone,)),
    "layer_norm_jvp": Call(("x", "dx"), ("weight",), ("weight",), _jvp),
    "layer_norm_vjp": Call(("dy", "x"), ("weight",), ("weight",), _vjp, ("dweight", "dbias"), SOME_GRADIENTS),
    "layer_norm_vjp_vjp": Call(
        ("ddx", "dy", "x"), ("ddweight", "ddbias", "weight"), ("ddx", "ddweight", "ddbias", "weight"), _vjp_vjp, ("dweight",)
    ),
    "jacobian": Call(("x",), (), (), _jacobian),
    "merge_stats": Call((), (), (), _merge),
}
SHARDS = ("n", "mean", "m2", "n'", "mean'", "m2'")
