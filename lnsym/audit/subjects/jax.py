"""JAX: functions, flax modules (linen and nnx), classes that hold arrays; called under jit, gradients by jax. Imports jax when used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lnsym.audit.adapted import Adapted
from lnsym.audit.call import Array, Call, Gradient
from lnsym.audit.locate import missing
from lnsym.audit.mapping import Wanted
from lnsym.audit.packages import packages_of

FRAMEWORK = "jax"
Leaves = Mapping[str, Any]
_COMPILED = 64  # how many compiled forms are kept


def claims(thing: object) -> bool:
    """Whatever uses jax or flax in its code or is of a type from there."""
    return bool(packages_of(thing) & {"jax", "flax"})


def make(thing: Any, name: str, wanted: Wanted, grad: Callable[..., Any] | None = None, eps: float | None = None) -> Jax:
    """The adapter."""
    try:
        import jax
    except ModuleNotFoundError:
        raise missing("jax", name) from None
    with jax.enable_x64(True):
        return Jax(thing, name, wanted, grad, eps)


class Jax(Adapted):
    """A subject of JAX arrays. Everything runs with 64 bits allowed, since the audit chooses the format."""

    framework = FRAMEWORK
    formats = ("float64", "float32", "float16", "bfloat16")
    derivatives = frozenset({"vjp", "jvp", "double", "eager", "vmap"})

    def __init__(self, *given: Any) -> None:
        self._compiled: dict[tuple[object, ...], Callable[..., Any]] = {}
        super().__init__(*given)

    def version(self) -> str:
        """The version of jax, and of flax where it is used."""
        import jax

        flax = sys.modules.get("flax")
        return f"jax {jax.__version__}" + (f", flax {flax.__version__}" if flax else "")

    def native(self, array: Array) -> Any:
        """An array of JAX; always a copy."""
        import jax.numpy as jnp

        return jnp.asarray(array.astype(array.dtype.newbyteorder("=")))

    def numpy(self, value: object) -> object:
        """An array of NumPy."""
        import jax

        return np.asarray(value) if isinstance(value, jax.Array) else value

    # ------------------------------------------------------------ flax

    def holds(self, thing: Any) -> dict[str, tuple[int, ...]]:
        """The parameters of a flax module; those of linen depend on the input, so their shapes are an example's."""
        if _is_linen(thing):
            return {name: tuple(one.shape) for name, one in _flat(_variables(thing, np.zeros((1, 4), np.float32))).items()}
        if _is_nnx(thing):
            from flax import nnx

            return {".".join(map(str, path)): tuple(one.shape) for path, one in nnx.to_flat_state(nnx.state(thing, nnx.Param))}
        return super().holds(thing)

    def width_of(self, thing: Any) -> int | None:
        """A module of linen takes any width."""
        return None if _is_linen(thing) else super().width_of(thing)

    def settings(self) -> dict[str, Any]:
        """The random numbers that a constructor of nnx wants."""
        if self.constructor is None or not self.constructor.takes("rngs"):
            return {}
        from flax import nnx

        return {"rngs": nnx.Rngs(0)}

    def run(self, thing: Any, held: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
        """Call a flax module with the given parameters in place of its own."""
        if _is_linen(thing):
            flat = dict(held)
            if set(flat) != set(self.held.values()) or len(flat) < len(self.holds(thing)):
                flat = {**_flat(_variables(thing, values["x"])), **flat}
            variables = _nested(flat)
            return self.arguments.call(lambda *given, **named: thing.apply({"params": variables}, *given, **named), values)
        if _is_nnx(thing):
            from flax import nnx

            thing = nnx.merge(*nnx.split(thing))
            for name, value in held.items():
                *path, last = name.split(".")
                owner = thing
                for part in path:
                    owner = owner[int(part)] if part.isdecimal() else getattr(owner, part)
                setattr(owner, last, nnx.Param(value))
            return self.arguments.call(thing, values)
        return super().run(thing, held, values)

    # ------------------------------------------------------------ a Subject

    def forward(self, call: Call) -> object:
        """y."""
        return self.numpy(self._run("forward", call, lambda leaves: self.output(call, leaves)))

    def eager(self, call: Call) -> object:
        """y without jit."""
        import jax

        with jax.enable_x64(True), jax.disable_jit():
            return self.numpy(self.output(call, self._leaves(call)))

    def vmap(self, call: Call) -> object:
        """y by vmap over the first axis, which must not be a normalized one."""
        import jax

        one = call.but(x=call.x[0], axis=tuple(axis - call.x.ndim for axis in call.axes), mask=None)

        def mapped(leaves: Leaves) -> Any:
            return jax.vmap(lambda x: self.output(one, {**leaves, "x": x}))(leaves["x"])

        return self.numpy(self._run("vmap", call, mapped))

    def gradient(self, call: Call, dy: Array, wrt: tuple[str, ...]) -> Gradient:
        """By jax.vjp, unless one was given."""
        import jax

        if self.handwritten is not None:
            with jax.enable_x64(True):
                return super().gradient(call, dy, wrt)

        def gradient(leaves: Leaves, dy: Any) -> Any:
            inputs = {word: one for word, one in leaves.items() if word in wrt}
            y, back = jax.vjp(lambda some: self.output(call, {**leaves, **some}), inputs)
            return back(dy.astype(y.dtype))[0]

        return self._shaped(call, self._run(f"gradient {wrt}", call, gradient, dy))

    def jvp(self, call: Call, dx: Array) -> Array:
        """By jax.jvp; where the subject has a custom VJP only, by differentiating that, which is linear in the cotangent."""
        import jax
        import jax.numpy as jnp

        def forward_mode(leaves: Leaves, dx: Any) -> Any:
            return jax.jvp(lambda x: self.output(call, {**leaves, "x": x}), (leaves["x"],), (dx,))[1]

        def twice_reverse(leaves: Leaves, dx: Any) -> Any:
            y, back = jax.vjp(lambda x: self.output(call, {**leaves, "x": x}), leaves["x"])
            return jax.vjp(lambda cotangent: back(cotangent)[0], jnp.zeros_like(y))[1](dx)[0]

        try:
            return np.asarray(self._run("jvp", call, forward_mode, dx))
        except TypeError as error:
            if "custom_vjp" not in str(error):
                raise
        self.note("no forward mode: the JVP is the derivative of its VJP by the cotangent")
        return np.asarray(self._run("jvp by vjp", call, twice_reverse, dx))

    def double(self, call: Call, dy: Array, ddx: Array) -> Gradient:
        """By differentiating the VJP."""
        import jax

        def double(leaves: Leaves, dy: Any, ddx: Any) -> Any:
            def dx(some: Leaves) -> Any:
                rest = {**leaves, **{word: one for word, one in some.items() if word != "dy"}}
                y, back = jax.vjp(lambda x: self.output(call, {**rest, "x": x}), rest["x"])
                return back(some["dy"].astype(y.dtype))[0]

            inputs = {"dy": dy, **{word: leaves[word] for word in ("x", "weight") if word in leaves}}
            return jax.vjp(dx, inputs)[1](ddx)[0]

        return self._shaped(call, self._run("double", call, double, dy, ddx))

    # ------------------------------------------------------------ parts

    def _leaves(self, call: Call) -> dict[str, Any]:
        return {word: self.native(one) for word, one in self.leaves(call).items()}

    def _run(self, verb: str, call: Call, function: Callable[..., Any], *more: Array) -> Any:
        """The function of the leaves and more arrays under jit, as users run it; plainly where jit cannot trace it."""
        import jax

        self.target(call)  # made before jit traces: what is made while it does must not be kept
        with jax.enable_x64(True):
            given = self._leaves(call), *map(self.native, more)
            try:
                found = self._jitted(verb, call, function, given)(*given)
            except (jax.errors.JAXTypeError, jax.errors.JAXIndexError):
                self.note("jit cannot trace it: called without")
                return function(*given)
            self.note("called under jit")
            return found

    def _jitted(self, verb: str, call: Call, function: Callable[..., Any], given: tuple[Any, ...]) -> Callable[..., Any]:
        """The function under jit, kept for calls that differ in the numbers of their arrays only."""
        import jax

        compiled: Callable[..., Any] = jax.jit(function)
        if call.mask is not None:
            return compiled
        shapes = tuple((str(path), one.shape, str(one.dtype)) for path, one in jax.tree.leaves_with_path(given))
        key = verb, call.axis, float(call.eps), shapes
        if key not in self._compiled:
            if len(self._compiled) == _COMPILED:
                self._compiled.pop(next(iter(self._compiled)))
            self._compiled[key] = compiled
        return self._compiled[key]

    def _shaped(self, call: Call, found: Mapping[str, Any]) -> Gradient:
        """The gradients of what an instance holds, in the shape of the normalized axes."""
        shape = tuple(call.x.shape[axis] for axis in call.axes)
        arrays = {word: np.asarray(one) for word, one in found.items()}
        return {word: one.reshape(shape) if word in self.held and one.size == call.width else one for word, one in arrays.items()}


def _is_linen(thing: Any) -> bool:
    linen = sys.modules.get("flax.linen")
    return linen is not None and isinstance(thing, linen.Module)


def _is_nnx(thing: Any) -> bool:
    nnx = sys.modules.get("flax.nnx")
    return nnx is not None and isinstance(thing, nnx.Module)


def _variables(module: Any, x: Any) -> Any:
    import jax

    return module.init(jax.random.key(0), x).get("params", {})


def _flat(tree: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, one in tree.items():
        found |= _flat(one, f"{path}{name}.") if isinstance(one, Mapping) else {f"{path}{name}": one}
    return found


def _nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, one in flat.items():
        *path, last = name.split(".")
        branch = tree
        for part in path:
            branch = branch.setdefault(part, {})
        branch[last] = one
    return tree
