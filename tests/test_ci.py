"""The set-up that everybody relies on: lock, Makefile, CI script, the rule against skipping, and no trace of a machine."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def normal(name: str) -> str:
    """The name of a package as an index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked() -> dict[str, str]:
    """Package and version of each line of the lock; every line must be of the plain form."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    found = {}
    for line in lines:
        if not line.startswith("#"):
            match = re.fullmatch(r"([\w.-]+)==([\w.]+)( ; sys_platform == \"win32\")?", line)
            assert match, f"requirements.lock: expected name==version, got {line}"
            found[normal(match[1])] = match[2]
    return found


# ---------------------------------------------------------------- lock, Makefile, CI script


def test_the_lock_covers_what_is_declared() -> None:
    groups = PROJECT["dependency-groups"]
    declared = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    declared += [*groups["test"], *groups["lint"], *groups["build"]]
    names = {normal(re.split(r"[<>=!~ ;\[]", requirement)[0]) for requirement in declared}
    assert names <= set(locked()) - {"pip"}


def test_a_source_archive_has_what_its_scripts_need() -> None:
    packed = set(PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"])
    scripts = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", ".ci/run"))
    assert {"Makefile", ".ci", "reports", "tests", *re.findall(r"requirements[\w-]*\.lock", scripts)} <= packed


def test_the_markers_are_those_of_conftest() -> None:
    declared = {line.split(":")[0] for line in PROJECT["tool"]["pytest"]["ini_options"]["markers"]}
    assert declared == {"full", "many(k)", "xdist_group(name)", "chromium", "latex", "node", "torch", "jax", "onnx", "notebook"}


def make(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", "-C", str(ROOT), *args], text=True, capture_output=True, timeout=60)


def program(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_make_refuses_an_old_python(tmp_path: Path) -> None:
    old = program(tmp_path / "old-python", "#!/bin/sh\nexit 1\n")
    done = make("report", f"PYTHON={old}", f"VENV={tmp_path}/venv")
    assert done.returncode == 2
    assert f"lnsym needs Python 3.11 or newer, and '{old}' is not: install one and run make PYTHON=" in done.stderr


def test_make_refuses_a_python_without_venv(tmp_path: Path) -> None:
    bare = program(tmp_path / "bare-python", '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac\n')
    done = make("test", f"PYTHON={bare}", f"VENV={tmp_path}/venv")
    assert done.returncode == 2
    assert "cannot make virtual environments: install its venv package" in done.stderr


def test_make_sets_up_once(tmp_path: Path) -> None:
    ready = tmp_path / "venv" / ".installed"
    assert "pip install" in make("--dry-run", "test", f"VENV={tmp_path}/venv").stdout
    ready.parent.mkdir()
    ready.touch()
    later = max((ROOT / name).stat().st_mtime for name in ("requirements.lock", "pyproject.toml")) + 10
    os.utime(ready, (later, later))
    planned = make("--dry-run", "test", "FULL=1", f"VENV={tmp_path}/venv").stdout
    assert "pip install" not in planned
    assert f"FULL=1 {tmp_path}/venv/bin/python -m pytest" in planned


def test_the_ci_script_is_sound() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", str(script)]).returncode == 0
    lines = [line.strip() for line in script.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert lines[0] == "set -euo pipefail"
    compared = "changed=$(git status --porcelain -- reports)"
    steps = ["make check", "make report", compared, 'PYTEST_ADDOPTS="--durations=10" make test FULL=1']
    assert [line for line in lines if line in steps] == steps
    assert lines[-1] == steps[-1], "pytest's summary closes the run"


# ---------------------------------------------------------------- skipping

MARKED = """
import pytest

@pytest.mark.chromium
def test_page():
    pytest.skip("no browser today")

@pytest.mark.full
def test_long():
    assert True

def test_other():
    pytest.skip("not on this system")
"""


@pytest.mark.parametrize(
    ("environment", "outcome"),
    [
        ({}, "3 skipped"),
        ({"FULL": "1"}, "1 passed, 2 skipped"),
        ({"CI": "true"}, "3 skipped"),
        ({"CI": "true", "FULL": "1"}, "1 failed, 1 passed, 1 skipped"),
    ],
)
def test_a_complete_run_may_not_skip_the_browser(tmp_path: Path, environment: dict[str, str], outcome: str) -> None:
    done = marked_run(tmp_path, MARKED, environment)
    assert done.stdout.splitlines()[-1].startswith(outcome), done.stdout
    assert ("although CI=true and FULL=1" in done.stdout) == ("failed" in outcome)


@pytest.mark.parametrize(("environment", "outcome"), [({}, "1 skipped"), ({"CI": "true", "FULL": "1"}, "1 error")])
def test_a_missing_program_skips_or_fails(tmp_path: Path, environment: dict[str, str], outcome: str) -> None:
    test = "import pytest\n\n@pytest.mark.latex\ndef test_pdf():\n    assert True\n"
    done = marked_run(tmp_path, test, environment | {"PATH": str(tmp_path)})
    assert done.stdout.splitlines()[-1].startswith(outcome), done.stdout
    assert "needs latexmk, which is not installed" in done.stdout


def marked_run(folder: Path, test: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A run of its own, under the project's conftest.py."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "test_marked.py").write_text(test, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    full\n    chromium\n    latex\n", encoding="utf-8")
    kept = {key: value for key, value in os.environ.items() if key not in ("CI", "FULL", "PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST")}
    # A stand-in, so that the first test reaches its own skip where no browser is installed.
    program(folder / "chromium", "#!/bin/sh\n")
    kept["PATH"] = f"{folder}{os.pathsep}{kept['PATH']}"
    command = [sys.executable, "-m", "pytest", "-q", "-rsf", "-p", "no:cacheprovider", str(folder)]
    return subprocess.run(command, cwd=folder, env=kept | environment, text=True, capture_output=True, timeout=60)


# ---------------------------------------------------------------- no trace of a machine

# Written in pieces, so that this file passes its own test.
HOSTS = ("pythonhoste" + "d.org", "pypi" + ".org/simple", "registry.npm" + "js", "deb.debia" + "n.org")
TRACES = re.compile("|".join([r"(?<![\w.<])/(?:work|root|home)" + "/", r"\bfile:" + "///", *map(re.escape, HOSTS)]))


def project_files() -> list[Path]:
    """What is, or is about to be, committed: all but the folders that tools make."""
    made = {".git", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".benchmarks", "dist", "build"}
    found = []
    for folder, folders, names in os.walk(ROOT):
        if "pyvenv.cfg" in names:  # a virtual environment, whatever its name
            folders.clear()
            continue
        folders[:] = sorted(set(folders) - made)
        found += [Path(folder, name) for name in sorted(names)]
    return found


def traces(text: str) -> list[str]:
    """The lines that name a home folder or the host of a package registry."""
    return [line.strip()[:120] for line in text.splitlines() if TRACES.search(line)]


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = {}
    for path in project_files():
        try:
            found[str(path.relative_to(ROOT))] = traces(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            assert path.suffix in {".pdf", ".png", ".woff2", ".ttf"}, f"{path} is neither text nor a known binary kind"
    assert "pyproject.toml" in found
    assert not any(found.values()), {path: lines for path, lines in found.items() if lines}


@pytest.mark.parametrize("line", ["see /" + "root/x", "open('/" + "home/me/x')", "https://pypi" + ".org/simple", "file:" + "///x"])
def test_a_trace_is_found(line: str) -> None:
    assert traces(f"first\n{line}\n") == [line]


@pytest.mark.parametrize("line", ["derivations/home/x.py", "https://example.org/root/", "</root>", "a work/life balance"])
def test_what_only_looks_like_a_trace_is_let_through(line: str) -> None:
    assert traces(line) == []
