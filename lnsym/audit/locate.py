"""From what the user names to an object: FILE.py:name, package.module:name, FILE.onnx. Imports the subjects' errors."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, TracebackType

from lnsym.audit.subject import SubjectError
from lnsym.errors import MissingTool

# What layer norms are written with, under the names by which pip knows it.
_KNOWN = "cupy einops equinox flax jax keras ml_dtypes mlx numba numpy onnx onnxruntime scipy sympy tensorflow torch transformers triton"
PACKAGES = frozenset(_KNOWN.split())
_PRIVATE = "_lnsym_subject_"  # a file's module may not take the place of a module that others import


@dataclass(frozen=True)
class Spec:
    """A subject's place: a file, or a module, and the name in it."""

    text: str  # as the user gave it
    place: str  # the text without the name
    file: Path | None
    name: str  # with dots for attributes; empty for an ONNX file

    @property
    def is_onnx(self) -> bool:
        """Whether it is a file that ONNX Runtime reads."""
        return self.file is not None and self.file.suffix == ".onnx"


def read(text: str) -> Spec:
    """Read a spec and look at its file, which is not run; what cannot be right is a SubjectError that says what to do."""
    drive = re.match(r"[A-Za-z]:[\\/]", text)  # of Windows: its colon does not end the file
    start = drive.end() if drive else 0
    place, _, name = (part.strip() for part in text[start:].partition(":"))
    place = text[:start] + place
    if not place:
        raise SubjectError("Nothing to audit. Give a file and its function: `lnsym audit mynorm.py:layer_norm`")
    path = Path(place).expanduser()
    if path.suffix not in (".py", ".onnx") and not path.exists():
        if all(part.isidentifier() for part in place.split(".")):
            if not name:
                raise SubjectError(_which_of_module(place))
            return Spec(text, place, None, _checked(text, name))
        raise SubjectError(f"No file {place}, and no module can be called so. Give FILE.py:NAME, package.module:NAME or FILE.onnx")
    if not path.exists():
        raise SubjectError(f"No file {place}.{_near(path)}")
    if path.is_dir():
        raise SubjectError(f"{place} is a folder. Give a file in it: `lnsym audit {Path(place) / 'FILE.py'}:NAME`{_inside(path)}")
    if path.suffix == ".onnx":
        if name:
            raise SubjectError(f"{place} is audited as a whole: leave :{name} away")
        return Spec(text, place, path, "")
    if path.suffix == ".ipynb":
        raise SubjectError(f"{place} is a notebook. Call lnsym.audit(layer_norm) in it, or save the function in a file: FILE.py:NAME")
    if path.suffix != ".py":
        raise SubjectError(f"{place} is neither a Python file (.py) nor an ONNX file (.onnx)")
    defined = definitions(path, place)
    if not name:
        if not defined:
            raise SubjectError(f"{place} defines no function and no class that could be audited")
        raise SubjectError(f"Which function? {place} defines {_listed(defined)}. Try `lnsym audit {place}:{defined[0]}`")
    return Spec(text, place, path, _checked(text, name))


def load(spec: Spec) -> object:
    """Import the file or module and take the object out of it; what goes wrong there is a SubjectError or a MissingTool."""
    module = _run(spec) if spec.file is not None else _import(spec)
    found: object = module
    so_far = spec.place
    for part in spec.name.split("."):
        if not hasattr(found, part):
            raise SubjectError(_no_such(so_far, part, found, spec))
        found = getattr(found, part)
        so_far = f"{so_far}.{part}" if ":" in so_far else f"{so_far}:{part}"
    if not callable(found) and not hasattr(found, "forward"):
        own = _own(module, spec)
        hint = f" {spec.place} defines {_listed(own)}" if own else ""
        raise SubjectError(f"{spec.text} is of type {type(found).__name__}, not a function.{hint}")
    return found


def definitions(path: Path, shown: str) -> list[str]:
    """The public functions and classes that a file defines at its top level, read without running it."""
    try:
        tree = ast.parse(path.read_bytes(), filename=shown)
    except SyntaxError as error:
        line = f"line {error.lineno}: " if error.lineno else ""
        raise SubjectError(f"{shown} does not parse: {line}{error.msg}") from None
    except ValueError as error:  # null bytes
        raise SubjectError(f"{shown} does not parse: {error}") from None
    except OSError as error:
        raise SubjectError(f"{shown} cannot be read: {error.strerror}") from None
    return list(dict.fromkeys(name for name in _names(tree.body) if not name.startswith("_")))


def missing(package: str, who: str) -> MissingTool:
    """The error for a subject whose package is not installed."""
    advice = f"`pip install {package}`" if package in PACKAGES else "Install it into this Python, or put it beside the file"
    return MissingTool(f"{who} needs {package}, missing from this Python. Nothing was audited. {advice}")


# ---------------------------------------------------------------- importing


def _run(spec: Spec) -> ModuleType:
    assert spec.file is not None
    path = spec.file.resolve()
    name = _PRIVATE + path.stem
    made = spec_from_file_location(name, path)
    assert made is not None
    assert made.loader is not None
    module = module_from_spec(made)
    sys.path.insert(0, str(path.parent))
    sys.modules[name] = module  # dataclasses and pickle look a class's module up
    try:
        made.loader.exec_module(module)
    except BaseException as error:  # noqa: BLE001 a file may do anything when it is run
        sys.modules.pop(name, None)
        raise _translated(error, spec.place, str(path)) from None
    return module


def _import(spec: Spec) -> ModuleType:
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        return import_module(spec.place)
    except ModuleNotFoundError as error:
        absent = error.name or ""
        if spec.place == absent or spec.place.startswith(absent + "."):
            top = absent.split(".")[0]
            if top == absent and top in PACKAGES:
                raise missing(top, spec.text) from None
            file = Path(*absent.split(".")).with_suffix(".py")
            hint = f" There is a file {file}: `lnsym audit {file}:{spec.name}`" if file.exists() else ""
            raise SubjectError(f"No module {absent}, looked for from here and in this Python.{hint}") from None
        raise _translated(error, spec.place, None) from None
    except BaseException as error:  # noqa: BLE001 a module may do anything when it is run
        raise _translated(error, spec.place, None) from None


def _translated(error: BaseException, shown: str, path: str | None) -> SubjectError | MissingTool:
    """What an exception at import means for the user."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    if isinstance(error, ModuleNotFoundError) and error.name and "." not in error.name and error.name not in sys.stdlib_module_names:
        return missing(error.name, shown)
    line = _line(error.__traceback__, path)
    at = f" at line {line}" if line else ""
    if isinstance(error, SystemExit):
        return SubjectError(f'{shown} ends the program when it is imported{at}. Put that under `if __name__ == "__main__":`')
    if isinstance(error, SyntaxError):  # of a neighbour
        return SubjectError(f"{shown} imports {error.filename}, which does not parse: line {error.lineno}: {error.msg}")
    text = " ".join(str(error).split())
    return SubjectError(f"{shown} cannot be imported{at}: {type(error).__name__}{f': {text}' if text else ''}")


def _line(traceback: TracebackType | None, path: str | None) -> int | None:
    """The last line of the file itself that a traceback passes through."""
    found = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            found = traceback.tb_lineno
        traceback = traceback.tb_next
    return found


# ---------------------------------------------------------------- names


def _which_of_module(place: str) -> str:
    """What to say where a module is named without a function. Nothing is imported to find out."""
    first, *rest = place.split(".")
    file = Path(*place.split(".")).with_suffix(".py")
    if file.is_file():
        defined = definitions(file, str(file))
        hint = f" {file} defines {_listed(defined)}. Try `lnsym audit {file}:{defined[0]}`" if defined else ""
        return f"Which function?{hint or f' {file} defines none'}"
    if Path(first).with_suffix(".py").is_file():
        return f"A colon stands between module and function: `lnsym audit {first}.py:{'.'.join(rest)}`"
    if first not in sys.modules and find_spec(first) is None:
        return f"No file and no module {place}. Give FILE.py:NAME, package.module:NAME or FILE.onnx"
    return f"Which function? Try `lnsym audit {place}:NAME`, NAME being a function or class of the module {place}"


def _checked(text: str, name: str) -> str:
    if name.startswith(":"):
        raise SubjectError(f"{text} has two colons. Give FILE.py:NAME, with one: `lnsym audit {text.replace('::', ':')}`")
    if not all(part.isidentifier() for part in name.split(".")):
        raise SubjectError(f'{text}: "{name}" is not a name. Give FILE.py:NAME, with dots for attributes')
    return name


def _names(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from _names(node.body)
            yield from _names(getattr(node, "orelse", []))
            for handler in getattr(node, "handlers", ()):
                yield from _names(handler.body)


def _own(module: ModuleType, spec: Spec) -> list[str]:
    if spec.file is not None:
        return definitions(spec.file, spec.place)
    public = [name for name in sorted(vars(module)) if not name.startswith("_")]
    return [name for name in public if getattr(getattr(module, name), "__module__", None) == module.__name__]


def _no_such(so_far: str, part: str, found: object, spec: Spec) -> str:
    own = _own(found, spec) if isinstance(found, ModuleType) else [name for name in dir(found) if not name.startswith("_")]
    callables = [name for name in dir(found) if name not in own and callable(getattr(found, name, None))]
    close = get_close_matches(part, own, 1) or get_close_matches(part, callables, 1)
    hint = f'Did you mean "{close[0]}"?' if close else f"It defines {_listed(own)}" if own else "It defines nothing that could be audited"
    return f'{so_far} has no "{part}". {hint}'


def _listed(names: list[str]) -> str:
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def _near(path: Path) -> str:
    folder = path.parent
    there = {one.stem: one for one in folder.iterdir() if one.suffix == path.suffix} if folder.is_dir() else {}
    close = get_close_matches(path.stem, there, 1)
    return f" Did you mean {there[close[0]]}?" if close else ""


def _inside(folder: Path) -> str:
    there = sorted(one.name for one in folder.iterdir() if one.suffix in (".py", ".onnx"))
    return f". It holds {_listed(there)}" if there else ""
