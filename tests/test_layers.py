"""Imports run one way, the kernel stays small and pure: read off the syntax trees, nothing is imported."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# From the ground up. A module may import from its own part and from lower layers, the rows above its own; not from its neighbours.
# A part is a module or a package; the longest name that fits decides.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("lnsym.errors",),
    ("lnsym.kernel",),
    ("lnsym.surd", "lnsym.tokens", "lnsym.cone", "lnsym.scribe"),
    ("lnsym.evaluate",),
    ("lnsym.points",),
    ("lnsym.refute", "lnsym.lang"),
    ("lnsym.derivations.definitions",),
    ("lnsym.derivation", "lnsym.statement", "lnsym.certify", "lnsym.consequences"),
    ("lnsym.derivations",),
    ("lnsym.library",),
    ("lnsym.model", "lnsym.notation", "lnsym.oracle"),
    ("lnsym.decide", "lnsym.view"),
    ("lnsym.certificate", "lnsym.coverage", "lnsym.emit"),
    ("lnsym.audit",),
    ("lnsym.report", "lnsym.lesson"),
    ("lnsym.doctor",),
    ("lnsym.cli", "lnsym.commands", "lnsym.__main__"),
)
TOP = set(LAYERS[-1])  # these may import each other, and the public names of lnsym
ONLY = {  # narrower than the layers: the refuter shares only the terms with the kernel
    "lnsym.surd": {"lnsym.errors"},
    "lnsym.tokens": {"lnsym.errors"},
    "lnsym.evaluate": {"lnsym.errors", "lnsym.kernel.terms", "lnsym.surd"},
    "lnsym.points": {"lnsym.errors", "lnsym.kernel.terms", "lnsym.surd", "lnsym.evaluate"},
    "lnsym.refute": {"lnsym.errors", "lnsym.kernel.terms", "lnsym.surd", "lnsym.evaluate", "lnsym.points", "lnsym.refute"},
    "lnsym.lang": {"lnsym.errors", "lnsym.kernel.terms"},
}
UPWARD = {  # the only imports against the stream, each inside a function and with its reason
    ("lnsym.derivation", "lnsym.model"): "theorem.sympy() hands out SymPy objects; nothing of lnsym.derivation depends on them",
}
STANDARD_LIBRARY_ONLY = {part for row in LAYERS[: LAYERS.index(("lnsym.library",)) + 1] for part in row}

KERNEL_BUDGET = 900
KERNEL_BANNED_IMPORTS = {"time", "datetime", "random", "threading", "signal"}
KERNEL_BANNED_CALLS = {"print", "input", "open", "eval", "exec", "float", "complex", "cache", "lru_cache", "cached_property"}


# ---------------------------------------------------------------- reading


def sources() -> dict[str, Path]:
    """Every module of the project by its name at run time."""
    book, package = ROOT / "derivations", ROOT / "lnsym"
    found = {_name(path, package, "lnsym"): path for path in package.rglob("*.py") if path.parent != package / "derivations"}
    return found | {_name(path, book, "lnsym.derivations"): path for path in book.rglob("*.py")}


def _name(path: Path, folder: Path, package: str) -> str:
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join((package, *(part for part in parts if part != "__init__")))


def imports(tree: ast.Module, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """Line and full name of everything imported, wherever in the file; imports for type checkers alone do not count."""
    nodes: list[ast.AST] = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            nodes.extend(node.orelse)
            continue
        nodes.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.split(".")[: len(module.split(".")) - node.level + is_package] if node.level else []
            origin = ".".join(filter(None, (*base, node.module)))
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def part_of(name: str) -> str | None:
    """The part of the table to which a full name belongs."""
    fitting = [part for row in LAYERS for part in row if name == part or name.startswith(part + ".")]
    return max(fitting, key=len, default=None)


def complaints(source: str, module: str, is_package: bool = False) -> list[str]:
    """What a module imports against the table."""
    own = part_of(module)
    if own is None:
        return [f"{module} is in no layer: add it to LAYERS in {Path(__file__).name}"]
    level = {part: row for row, parts in enumerate(LAYERS) for part in parts}
    found = []
    for line, name in imports(ast.parse(source), module, is_package):
        top = name.split(".")[0]
        if top != "lnsym":
            if own in STANDARD_LIBRARY_ONLY and top not in sys.stdlib_module_names:
                found.append(f"{module}:{line} imports {name}; {own} may import the standard library only")
            continue
        target = part_of(name)
        if target is None:
            if own not in TOP:
                found.append(f"{module}:{line} imports {name}; name the module that it comes from")
        elif own in ONLY and not any(name == allowed or name.startswith(allowed + ".") for allowed in ONLY[own]):
            found.append(f"{module}:{line} imports {name}; {own} may import {', '.join(sorted(ONLY[own]))} only")
        elif target != own and level[target] >= level[own] and not {own, target} <= TOP and (own, target) not in UPWARD:
            found.append(f"{module}:{line} imports {name}; {own} stands below {target} or beside it")
    return found


def impurities(source: str) -> list[str]:
    """What the kernel may not do: floats, clocks, chance, caches, input and output."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, (float, complex)):
            found.append(f"line {node.lineno}: the number {node.value}")
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            found += [f"line {node.lineno}: imports {name}" for name in names if name.split(".")[0] in KERNEL_BANNED_IMPORTS]
        called = node.func if isinstance(node, ast.Call) else None
        decorators = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []
        for used in [called, *decorators]:
            name = used.id if isinstance(used, ast.Name) else used.attr if isinstance(used, ast.Attribute) else ""
            if name in KERNEL_BANNED_CALLS:
                found.append(f"line {getattr(used, 'lineno', 0)}: uses {name}")
    return found


def code_lines(source: str) -> int:
    """Lines that are neither empty nor comments nor docstrings."""
    documented: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node, clean=False) is not None:
            documented.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return sum(
        1 for n, line in enumerate(source.split("\n"), 1) if line.strip() and not line.strip().startswith("#") and n not in documented
    )


# ---------------------------------------------------------------- the tests


def test_imports_run_one_way() -> None:
    found = []
    for module, path in sorted(sources().items()):
        if module != "lnsym":  # the facade: its names are loaded lazily, see test_imports.py
            found += complaints(path.read_text(encoding="utf-8"), module, path.name == "__init__.py")
    assert not found, "\n".join(found)


def test_the_table_names_what_there_is() -> None:
    modules = set(sources())
    assert [part for row in LAYERS for part in row if part not in modules] == []


def test_all_modules_are_seen() -> None:
    assert {"lnsym.errors", "lnsym.kernel.terms", "lnsym.derivations.definitions", "lnsym.cli"} <= set(sources())


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("lnsym.kernel.extra", "import sympy"),
        ("lnsym.kernel.extra", "def late():\n    from sympy import Symbol"),
        ("lnsym.kernel.extra", "from lnsym.lang import mean"),
        ("lnsym.kernel.extra", "from lnsym import lang"),
        ("lnsym.kernel.extra", "from ..lang import mean"),
        ("lnsym.refute", "from lnsym.kernel.normal import normal"),
        ("lnsym.lang", "import lnsym.refute"),
        ("lnsym.library", "import numpy as np"),
        ("lnsym.library", "from lnsym import theorem"),
        ("lnsym.view.page", "from lnsym.report import pages"),
        ("lnsym.report.html", "from lnsym import lesson"),
        ("lnsym.derivations.chapter.some_theorem", "from lnsym.library import theorem"),
        ("lnsym.unknown", ""),
    ],
)
def test_a_forbidden_import_is_caught(module: str, source: str) -> None:
    assert len(complaints(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("lnsym.kernel.extra", "import math\nfrom fractions import Fraction\nfrom lnsym.errors import TermError\nfrom .terms import Num"),
        ("lnsym.kernel.extra", "if TYPE_CHECKING:\n    from lnsym.lang import mean"),
        ("lnsym.derivations.chapter.some_theorem", "from ..definitions import z\nfrom lnsym.derivation import Derivation"),
        ("lnsym.model", "import sympy\nfrom lnsym.kernel.terms import Sym"),
        ("lnsym.commands.show", "import lnsym\nfrom lnsym import cli"),
    ],
)
def test_an_allowed_import_is_let_through(module: str, source: str) -> None:
    assert complaints(source, module) == []


def kernel_sources() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "lnsym" / "kernel").glob("*.py"))}


def test_the_kernel_is_pure() -> None:
    found = {name: impurities(source) for name, source in kernel_sources().items()}
    assert not any(found.values()), found


@pytest.mark.parametrize(
    "source",
    ["x = 0.5", "x = 1j", "import time", "from time import sleep", "print(1)", "x = float(1)", "@cache\ndef f(): pass",
     "@functools.lru_cache\ndef f(): pass", "open('x')", "builtins.print(1)"],
)  # fmt: skip
def test_an_impurity_is_caught(source: str) -> None:
    assert len(impurities(source)) == 1


def test_the_kernel_is_small() -> None:
    lines = {name: code_lines(source) for name, source in kernel_sources().items()}
    assert sum(lines.values()) <= KERNEL_BUDGET, f"{lines}: more than {KERNEL_BUDGET} lines of code in what must be trusted"


def test_code_lines_leave_docstrings_and_comments_out() -> None:
    docstring, function = '"""A module.\n\nTwo lines.\n"""\n\n', 'def f():\n    """None."""\n    return """\n    text"""\n'
    assert code_lines(docstring + "x = 1  # one\n# none\n" + function) == 4
