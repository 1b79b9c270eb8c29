"""`import lnsym`, help and completion load none of the heavy packages: tried in fresh processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import lnsym

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("sympy", "numpy", "jinja2", "mpmath")

# What was loaded is told at exit, since completion leaves by sys.exit.
REPORT = f"""
import atexit, os, sys
heavy = {HEAVY!r}
atexit.register(lambda: print("LOADED", *(name for name in heavy if name in sys.modules), file=sys.stderr))
"""
MAIN = "from lnsym.cli import main\nsys.exit(main({args!r}))"
COMPLETION = """
os.environ.update(_LNSYM_COMPLETE="bash_complete", COMP_WORDS={words!r}, COMP_CWORD={at!r})
from lnsym.cli import main
sys.exit(main([]))
"""


def run(code: str) -> tuple[str, list[str]]:
    """What a fresh process prints, and the heavy packages that it loaded."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", REPORT + code], capture_output=True, text=True, env=environment, timeout=120)
    line = next((line for line in done.stderr.splitlines() if line.startswith("LOADED")), None)
    assert line is not None, done.stderr
    return done.stdout, line.split()[1:]


def test_import_is_light() -> None:
    assert run("import lnsym; lnsym.LnsymError; dir(lnsym); lnsym.__version__") == ("", [])


@pytest.mark.parametrize(
    "args", [["--help"], ["--version"], *([verb, "--help"] for verb in ("check", "report", "emit", "audit", "explain"))]
)
def test_help_is_light(args: list[str]) -> None:
    out, loaded = run(MAIN.format(args=args))
    assert loaded == []
    assert out.startswith(("Usage: lnsym", "lnsym "))


@pytest.mark.parametrize(
    ("words", "at", "expected"), [("lnsym do", "1", "doctor"), ("lnsym report --not", "2", "--notation"), ("lnsym show ", "2", "")]
)
def test_completion_is_light(words: str, at: str, expected: str) -> None:
    out, loaded = run(COMPLETION.format(words=words, at=at))
    assert loaded == []
    assert expected in out


@pytest.mark.parametrize("name", HEAVY)
def test_a_heavy_import_is_seen(name: str) -> None:
    assert name in run(f"import lnsym, {name}")[1]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'chekc'; its public names are LnsymError, audit, check"):
        _ = getattr(lnsym, "chekc")  # noqa: B009 - a type checker knows that it is not there


def test_dir_and_all_agree() -> None:
    assert set(lnsym.__all__) <= set(dir(lnsym))
    assert list(lnsym.__all__) == sorted({*lnsym._HOME, *lnsym._MODULES})


def test_the_oracle_loads_numpy_only_when_it_is_called() -> None:
    assert run("import lnsym; print(lnsym.oracle.round_value(1, 2, 4, 'float32'))") == ("5.0\n", [])
    assert run("import lnsym; print(lnsym.oracle.normalize([[3.0]]).tolist())") == ("[[0.0]]\n", ["numpy"])


def test_public_names_are_not_hidden_by_submodules() -> None:
    """The import system sets a submodule as attribute of its package; a public name of the same spelling stays what it is."""
    shadow = "import types; lnsym.check = types.ModuleType('lnsym.check')\nprint('check' in vars(lnsym))\n"
    free = "lnsym.other = types.ModuleType('lnsym.other')\nprint('other' in vars(lnsym))"
    assert run("import lnsym\n" + shadow + free)[0].split() == ["False", "True"]
