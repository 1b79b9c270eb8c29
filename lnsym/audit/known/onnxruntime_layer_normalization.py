"""ONNX Runtime: a file with one LayerNormalization node, run on the CPU. Imports onnx when the file is made."""

from pathlib import Path

from lnsym.audit.known.record import Known

EPS = 2.0**-9  # a file holds epsilon as a float32: this one is the same number in every format, and in decimals


def model(folder: Path, fmt: str) -> str:
    """Write the file for one format; x has any number of rows and any width."""
    import onnx
    from onnx import TensorProto, helper

    kind = {"float64": TensorProto.DOUBLE, "float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}[fmt]
    inputs = [helper.make_tensor_value_info("x", kind, ["n", "d"])]
    inputs += [helper.make_tensor_value_info(name, kind, ["d"]) for name in ("weight", "bias")]
    node = helper.make_node("LayerNormalization", ["x", "weight", "bias"], ["y"], axis=-1, epsilon=EPS)
    graph = helper.make_graph([node], "layer_norm", inputs, [helper.make_tensor_value_info("y", kind, ["n", "d"])])
    path = folder / f"layer_norm_{fmt}.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return str(path)


KNOWN = Known(
    "ONNX Runtime", "The operator LayerNormalization of ONNX Runtime on the CPU, with eps = 2^-9.", ("onnxruntime", "onnx"), "onnx", model
)
