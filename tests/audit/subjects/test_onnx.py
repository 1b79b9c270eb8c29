"""ONNX files: inputs by name, and what is built into the graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lnsym.audit import reference
from lnsym.audit.call import Call
from lnsym.errors import LnsymError, MissingTool
from tests.audit.subjects.conftest import Open, rows

pytestmark = pytest.mark.onnx

WEIGHT, BIAS = np.array([1, 2, -1, 0.5]), np.array([0, 0.25, 0.5, -3])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the models lie."""
    monkeypatch.chdir(tmp_path)


def save(nodes: list[Any], inputs: dict[str, list[Any]], outputs: list[str], held: dict[str, Any], kind: str = "FLOAT") -> None:
    """Write model.onnx."""
    import onnx

    number = getattr(onnx.TensorProto, kind)
    held = {name: onnx.numpy_helper.from_array(np.asarray(one), name) for name, one in held.items()}
    graph = onnx.helper.make_graph(
        nodes,
        "norm",
        [onnx.helper.make_tensor_value_info(name, number, shape) for name, shape in inputs.items()],
        [onnx.helper.make_tensor_value_info(name, number, None) for name in outputs],
        list(held.values()),
    )
    onnx.save(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=9), "model.onnx")


def node(kind: str, inputs: str, output: str, **attributes: Any) -> Any:
    import onnx

    return onnx.helper.make_node(kind, inputs.split(), output.split(), **attributes)


def written_out(kind: type) -> tuple[list[Any], dict[str, Any]]:
    """A normalization made of single operations."""
    nodes = [
        node("ReduceMean", "x", "m", axes=[-1]),
        node("Sub", "x m", "v"),
        node("Pow", "v two", "squares"),
        node("ReduceMean", "squares", "q", axes=[-1]),
        node("Add", "q small", "sum"),
        node("Sqrt", "sum", "s"),
        node("Div", "v s", "u"),
        node("Mul", "u w", "uw"),
        node("Add", "b uw", "y"),
    ]
    return nodes, {"two": kind(2), "small": kind(0.01), "w": WEIGHT.astype(kind), "b": BIAS.astype(kind)}


def test_inputs_are_known_by_name(opened: Open) -> None:
    dims = {"X": [None, None], "Scale": [None], "B": [None]}
    save([node("LayerNormalization", "X Scale B", "Y", epsilon=1e-3)], dims, ["Y"], {})
    session = opened("model.onnx")
    about = session.about
    assert (about.framework, about.takes, about.formats) == ("onnx", frozenset({"weight", "bias"}), ("float32",))
    assert (about.width, about.rank, about.eps) == (None, 2, float(np.float32(1e-3)))
    for d in (4, 7):
        x, w, b = (one.astype(np.float32) for one in (rows(3, d), rows(d), rows(d, seed=1)))
        call = Call(x, w, b, 1e-3)
        assert np.abs(session.forward(call) - reference.output(call)).max() < 2e-6
        assert np.abs(session.forward(call.but(weight=None, bias=None)) - reference.output(Call(x, eps=1e-3))).max() < 2e-6


def test_a_fixed_batch_is_filled_and_the_constants_are_read(opened: Open) -> None:
    held = {"W": WEIGHT.astype(np.float32), "B": BIAS.astype(np.float32)}
    save([node("LayerNormalization", "onnx::x.1 W B", "Y M R")], {"onnx::x.1": [2, 3, 4]}, ["Y", "M", "R"], held)
    session = opened("model.onnx")
    about = session.about
    assert (about.takes, about.width, about.rank, about.eps) == (frozenset(), 4, None, float(np.float32(1e-5)))
    assert (about.weight, about.bias) == (tuple(WEIGHT), tuple(BIAS))
    assert about.arguments == (("x", "onnx::x.1"),)
    assert any("fixed shape (2, 3, 4)" in note for note in about.notes)
    assert "it returns 3 results; the first is audited" in about.notes
    for shape in ((2, 3, 4), (4,), (7, 4), (2, 2, 2, 4), (0, 4)):
        call = Call(rows(*shape).astype(np.float32), WEIGHT, BIAS)
        y = session.forward(call)
        assert y.dtype == np.float32
        assert np.abs(y - reference.output(call)).max(initial=0) < 2e-6


@pytest.mark.parametrize(("kind", "name", "bound"), [(np.float64, "DOUBLE", 1e-14), (np.float32, "FLOAT", 4e-6)])
def test_a_normalization_written_out(opened: Open, kind: type, name: str, bound: float) -> None:
    nodes, held = written_out(kind)
    save(nodes, {"x": ["n", "d"]}, ["y"], held, name)
    about = opened("model.onnx").about
    assert (about.eps, about.weight, about.bias, about.width) == (0.01, tuple(WEIGHT), tuple(BIAS), 4)
    assert about.formats == (np.dtype(kind).name,)
    call = Call(rows(3, 4).astype(kind), WEIGHT, BIAS, 0.01)
    assert np.abs(opened("model.onnx").forward(call) - reference.output(call)).max() < bound


def test_what_cannot_be_read_is_said(opened: Open) -> None:
    nodes, held = written_out(np.float32)
    save([*nodes, node("Neg", "y", "z")], {"x": ["n", 4]}, ["z"], held)
    about = opened("model.onnx", eps=0.5).about
    assert about.weight is about.bias is None
    assert {"its weight could not be read from the graph", "its bias could not be read from the graph"} <= set(about.notes)


def test_inputs_that_cannot_be_told_apart(opened: Open) -> None:
    save([node("LayerNormalization", "h a c", "Y")], {"h": [None, None], "a": [None], "c": [None]}, ["Y"], {})
    with pytest.raises(LnsymError, match=r"model.onnx: cannot tell a, c apart. Say: `--map x=h,weight=a,bias=c`"):
        opened("model.onnx")
    assert opened("model.onnx", mapping="x=h,weight=a,bias=c").about.takes == {"weight", "bias"}
    assert opened("model.onnx", mapping="weight=1,bias=2").about.takes == {"weight", "bias"}


def test_a_file_that_is_no_model(opened: Open) -> None:
    Path("model.onnx").write_bytes(b"hello")
    with pytest.raises(LnsymError, match=r"model.onnx cannot be loaded: ") as error:
        opened("model.onnx")
    assert error.value.exit_code == 2
    assert not isinstance(error.value, MissingTool)


def test_a_type_that_cannot_be_audited(opened: Open) -> None:
    save([node("Identity", "x", "y")], {"x": [None, 4]}, ["y"], {}, "INT64")
    with pytest.raises(LnsymError, match=r"model.onnx takes INT64 for x"):
        opened("model.onnx")
