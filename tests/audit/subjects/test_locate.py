"""From a spec to an object, and what is said of a spec that names none."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from lnsym.audit.locate import Spec, load, read
from lnsym.audit.subject import SubjectError
from lnsym.errors import LnsymError, MissingTool

SOURCE = """
import numpy as np
from helper import EPS

if EPS:
    def rms_norm(x):
        return x

def layer_norm(x, eps=EPS):
    return x

class Norm:
    made = 3

    def __call__(self, x):
        return x

    @staticmethod
    def forward(x):
        return x

def _hidden(x):
    return x
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file and its neighbour, to which we go."""
    (tmp_path / "mynorm.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "helper.py").write_text("EPS = 1e-5\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "helper", raising=False)
    return tmp_path


def test_a_file_is_loaded_under_a_private_name_and_finds_its_neighbours() -> None:
    found = load(read("mynorm.py:layer_norm"))
    assert callable(found)
    assert found.__module__ == "_lnsym_subject_mynorm"
    assert "mynorm" not in sys.modules


def test_attributes_and_modules() -> None:
    assert load(read("mynorm.py:Norm.forward")).__qualname__ == "Norm.forward"  # type: ignore[attr-defined]
    assert load(read("math:sqrt")) is math.sqrt


def test_a_package_of_this_folder_is_found(folder: Path) -> None:
    (folder / "here").mkdir()
    (folder / "here" / "norm.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    assert load(read("here.norm:f")).__name__ == "f"  # type: ignore[attr-defined]


def test_an_onnx_file_needs_no_name(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"")
    spec = read("model.onnx")
    assert spec == Spec("model.onnx", "model.onnx", Path("model.onnx"), "")
    assert spec.is_onnx


FILES = {
    "text.txt": "hello",
    "empty.py": "EPS = 1\n",
    "broken.py": "def f(x):\n    return (x\n",
    "raises.py": "import numpy as np\n\ndef f(x):\n    return x\n\nEPS = 1 / 0\n",
    "exits.py": "import sys\ndef f(x):\n    return x\nsys.exit(0)\n",
    "tensors.py": "import a_package_that_is_absent\ndef f(x):\n    return x\n",
    "uses.py": "import broken\ndef f(x):\n    return x\n",
    "many.py": "".join(f"def f{k}(x):\n    return x\n" for k in range(15)),
}
SAID = [
    ("", "Nothing to audit. Give a file and its function: `lnsym audit mynorm.py:layer_norm`"),
    (":layer_norm", "Nothing to audit."),
    ("mynorm.py", "Which function? mynorm.py defines rms_norm, layer_norm, Norm. Try `lnsym audit mynorm.py:rms_norm`"),
    ("mynorm.py:", "Which function? mynorm.py defines"),
    ("many.py", "f10, f11 and 3 more. Try `lnsym audit many.py:f0`"),
    ("mynorm.py:layernorm", 'mynorm.py has no "layernorm". Did you mean "layer_norm"?'),
    ("mynorm.py:qqq", 'mynorm.py has no "qqq". It defines rms_norm, layer_norm, Norm'),
    ("mynorm.py:Norm.forwards", 'mynorm.py:Norm has no "forwards". Did you mean "forward"?'),
    ("mynorm.py:Norm.made", "mynorm.py:Norm.made is of type int, not a function. mynorm.py defines rms_norm"),
    ("mynorm.py:EPS", "mynorm.py:EPS is of type float, not a function."),
    ("mynorm.py:layer norm", 'mynorm.py:layer norm: "layer norm" is not a name.'),
    ("mynrom.py:layer_norm", "No file mynrom.py. Did you mean mynorm.py?"),
    ("nowhere/mynorm.py:f", "No file nowhere/mynorm.py."),
    (".", "is a folder. Give a file in it"),
    ("text.txt:f", "text.txt is neither a Python file (.py) nor an ONNX file (.onnx)"),
    ("some-where", "No file some-where, and no module can be called so."),
    ("empty.py", "empty.py defines no function and no class that could be audited"),
    ("empty.py:f", 'empty.py has no "f". It defines nothing that could be audited'),
    ("broken.py:f", "broken.py does not parse: line 2: '(' was never closed"),
    ("raises.py:f", "raises.py cannot be imported at line 6: ZeroDivisionError: division by zero"),
    ("exits.py:f", 'exits.py ends the program when it is imported at line 4. Put that under `if __name__ == "__main__":`'),
    ("uses.py:f", "which does not parse: line 2"),
    ("numpy", "Which function? Try `lnsym audit numpy:NAME`"),
    ("no_such_module.norm:f", "No module no_such_module, looked for from here and in this Python."),
    ("mynorm:layer_nrm", 'mynorm has no "layer_nrm". Did you mean "layer_norm"?'),
]


@pytest.mark.parametrize(("spec", "message"), SAID)
def test_a_spec_that_names_nothing_says_what_to_do(folder: Path, spec: str, message: str) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    sys.modules.pop("broken", None)
    with pytest.raises(SubjectError) as error:
        load(read(spec))
    assert message in str(error.value)
    assert error.value.exit_code == 2


@pytest.mark.parametrize("package", ["a_package_that_is_absent", "equinox"])
def test_a_package_that_is_missing_is_named(folder: Path, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # absent, whatever is installed
    (folder / "tensors.py").write_text(f"import {package}\ndef f(x):\n    return x\n", encoding="utf-8")
    with pytest.raises(MissingTool) as error:
        load(read("tensors.py:f"))
    assert str(error.value).startswith(f"tensors.py needs {package}, missing from this Python. Nothing was audited. ")
    assert ("`pip install equinox`" in str(error.value)) == (package == "equinox")
    assert error.value.exit_code == 4


def test_the_file_is_not_run_where_its_text_says_enough(folder: Path) -> None:
    (folder / "marks.py").write_text("from pathlib import Path\nPath('ran').touch()\ndef f(x):\n    return x\n", encoding="utf-8")
    with pytest.raises(LnsymError):
        read("marks.py")
    assert not (folder / "ran").exists()
    load(read("marks.py:f"))
    assert (folder / "ran").exists()
