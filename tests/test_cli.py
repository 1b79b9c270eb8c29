"""The command line: what each verb hands on, and what becomes of errors. The commands themselves are tested under commands/."""

from __future__ import annotations

import json
import os
import re
import resource
import stat
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from types import ModuleType, SimpleNamespace

import click
import pytest

from lnsym import doctor
from lnsym.cli import main, progress
from lnsym.errors import DerivationError, LnsymError, MissingTool, NotProved, StatementError

ROOT = Path(__file__).resolve().parents[1]
Fake = Callable[..., dict[str, object]]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Put a stand-in for one command in place; what it was called with is put into the dictionary returned."""

    def install(name: str, code: int = 0, then: Callable[[], object] = lambda: None) -> dict[str, object]:
        called: dict[str, object] = {}

        def run(**options: object) -> int:
            called.update(options)
            then()
            return code

        package = ModuleType("lnsym.commands")
        setattr(package, name, SimpleNamespace(run=run))
        monkeypatch.setitem(sys.modules, "lnsym.commands", package)
        return called

    return install


# ---------------------------------------------------------------- the verbs


@pytest.mark.parametrize(
    ("args", "command", "options"),
    [
        ("list", "listing", {"as_json": False}),
        ("list --json", "listing", {"as_json": True}),
        ("show some_theorem", "show", {"name": "some_theorem", "at": None, "fmt": "text"}),
        ("show t --at z=(1,2) --format latex", "show", {"name": "t", "at": "z=(1,2)", "fmt": "latex"}),
        ("prove", "prove", {"names": (), "second_opinion": None, "as_json": False}),
        ("prove a b --with sympy --json", "prove", {"names": ("a", "b"), "second_opinion": "sympy", "as_json": True}),
        (
            "emit",
            "emit",
            {
                "language": None,
                "ops": (),
                "tier": "safe",
                "out": None,
                "as_json": False,
                "force": False,
                "listing": False,
                "variance": "two-pass",
            },
        ),
        (
            "emit numpy --op a,b --tier exact -o x.py --json --force --list --variance one-pass",
            "emit",
            {
                "language": "numpy",
                "ops": ("a", "b"),
                "tier": "exact",
                "out": Path("x.py"),
                "as_json": True,
                "force": True,
                "listing": True,
                "variance": "one-pass",
            },
        ),
        ("check q<1", "check", {"statement": "q<1", "given": (), "vectors": (), "as_json": False}),
        (
            "check -q<0 --given q>0 --given d>=2 --vector k --json",
            "check",
            {"statement": "-q<0", "given": ("q>0", "d>=2"), "vectors": ("k",), "as_json": True},
        ),
        (
            "report",
            "report",
            {"out": Path("reports"), "only": (), "notation": "both", "formats": ("html", "tex"), "quick": False, "check": False},
        ),
        (
            "report -o there --only a --only b --notation index --format pdf,html --quick --check",
            "report",
            {"out": Path("there"), "only": ("a", "b"), "notation": "index", "formats": ("html", "pdf"), "quick": True, "check": True},
        ),
    ],
)
def test_options_reach_the_command(fake: Fake, args: str, command: str, options: dict[str, object]) -> None:
    called = fake(command)
    assert main(args.split()) == 0
    assert called == options


@pytest.mark.parametrize("code", [0, 1, 3, 4])
def test_the_commands_exit_code_is_returned(fake: Fake, code: int) -> None:
    fake("listing", code)
    assert main(["list"]) == code


# ---------------------------------------------------------------- errors


def failing(error: BaseException) -> Callable[[], object]:
    def then() -> object:
        raise error

    return then


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StatementError("expected a relation"), 2),
        (LnsymError("expected a name"), 2),
        (DerivationError("step 2 does not follow"), 1),
        (NotProved("q is left"), 3),
        (MissingTool("latexmk is not installed"), 4),
    ],
)
def test_our_errors_are_one_line(fake: Fake, capsys: pytest.CaptureFixture[str], error: LnsymError, code: int) -> None:
    fake("listing", then=failing(error))
    assert main(["list"]) == code
    assert capsys.readouterr() == ("", f"lnsym: {error}\n")


def test_a_message_of_several_lines_becomes_one(fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    fake("listing", then=failing(LnsymError("first\n  second")))
    main(["list"])
    assert capsys.readouterr().err == "lnsym: first second\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("frob", "No such command 'frob'; see lnsym --help"),
        ("check", "Missing argument 'STATEMENT'; see lnsym check --help"),
        ("show core_eq --at", "Option '--at' requires an argument; see lnsym show --help"),
        ("prove --with maple", "Invalid value for '--with': 'maple' is not 'sympy'; see lnsym prove --help"),
        ("list --jsn", "No such option '--jsn'. Did you mean '--json'?; see lnsym list --help"),
        (
            "report --format html,doc",
            "Invalid value for '--format': 'doc' is none of html, tex, pdf; separate several by commas; see lnsym report --help",
        ),
        (
            "report --notation tensor",
            "Invalid value for '--notation': 'tensor' is not one of 'index', 'matrix', 'both'; see lnsym report --help",
        ),
    ],
)
def test_bad_usage_is_one_line_and_code_2(capsys: pytest.CaptureFixture[str], args: str, message: str) -> None:
    assert main(args.split()) == 2
    assert capsys.readouterr() == ("", f"lnsym: {message}\n")


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("Usage: lnsym")


def test_an_interrupt_is_130(fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    fake("listing", then=failing(KeyboardInterrupt()))
    assert main(["list"]) == 130
    assert capsys.readouterr().err.strip() == "lnsym: interrupted"


def test_a_missing_package_is_named(fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    fake("listing", then=failing(ModuleNotFoundError("No module named 'math_core'", name="math_core")))
    assert main(["list"]) == 4
    told = "lnsym: the package math_core is missing from this Python; `lnsym doctor` tells how to get what is missing\n"
    assert capsys.readouterr() == ("", told)


def test_a_bug_is_70_with_a_log(fake: Fake, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    fake("listing", then=failing(ZeroDivisionError("by nought")))
    assert main(["list"]) == 70
    out, err = capsys.readouterr()
    [log] = tmp_path.iterdir()
    assert (out, err) == ("", f"lnsym: a bug in lnsym (ZeroDivisionError), not in your input; please report it with the log {log}.\n")
    text = log.read_text(encoding="utf-8")
    assert "ZeroDivisionError: by nought" in text
    assert "Traceback" in text


def test_a_bug_without_room_for_a_log(
    fake: Fake, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    fake("listing", then=failing(ZeroDivisionError("by nought")))
    assert main(["list"]) == 70
    err = capsys.readouterr().err
    assert "no log could be saved: ZeroDivisionError: by nought" in err
    assert err.count("\n") == 1


# ---------------------------------------------------------------- terminal manners


def say_red() -> None:
    click.echo(click.style("x", "red"))


@pytest.mark.parametrize(
    ("environment", "args", "coloured"),
    [
        ({}, "list", False),
        ({"FORCE_COLOR": "1"}, "list", True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, "list", False),
        ({"FORCE_COLOR": "1"}, "list --no-color", False),
        ({"FORCE_COLOR": "1"}, "--no-color list", False),
    ],
)
def test_colour_is_asked_for_or_kept_away(
    fake: Fake,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    args: str,
    coloured: bool,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    fake("listing", then=say_red)
    main(args.split())
    assert ("\x1b[31m" in capsys.readouterr().out) == coloured


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_for_terminals(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    with progress("abc", 3, "letters") as letters:
        assert list(letters) == ["a", "b", "c"]
    out, err = capsys.readouterr()
    assert out == ""
    assert ("letters" in err) == terminal


def script(code: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


LONG_LIST = """
import sys, types, click
package = types.ModuleType("lnsym.commands")
package.listing = types.SimpleNamespace(run=lambda as_json: [click.echo("line") for _ in range(100_000)] and 0)
sys.modules["lnsym.commands"] = package
from lnsym.cli import main
sys.exit(main(["list"]))
"""


def test_a_reader_who_leaves_causes_no_noise() -> None:
    process = script(LONG_LIST)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "line\n"
    process.stdout.close()
    noise = process.stderr.read()
    assert (process.wait(30), noise) == (141, "")
    process.stderr.close()


@pytest.mark.parametrize("verb", [["--help"], ["list", "--help"], ["check", "1 = 1"]])
def test_output_that_nobody_reads_or_that_has_no_room(verb: list[str]) -> None:
    command = [sys.executable, "-m", "lnsym", *verb]
    for close in (">&-", "2>&- >&-"):  # without these streams
        done = subprocess.run(["sh", "-c", f'exec "$@" {close}', "sh", *command], cwd=ROOT, text=True, capture_output=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), close
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as left:
        assert left.stdout is not None
        assert left.stderr is not None
        left.stdout.close()  # long before the command has read its imports
        assert (left.stderr.read(), left.wait(30)) == ("", 141)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device /dev/full")
@pytest.mark.parametrize("verb", ["--help", "list", "doctor"])
def test_a_full_disk_is_no_bug(verb: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-m", "lnsym", verb], cwd=ROOT, text=True, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("lnsym: the output cannot be written: ")
    assert done.stderr.endswith("; make room, or write elsewhere\n")


def test_the_help_of_check_names_every_word(capsys: pytest.CaptureFixture[str]) -> None:
    from lnsym.statement import FUNCTIONS, MATRICES, SCALARS, VECTORS

    assert main(["check", "--help"]) == 0
    _, _, told = capsys.readouterr().out.partition("The words of a statement:")
    words = {*re.findall(r"[A-Za-z]+'?", told)}
    batches = {"n", "N", "T"}  # lengths of batches, which no word of a statement makes
    assert {*SCALARS, *VECTORS, *MATRICES, *FUNCTIONS} - words == batches
    assert max(map(len, told.splitlines())) <= 80


def test_completion_of_codes() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from lnsym.cli import main; main()"], cwd=ROOT, text=True, capture_output=True,
        env={**os.environ, "_LNSYM_COMPLETE": "bash_complete", "COMP_WORDS": "lnsym explain ln10", "COMP_CWORD": "2"},
    )  # fmt: skip
    assert {"plain,LN101", "plain,LN109"} <= {*done.stdout.split()}
    assert not any("LN11" in word for word in done.stdout.split())


def test_a_terminal_without_greek_gets_escapes() -> None:
    code = LONG_LIST.replace('[click.echo("line") for _ in range(100_000)] and 0', 'click.echo("\\u03bc") or 0')
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "latin-1"}
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "\\u03bc\n", "")


def test_python_m_and_version() -> None:
    done = subprocess.run([sys.executable, "-m", "lnsym", "--version"], cwd=ROOT, text=True, capture_output=True)
    assert done.returncode == 0
    assert re.fullmatch(r"lnsym \d\S+\n", done.stdout)


def test_help_is_fast() -> None:
    """Within 0.15 s of bare Python, by the processor's time; the best of five, since other work may go on."""

    def used() -> float:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return spent.ru_utime + spent.ru_stime

    def best(*command: str) -> float:
        times = []
        for _ in range(5):
            start = used()
            subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, check=True)
            times.append(used() - start)
        return min(times)

    assert best("-m", "lnsym", "--help") - best("-c", "pass") < 0.15


# ---------------------------------------------------------------- doctor


def test_doctor_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "version", "what", "for"]
    assert [line.split()[0] for line in lines[1 : lines.index("")]] == ["python", *(need.name for need in doctor.NEEDS)]
    assert max(len(line) for line in lines if "texlive" not in line) <= 80  # one command is longer than any line
    sympy = next(line for line in lines if line.startswith("sympy"))
    assert sympy.split()[1:3] == ["found", version("sympy")]
    assert lines[-1] == "Next: lnsym prove"


def test_doctor_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "lnsym.doctor/1"
    assert set(told["tools"][0]) == {"name", "found", "version", "purpose", "remedy", "required"}


def test_doctor_finds_and_misses_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "second-name"
    tool.write_text("#!/bin/sh\necho 'Tool 12.3.4 of some system'\n", encoding="utf-8")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))
    here = doctor.Need("tool", "a purpose", "a remedy", ("first-name", "second-name"))
    away = doctor.Need("other", "a purpose", "a remedy", ("third-name",))
    package = doctor.Need("no-such-package-anywhere", "a purpose", "a remedy")
    found = doctor.findings((here, away, package))[1:]
    assert [(item.found, item.version) for item in found] == [(True, "12.3.4"), (False, ""), (False, "")]


def test_doctor_says_what_is_indispensable(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    absent = doctor.Need("no-such-package-anywhere", "everything", "pip install it", required=True)
    looked = doctor.findings((absent,))
    monkeypatch.setattr(doctor, "findings", lambda: looked)
    assert main(["doctor"]) == 4
    out = capsys.readouterr().out
    assert re.search(r"^no-such-package-anywhere +absent +- +everything$", out, re.MULTILINE)
    assert "How to get what is absent:\n  no-such-package-anywhere  pip install it\n" in out
