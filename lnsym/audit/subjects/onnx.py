"""ONNX files, run by ONNX Runtime on the CPU; built-in weight, bias and epsilon are read from the graph. Imports both when used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any

import numpy as np

from lnsym.audit.adapted import fixed
from lnsym.audit.call import Array, Call, Gradient
from lnsym.audit.handwritten import Handwritten
from lnsym.audit.locate import missing
from lnsym.audit.mapping import Arguments, Wanted, arguments_of
from lnsym.audit.subject import About, SubjectError

FRAMEWORK = "onnx"
_FORMATS = {"FLOAT": "float32", "DOUBLE": "float64", "FLOAT16": "float16"}
_PASSING = ("Identity", "Cast", "Dropout")  # nodes through which a value passes unchanged


def claims(thing: object) -> bool:
    """The path of an ONNX file."""
    return isinstance(thing, Path) and thing.suffix == ".onnx"


def make(thing: Any, name: str, wanted: Wanted, grad: Callable[..., Any] | None = None, eps: float | None = None) -> Onnx:
    """The adapter of a file."""
    try:
        import onnx  # noqa: F401
    except ModuleNotFoundError:
        raise missing("onnx", name) from None
    try:
        import onnxruntime  # noqa: F401
    except ModuleNotFoundError:
        raise missing("onnxruntime", name) from None
    if not claims(thing):
        raise SubjectError(f"{name} is not the path of an ONNX file")
    return Onnx(thing, name, wanted, grad, eps)


class Onnx:
    """A model whose first output is y."""

    def __init__(self, path: Path, name: str, wanted: Wanted, grad: Callable[..., Any] | None, eps: float | None) -> None:
        import onnx
        import onnxruntime

        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        settings.log_severity_level = 4
        try:
            graph = onnx.load(str(path)).graph
            self._session = onnxruntime.InferenceSession(str(path), settings, providers=["CPUExecutionProvider"])
        except Exception as error:  # noqa: BLE001 both raise errors of their own kinds
            raise SubjectError(f"{name} cannot be loaded: {' '.join(str(error).split())}") from None
        initial = {one.name for one in graph.initializer}
        self._inputs = {_plain(one.name): one for one in graph.input if one.name not in initial}
        self.arguments = _arguments(name, list(self._inputs), wanted)
        x = self._inputs[self.arguments.words["x"]].type.tensor_type
        kind = onnx.TensorProto.DataType.Name(x.elem_type)
        if kind not in _FORMATS:
            raise SubjectError(f"{name} takes {kind} for x; those that can be audited are {', '.join(_FORMATS)}")
        self.dims = [one.dim_value or None for one in x.shape.dim] if x.HasField("shape") else None
        self.handwritten = Handwritten(grad, name) if grad is not None else None
        self.about = self._describe(name, graph, _FORMATS[kind], eps, [f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}"])

    def _describe(self, name: str, graph: Any, kind: str, eps: float | None, notes: list[str]) -> About:
        built_in = _BuiltIn(graph)
        block = self.block
        if len(graph.output) > 1:
            notes.append(f"it returns {len(graph.output)} results; the first is audited")
        if block is not None and np.prod(block[:-1]) > 1:
            notes.append(f"its input has the fixed shape {block}: rows are given to it in such blocks, the last one filled up")
        if built_in.axis not in (None, -1):
            notes.append(f"it normalizes the axes from {built_in.axis} on")
        notes += [f"its {word} could not be read from the graph" for word in built_in.unread if not self.arguments.takes(word)]
        notes += self.handwritten.notes if self.handwritten else []
        takes = frozenset(self.arguments.words) & {"weight", "bias", "eps", "mask"}
        width = self.dims[-1] if self.dims else None
        held = next((len(one) for one in (built_in.weight, built_in.bias) if one is not None), None)
        return About(
            name=name,
            framework=FRAMEWORK,
            takes=takes,
            formats=(kind,),
            gradients=frozenset({"vjp"} if self.handwritten else ()),
            width=width or held,
            rank=len(self.dims) if self.dims and block is None else None,
            eps=None if "eps" in takes else eps if built_in.eps is None else built_in.eps,
            weight=None if "weight" in takes else built_in.weight,
            bias=None if "bias" in takes else built_in.bias,
            arguments=tuple((word, self._inputs[one].name) for word, one in self.arguments.shown),
            notes=tuple(notes),
        )

    @property
    def block(self) -> tuple[int, ...] | None:
        """The shape in which rows must be given, where the batch is fixed; None where it is free."""
        if not self.dims or all(one is None for one in self.dims[:-1]) or self.dims[-1] is None:
            return None
        return tuple(one or 1 for one in self.dims)

    def forward(self, call: Call) -> object:
        """The model's first output."""
        values = {**fixed(call, self.arguments, np.asarray), **self._arrays(call)}
        block = self.block
        if block is None or call.x.shape == block or call.x.ndim == 0 or call.x.shape[-1] != block[-1]:
            return self._run(values)
        rows, size = call.x.reshape(-1, block[-1]), int(np.prod(block[:-1]))
        done = [np.empty((0, block[-1]), call.x.dtype)]
        for start in range(0, len(rows), size):
            some = rows[start : start + size]
            filled = np.concatenate([some, np.repeat(some[-1:], size - len(some), axis=0)]).reshape(block)
            found = self._run({**values, "x": filled})
            if found.shape != block:
                return found
            done.append(found.reshape(-1, block[-1])[: len(some)])
        return np.concatenate(done).reshape(call.x.shape)

    def gradient(self, call: Call, dy: Array, wrt: tuple[str, ...]) -> Gradient:
        """What the hand-written gradient says."""
        if self.handwritten is None:
            raise NotImplementedError("no gradient is given")
        found = self.handwritten(call, dy, np.asarray, lambda one: one)
        return {word: one for word, one in found.items() if word in wrt}

    def jvp(self, call: Call, dx: Array) -> Array:
        """An ONNX file has none."""
        raise NotImplementedError("no JVP is given")

    def double(self, call: Call, dy: Array, ddx: Array) -> Gradient:
        """An ONNX file has none."""
        raise NotImplementedError("no double backward is given")

    def _arrays(self, call: Call) -> dict[str, Array]:
        shape = tuple(call.x.shape[axis] for axis in call.axes)
        found = {"x": call.x}
        for word, given, fill in (("weight", call.weight, np.ones), ("bias", call.bias, np.zeros)):
            if self.arguments.takes(word):
                found[word] = fill(shape, call.x.dtype) if given is None else given
        return found

    def _run(self, values: dict[str, Any]) -> Array:
        import onnx

        feed = {}
        for word, one in values.items():
            declared = self._inputs[self.arguments.words[word]]
            array = np.asarray(one)
            if word != "x":
                array = array.astype(onnx.helper.tensor_dtype_to_np_dtype(declared.type.tensor_type.elem_type))
            feed[declared.name] = array.astype(array.dtype.newbyteorder("="), copy=False)
        found: Array = self._session.run([self._session.get_outputs()[0].name], feed)[0]
        return found


class _BuiltIn:
    """What can be read from a graph: the epsilon, weight and bias of its normalization, and the axis that it begins with."""

    def __init__(self, graph: Any) -> None:
        import onnx

        self._array = onnx.numpy_helper.to_array
        self._constants = {one.name: one for one in graph.initializer}
        for node in graph.node:
            if node.op_type == "Constant":
                self._constants.update((node.output[0], one.t) for one in node.attribute if one.name == "value")
        self._makers = {name: node for node in graph.node for name in node.output}
        self.eps: float | None = None
        self.axis: int | None = None
        self.weight: tuple[float, ...] | None = None
        self.bias: tuple[float, ...] | None = None
        nodes = [node for node in graph.node if node.op_type == "LayerNormalization"]
        last = self._maker(graph.output[0].name)
        if len(nodes) == 1 and last is nodes[0]:
            self._of_node(nodes[0])
        elif not nodes:
            self._of_parts(graph, last)
        vectors = [name for name in self._constants if self._vector(name) is not None]
        words = ("eps", "weight", "bias") if vectors else ("eps",)  # without vectors there is no weight and no bias to read
        self.unread = [word for word in words if getattr(self, word) is None]

    def _of_node(self, node: Any) -> None:
        attributes = {one.name: one for one in node.attribute}
        self.eps = float(np.float32(attributes["epsilon"].f if "epsilon" in attributes else 1e-5))  # the attribute is a float32
        self.axis = attributes["axis"].i if "axis" in attributes else -1
        self.weight = self._vector(node.input[1])
        self.bias = self._vector(node.input[2]) if len(node.input) > 2 and node.input[2] else None
        if len(node.input) < 3 or not node.input[2]:
            self.bias = (0.0,) * len(self.weight) if self.weight else None

    def _of_parts(self, graph: Any, last: Any) -> None:
        """A normalization written out: the last addition and multiplication by constants, and what is added before the root."""
        for word, kind in (("bias", "Add"), ("weight", "Mul")):
            if last is None or last.op_type != kind:
                continue
            held = [(self._vector(one), other) for one, other in _both(last.input)]
            found = next(((vector, other) for vector, other in held if vector is not None), None)
            if found is not None:
                setattr(self, word, found[0])
                last = self._maker(found[1])
        for node in graph.node:
            if node.op_type in ("Sqrt", "Pow"):
                added = self._maker(node.input[0])
                if added is not None and added.op_type == "Add":
                    scalars = [self._scalar(name) for name in added.input]
                    self.eps = next((one for one in scalars if one is not None), self.eps)

    def _maker(self, name: str) -> Any:
        node = self._makers.get(name)
        while node is not None and node.op_type in _PASSING:
            node = self._makers.get(node.input[0])
        return node

    def _constant(self, name: str) -> Array | None:
        while name not in self._constants and name in self._makers and self._makers[name].op_type in _PASSING:
            name = self._makers[name].input[0]
        return self._array(self._constants[name]) if name in self._constants else None

    def _vector(self, name: str) -> tuple[float, ...] | None:
        array = self._constant(name)
        if array is None or array.ndim == 0 or array.size != max(array.shape):
            return None
        return tuple(float(one) for one in array.reshape(-1))

    def _scalar(self, name: str) -> float | None:
        array = self._constant(name)
        return None if array is None or array.size != 1 else float(str(array.reshape(-1)[0]))


def _both(pair: Any) -> Iterator[tuple[str, str]]:
    yield pair[0], pair[1]
    yield pair[1], pair[0]


def _plain(name: str) -> str:
    """An input's name as an identifier."""
    return re.sub(r"\W", "_", name) if name.isidentifier() or not name[:1].isdigit() else "_" + re.sub(r"\W", "_", name)


def _arguments(name: str, inputs: list[str], wanted: Wanted) -> Arguments:
    signature = Signature([Parameter(one, Parameter.POSITIONAL_OR_KEYWORD) for one in inputs])
    own = {word: _plain(one) if isinstance(one, str) else one for word, one in wanted.items()}
    found = arguments_of(name, signature, own)
    if not found.takes("x"):
        raise SubjectError(f"{name} has no input for x. Its inputs are {', '.join(inputs) or 'none'}")
    return found
