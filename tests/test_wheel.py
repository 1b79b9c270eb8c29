"""The wheel carries the book: built without network, installed into an empty environment, used from an empty folder."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
COMPILED = {".pyc", ".pyo"}


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=cwd, text=True, capture_output=True, timeout=300)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this tree with the build tools of the lock."""
    folder = tmp_path_factory.mktemp("wheel")
    done = run(
        sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "-w", folder, ROOT, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    [built] = folder.glob("lnsym-*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    done = run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=folder)
    assert done.returncode == 0, done.stderr
    return python


def files(folder: Path, at: str) -> set[str]:
    """The files below a folder, as they should be named in the wheel."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in COMPILED)
    return {f"{at}/{path.relative_to(folder).as_posix()}" for path in found}


def test_the_wheel_holds_the_package_and_the_book(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        held = {name for name in names if ".dist-info/" not in name}
        book = archive.read("lnsym/derivations/__init__.py")
    package = {name for name in files(ROOT / "lnsym", "lnsym") if not name.startswith("lnsym/derivations/")}
    assert len(names) == len(set(names))
    assert held == package | files(ROOT / "derivations", "lnsym/derivations")
    assert "lnsym/py.typed" in held
    assert book == (ROOT / "derivations" / "__init__.py").read_bytes()


def test_the_book_is_there_in_an_empty_environment(python: Path, tmp_path: Path) -> None:
    code = "import lnsym.derivations.definitions as book; print(book.THEORY.families[0].vector, book.__file__)"
    done = run(python, "-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    vector, file = done.stdout.split(maxsplit=1)
    assert vector == "z"
    assert Path(file.strip()).is_relative_to(python.parents[1])


def test_the_command_works_beside_its_dependencies(python: Path, tmp_path: Path) -> None:
    """The dependencies are lent by this environment, by a .pth file: no network is needed, and its own lnsym is not."""
    site = next(python.parents[1].rglob("site-packages"))
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    where = run(python, "-c", "import lnsym; print(lnsym.__file__)", cwd=tmp_path)
    assert Path(where.stdout.strip()).is_relative_to(python.parents[1])
    version = run(python, "-m", "lnsym", "--version", cwd=tmp_path)
    command = run(python.parent / "lnsym", "--version", cwd=tmp_path)
    assert version.stdout == command.stdout == f"lnsym {wheel_version()}\n"
    assert run(python.parent / "lnsym", "doctor", "--json", cwd=tmp_path).returncode == 0
    assert list(tmp_path.iterdir()) == []


def wheel_version() -> str:
    line = next(line for line in (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines() if line.startswith("version = "))
    return line.split('"')[1]
