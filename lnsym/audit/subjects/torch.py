"""PyTorch: functions of tensors, modules, their classes and factories, autograd functions, with autograd. Imports torch when used."""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any, ClassVar

import numpy as np

from lnsym.audit.adapted import Adapted
from lnsym.audit.call import Array, Call, Gradient
from lnsym.audit.locate import missing
from lnsym.audit.mapping import Wanted, signature_of
from lnsym.audit.packages import packages_of
from lnsym.audit.subject import SubjectError

FRAMEWORK = "torch"


def claims(thing: object) -> bool:
    """Whatever uses torch in its code or is of a type from there."""
    return "torch" in packages_of(thing)


def make(thing: Any, name: str, wanted: Wanted, grad: Callable[..., Any] | None = None, eps: float | None = None) -> Torch:
    """The adapter; an autograd function becomes a function of its arguments, an instance is copied."""
    try:
        import torch
    except ModuleNotFoundError:
        raise missing("torch", name) from None
    owner = thing if isinstance(thing, type) else getattr(thing, "__self__", None)
    if isinstance(owner, type) and issubclass(owner, torch.autograd.Function):
        thing = _applied(owner)
    elif isinstance(thing, torch.jit.ScriptModule):
        raise SubjectError(f"{name} is a scripted module, which cannot be given other weights: audit the class that it was made from")
    elif isinstance(thing, torch.nn.Module):
        thing = copy.deepcopy(thing)
    return Torch(thing, name, wanted, grad, eps)


class Torch(Adapted):
    """A subject of torch tensors."""

    framework = FRAMEWORK
    formats: ClassVar[tuple[str, ...]] = ("float64", "float32", "float16", "bfloat16")
    derivatives = frozenset({"vjp", "jvp", "double"})

    def version(self) -> str:
        """The version of torch."""
        import torch

        return f"torch {torch.__version__}"

    def native(self, array: Array) -> Any:
        """A tensor on the array's memory, where torch can describe its layout; else on a copy."""
        import torch

        if array.dtype.name == "bfloat16":
            return self.native(array.view(np.int16)).view(torch.bfloat16)
        if not array.dtype.isnative or any(step < 0 or step % array.itemsize for step in array.strides):
            array = array.astype(array.dtype.newbyteorder("="), order="C")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about memory that may not be written to: a write is noticed
            return torch.from_numpy(array)

    def numpy(self, value: object) -> object:
        """An array on the tensor's memory."""
        import torch

        if not isinstance(value, torch.Tensor):
            return value
        tensor = value.detach().cpu()
        if tensor.dtype is torch.bfloat16:
            import ml_dtypes

            return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
        return tensor.numpy()

    def holds(self, thing: Any) -> dict[str, tuple[int, ...]]:
        """The parameters and buffers of a module."""
        import torch

        if not isinstance(thing, torch.nn.Module):
            return super().holds(thing)
        return {name: tuple(one.shape) for name, one in (*thing.named_parameters(), *thing.named_buffers())}

    def signature(self, thing: Any) -> inspect.Signature | None:
        """That of forward, for a module."""
        import torch

        return signature_of(thing.forward) if isinstance(thing, torch.nn.Module) else super().signature(thing)

    def run(self, thing: Any, held: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
        """Call a module as a function of its parameters."""
        import torch

        if not isinstance(thing, torch.nn.Module):
            return super().run(thing, held, values)
        if values["x"].is_floating_point():
            thing = thing.to(values["x"].dtype)
        return self.arguments.call(lambda *given, **named: torch.func.functional_call(thing, dict(held), given, named), values)

    def gradient(self, call: Call, dy: Array, wrt: tuple[str, ...]) -> Gradient:
        """By autograd, unless one was given; what y does not depend on has gradient 0."""
        import torch

        if self.handwritten is not None:
            return super().gradient(call, dy, wrt)
        leaves, inputs = self._leaves(call, wrt)
        y = self.output(call, leaves)
        found = torch.autograd.grad(y, list(inputs.values()), self.native(dy), materialize_grads=True)
        return self._shaped(call, dict(zip(inputs, found, strict=True)))

    def jvp(self, call: Call, dx: Array) -> Array:
        """In forward mode; where the subject has none, by differentiating its backward, which is linear in the cotangent."""
        import torch
        from torch.autograd import forward_ad

        leaves, _ = self._leaves(call, ())
        try:
            with warnings.catch_warnings(), forward_ad.dual_level():
                warnings.simplefilter("ignore")  # torch warns of its own parts
                y = self.output(call, {**leaves, "x": forward_ad.make_dual(leaves["x"], self.native(dx))})
                found = forward_ad.unpack_dual(y).tangent
                return self._array(torch.zeros_like(leaves["x"]) if found is None else found)
        except (NotImplementedError, RuntimeError):
            leaves, inputs = self._leaves(call, ("x",))
            y = self.output(call, leaves)
            cotangent = torch.zeros_like(y, requires_grad=True)
            (back,) = torch.autograd.grad(y, inputs["x"], cotangent, create_graph=True)
            (found,) = torch.autograd.grad(back, cotangent, self.native(dx))
            self.note("no forward mode: the JVP is the derivative of its backward by the cotangent")
            return self._array(found)

    def double(self, call: Call, dy: Array, ddx: Array) -> Gradient:
        """By autograd through the backward pass."""
        import torch

        leaves, inputs = self._leaves(call, ("x", "weight"))
        cotangent = self.native(dy).requires_grad_()
        (dx,) = torch.autograd.grad(self.output(call, leaves), inputs["x"], cotangent, create_graph=True)
        torch.autograd.grad(dx, cotangent, self.native(ddx), retain_graph=True)  # raises where the backward is once differentiable
        inputs = {"dy": cotangent, **inputs}
        found = torch.autograd.grad(dx, list(inputs.values()), self.native(ddx), materialize_grads=True)
        return self._shaped(call, dict(zip(inputs, found, strict=True)))

    def _leaves(self, call: Call, wrt: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
        """All leaves, and those of them that are differentiated by."""
        leaves = {word: self.native(one) for word, one in self.leaves(call).items()}
        inputs = {word: one.requires_grad_() for word, one in leaves.items() if word in wrt}
        return leaves, inputs

    def _array(self, tensor: Any) -> Array:
        array = self.numpy(tensor)
        assert isinstance(array, np.ndarray)
        return array

    def _shaped(self, call: Call, found: Mapping[str, Any]) -> Gradient:
        """The gradients of what an instance holds, in the shape of the normalized axes."""
        shape = tuple(call.x.shape[axis] for axis in call.axes)
        arrays = {word: self._array(one) for word, one in found.items()}
        return {word: one.reshape(shape) if word in self.held and one.size == call.width else one for word, one in arrays.items()}


def _applied(function: Any) -> Callable[..., Any]:
    """`apply` of an autograd function with the parameters of its forward; it takes them by position only."""

    def apply(*given: Any) -> Any:
        return function.apply(*given)

    inner = signature_of(function.forward)
    assert inner is not None
    own = list(inner.parameters.values())
    if "setup_context" not in vars(function):
        own = own[1:]  # ctx
    apply.__signature__ = inner.replace(parameters=[one.replace(kind=Parameter.POSITIONAL_ONLY) for one in own])  # type: ignore[attr-defined]
    apply.__qualname__ = f"{function.__qualname__}.apply"
    return apply
