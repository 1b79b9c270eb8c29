"""What optional tools are here: `lnsym doctor`. Looks packages up without importing them."""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

_PATIENCE = 20  # seconds that a tool gets to print its version


@dataclass(frozen=True, slots=True)
class Need:
    """A package or program, what it is for, and how to get it. `programs` are tried in turn; a package has none."""

    name: str
    purpose: str
    remedy: str
    programs: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one need; `version` is empty when the thing is absent or does not tell."""

    name: str
    found: bool
    version: str
    purpose: str
    remedy: str
    required: bool


NEEDS = (
    Need("sympy", "models, calculus, second opinion", "pip install sympy", required=True),
    Need("mpmath", "checks at 60 digits", "pip install mpmath", required=True),
    Need("jinja2", "templates of report and code", "pip install jinja2", required=True),
    Need("numpy", "oracle, audit, emitted code", "pip install 'numpy>=2'", required=True),
    Need("math-core", "formulas of the HTML report", "pip install math-core", required=True),
    Need("ziamath", "font of the HTML report", "pip install ziamath", required=True),
    Need("fonttools", "font of the HTML report", "pip install fonttools", required=True),
    Need("brotli", "font of the HTML report", "pip install brotli", required=True),
    Need("python-flint", "faster polynomials in SymPy", "pip install 'lnsym[flint]'"),
    Need("ml-dtypes", "the format bfloat16 in emitted code", "pip install ml-dtypes"),
    Need("torch", "audit of PyTorch layer norms", "pip install torch"),
    Need("jax", "audit of JAX layer norms", "pip install jax"),
    Need("flax", "audit of Flax layer norms", "pip install flax"),
    Need("onnx", "audit of ONNX files", "pip install onnx"),
    Need("onnxruntime", "audit of ONNX files", "pip install onnxruntime"),
    Need("node", "tests of emitted JavaScript", "apt install nodejs", ("node",)),
    Need("chromium", "browser tests of the page", "apt install chromium", ("chromium", "chromium-browser", "google-chrome")),
    Need("latexmk", "report as PDF", "apt install latexmk", ("latexmk",)),
    Need("pdflatex", "report as PDF", "apt install texlive-latex-recommended texlive-pictures lmodern", ("pdflatex",)),
)


def findings(needs: Iterable[Need] = NEEDS) -> tuple[Finding, ...]:
    """Python itself, then each need in the order given."""
    python = Finding("python", True, platform.python_version(), "runs lnsym", "install Python 3.11 or newer", True)
    return (python, *map(_look, needs))


def run(*, as_json: bool) -> int:
    """Print the table, or JSON; the exit code is 4 when something that lnsym cannot do without is absent."""
    import click

    found = findings()
    click.echo(_json(found) if as_json else _table(found))
    return 4 if any(item.required and not item.found for item in found) else 0


def _look(need: Need) -> Finding:
    found, text = _program(need.programs) if need.programs else _package(need.name)
    return Finding(need.name, found, text, need.purpose, need.remedy, need.required)


def _package(name: str) -> tuple[bool, str]:
    try:
        return True, version(name)
    except PackageNotFoundError:
        return False, ""


def _program(names: tuple[str, ...]) -> tuple[bool, str]:
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        return False, ""
    try:
        told = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=_PATIENCE, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return True, ""
    number = re.search(r"\d+(?:\.\d+)+\w*", told.stdout)
    return True, number[0] if number else ""


def _json(found: Iterable[Finding]) -> str:
    return json.dumps({"schema": "lnsym.doctor/1", "tools": [asdict(item) for item in found]}, indent=2)


def _table(found: tuple[Finding, ...]) -> str:
    rows = [("name", "", "version", "what for")]
    rows += [(item.name, "found" if item.found else "absent", item.version or "-", item.purpose) for item in found]
    absent = [(f"  {item.name}", item.remedy) for item in found if not item.found]
    return "\n".join([*_columns(rows), *(["", "How to get what is absent:", *_columns(absent)] if absent else []), "", "Next: lnsym prove"])


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
