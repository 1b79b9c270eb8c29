"""`lnsym emit`, as a user meets it: the file, the list, the certificate, what is refused, and the same bytes everywhere."""

from __future__ import annotations

import ast
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lnsym
from lnsym.cli import main
from lnsym.emit import targets as targets_module
from lnsym.emit.build import build, digest
from lnsym.emit.plan import ORDER, offers
from lnsym.emit.promise import TIERS, promise, tier_promise
from lnsym.emit.targets import target, targets
from lnsym.emit.targets.numpy import TARGET, TEMPLATES, NumpyTarget

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """A command in this process: exit code, output, errors."""

    def call(*args: str | Path) -> tuple[int, str, str]:
        code = main(list(map(str, args)))
        return (code, *capsys.readouterr())

    return call


@pytest.fixture(autouse=True)
def unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proofs of the text have tests of their own; here a record stands for them."""
    record = {"function": "all", "status": "not proved in this test", "paths": 0, "proofs": 0}
    monkeypatch.setattr(NumpyTarget, "records", lambda *_: [record])


PLAIN = ("emit", "numpy", "--tier", "plain", "--op", "normalize")


# ---------------------------------------------------------------- what is written


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_is_told_what_takes_so_long(run: Run, monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    code, out, err = run(*PLAIN)
    assert code == 0
    assert out.startswith("# Written by")
    assert err.startswith("Proving the text of the plain tier") == terminal
    assert err.endswith("\r") == terminal


def test_without_o_the_source_goes_to_stdout(run: Run) -> None:
    code, out, err = run(*PLAIN)
    assert (code, err) == (0, "")
    assert out.startswith("# Written by `lnsym emit numpy --tier plain --op normalize`.\n")
    assert out.endswith("sys.exit(_check())\n")
    ast.parse(out)


def test_with_o_the_file_is_written_whole(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ln.py"
    code, out, err = run(*PLAIN, "-o", path)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith(f"wrote {path}: normalize; plain tier, certificate sha256 ")
    assert lines[1:] == ["  all: 0 paths through the text, 0 equations proved for every d", f"Next: python {path} --check"]
    assert path.read_text(encoding="utf-8") == run(*PLAIN)[1]
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert [one.name for one in tmp_path.iterdir()] == ["ln.py"]
    done = subprocess.run([sys.executable, path, "--check"], text=True, capture_output=True, timeout=60)
    assert done.returncode == 0


def test_operations_come_in_order_once_and_with_spaces(run: Run) -> None:
    out = run("emit", "numpy", "--tier", "plain", "--op", "merge_stats, normalize,merge_stats")[1]
    assert run("emit", "numpy", "--tier", "plain", "--op", "merge_stats", "--op", "normalize")[1] == out
    assert '__all__ = ["merge_stats", "normalize"]' in out
    assert out.index("def normalize(") < out.index("def merge_stats(")


def test_the_default_is_the_safe_tier_with_everything(run: Run) -> None:
    out = run("emit", "numpy")[1]
    assert out.splitlines()[0] == "# Written by `lnsym emit numpy --tier safe`."
    assert all(f"\ndef {op}(" in out for op in ORDER)


def test_the_command_in_the_head_makes_the_file_again(run: Run) -> None:
    out = run("emit", "numpy", "--op", "layer_norm,normalize", "--tier", "exact")[1]
    command = out.splitlines()[0].partition("`")[2].partition("`")[0]
    assert run(*command.split()[1:])[1] == out


def test_python_gives_the_same_text(run: Run) -> None:
    assert lnsym.emit("numpy", ["normalize"], "plain") == lnsym.emit("numpy", "normalize", "plain") == run(*PLAIN)[1]


# ---------------------------------------------------------------- certificate


def test_json_is_the_certificate_and_the_file_names_its_hash(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ln.py"
    code, out, _ = run(*PLAIN, "--json", "-o", path)
    found = json.loads(out)
    assert code == 0
    assert found["schema"] == "lnsym.emit/1"
    assert (found["target"], found["tier"], found["operations"]) == ("numpy", "plain", ["normalize"])
    assert found["validation"][0]["status"] == "not proved in this test"
    core = next(one for one in found["formulas"] if one["operation"] == "normalize")
    assert (core["theorem"], core["claim"], core["status"]) == ("output_eq", 1, "proved for every d")
    assert core["given"] == ["eps > 0"]
    mark = found.pop("sha256")
    assert digest(found) == mark
    assert f"sha256 {mark}" in path.read_text(encoding="utf-8")


def test_the_hash_depends_on_formulas_and_on_the_validation() -> None:
    made = build(ops=["normalize"], tier="plain", validate=False)
    changes: tuple[dict[str, object], ...] = ({"validation": [{"status": "other"}]}, {"tier": "safe"}, {"formulas": []})
    for change in changes:
        assert digest({**made.certificate, **change}) != made.hash


# ---------------------------------------------------------------- the list


def test_list_has_every_operation_tier_and_target(run: Run) -> None:
    code, out, err = run("emit", "--list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    for name, one in targets().items():
        start = lines.index(f"{name}: {one.title}")
        assert lines[start + 1].split() == ["operation", *TIERS, "theorems"]
        for op, line in zip(ORDER, map(str.split, lines[start + 2 :]), strict=False):
            assert line[0] == op
            assert [word == "yes" for word in line[1:4]] == [tier in one.tiers(op) for tier in TIERS]
            assert {word.rstrip(",") for word in line[4:]} == {theorem for theorem, _ in offers()[op]}
    assert lines[-1].startswith("Next: lnsym emit numpy")


def test_list_as_json(run: Run) -> None:
    found = json.loads(run("emit", "--list", "--json")[1])
    assert found["schema"] == "lnsym.emit-list/1"
    assert found["targets"] == {"javascript": "JavaScript", "numpy": "NumPy"}
    assert [one["operation"] for one in found["operations"]] == list(ORDER)
    assert all(one["theorems"] and one["results"] for one in found["operations"])


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ("", 2, "expected a target, one of javascript, numpy: lnsym emit numpy; see lnsym emit --list"),
        ("nump", 2, "no target 'nump'; did you mean numpy?"),
        ("fortran", 2, "no target 'fortran'; choose among javascript, numpy"),
        ("numpy --op layer_nrm", 2, "no operation 'layer_nrm'; did you mean layer_norm or"),
        ("numpy --op softmax", 2, f"no operation 'softmax'; choose among {', '.join(ORDER)}"),
        ("numpy --op normalize,,jacobian", 2, "a name is missing; separate several by commas"),
        ("numpy --tier exat", 2, "no tier 'exat'; did you mean exact?"),
        ("numpy --tier fast", 2, "no tier 'fast'; choose among safe, exact, plain"),
        (
            "numpy --tier exact --op jacobian",
            2,
            "jacobian does not exist in the tier exact; it exists in safe, plain: see lnsym emit --list",
        ),
        (
            "numpy --variance one-pass",
            1,
            "layer_norm is not emitted with the variance as E[x^2] - E[x]^2: for x = (300000002, 300000004)",
        ),
        ("numpy --variance welford", 2, "'welford' is not one of 'two-pass', 'one-pass'"),
    ],
)
def test_bad_requests_get_one_line(run: Run, args: str, code: int, message: str) -> None:
    got, out, err = run("emit", *args.split())
    assert (got, out) == (code, "")
    assert message in err
    assert err.startswith("lnsym: ")
    assert err.count("\n") == 1


def test_a_file_that_is_not_ours_needs_force(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("precious = 1\n", encoding="utf-8")
    code, _, err = run(*PLAIN, "-o", path)
    assert code == 2
    assert err == f"lnsym: -o: {path} exists and was not written by lnsym emit; name another file, or overwrite it with --force\n"
    assert path.read_text(encoding="utf-8") == "precious = 1\n"
    assert run(*PLAIN, "-o", path, "--force")[0] == 0
    assert path.read_text(encoding="utf-8").startswith("# Written by `lnsym emit numpy")


def test_a_file_of_ours_is_overwritten(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "ln.py"
    assert run(*PLAIN, "-o", path)[0] == 0
    assert run("emit", "numpy", "--tier", "plain", "--op", "merge_stats", "-o", path)[0] == 0
    assert "def merge_stats(" in path.read_text(encoding="utf-8")


def test_a_missing_folder_and_a_folder_are_refused(run: Run, tmp_path: Path) -> None:
    code, _, err = run(*PLAIN, "-o", tmp_path / "none" / "ln.py")
    assert (code, err) == (2, f"lnsym: -o: there is no folder {tmp_path / 'none'}; make it first, or name another\n")
    code, _, err = run(*PLAIN, "-o", tmp_path)
    assert (code, err) == (2, f"lnsym: -o: {tmp_path} is a folder; name a file in it, such as {tmp_path / 'ln.py'}\n")


def test_a_failed_write_leaves_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    code, _, err = run(*PLAIN, "-o", tmp_path / "ln.py")
    assert (code, err) == (2, f"lnsym: -o: cannot write {tmp_path / 'ln.py'}: No space left on device; name another file\n")
    assert list(tmp_path.iterdir()) == []


def test_what_the_proofs_refuse_is_not_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lnsym.errors import EmitError

    def refuse(self: NumpyTarget, source: str, plans: Any, tier: str) -> list[dict[str, object]]:
        raise EmitError("normalize: the text does not compute what output_eq says")

    monkeypatch.setattr(NumpyTarget, "records", refuse)
    code, out, err = run(*PLAIN, "-o", tmp_path / "ln.py")
    assert (code, out, err) == (1, "", "lnsym: normalize: the text does not compute what output_eq says\n")
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- the same bytes, and nothing loaded too early


def outside(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *args], env={**os.environ, "PYTHONPATH": str(ROOT), **env}, text=True, capture_output=True, timeout=300,
    )  # fmt: skip


@pytest.mark.parametrize("tier", TIERS)
def test_two_hash_seeds_give_the_same_bytes(tier: str) -> None:
    code = f"from lnsym.emit.build import build; print(build(tier={tier!r}, validate=False).source)"
    first, second = (outside("-c", code, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert len(first.stdout) > 10_000


def test_the_text_is_the_same_without_ml_dtypes() -> None:
    """A package that is optional for users must not change what is emitted."""
    block = "import sys; sys.modules['ml_dtypes'] = None; "
    code = "from lnsym.emit.build import build; print(build(tier='safe', validate=False).source)"
    with_it, without = outside("-c", code), outside("-c", block + code)
    assert without.returncode == 0, without.stderr
    assert with_it.stdout == without.stdout


# ---------------------------------------------------------------- targets and templates


def test_targets_are_found_by_scanning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another language is one file in the folder: nothing else knows its name."""
    (tmp_path / "pseudo.py").write_text(
        "class Pseudo:\n"
        "    name, title, suffix, mark = 'pseudo', 'Pseudocode', '.txt', '-- Written by lnsym'\n"
        "    def tiers(self, op): return ('plain',)\n"
        "    def rests_on(self, ops, tier): return tuple(ops)\n"
        "    def source(self, plans, ops, tier, command): return f'-- Written by lnsym {sorted(plans)} {{certificate}}\\n'\n"
        "    def records(self, source, plans, tier): return []\n"
        "TARGET = Pseudo()\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(targets_module, "__path__", [*targets_module.__path__, str(tmp_path)])
    assert sorted(targets()) == ["javascript", "numpy", "pseudo"]
    made = build("pseudo", ["jacobian"], "plain")
    assert made.source == f"-- Written by lnsym ['jacobian'] {made.hash}\n"


def test_the_folder_of_targets_is_the_registry() -> None:
    files = {path.stem for path in Path(targets_module.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(targets()) == files
    assert target("numpy") is TARGET


def test_every_template_is_used() -> None:
    text = (ROOT / "lnsym" / "emit" / "targets" / "numpy.py").read_text(encoding="utf-8")
    named = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert {path.name.removesuffix(".py.j2") for path in TEMPLATES.iterdir()} <= named


@pytest.mark.parametrize("tier", TIERS)
def test_every_operation_of_a_tier_has_a_promise(tier: str) -> None:
    assert tier_promise(tier)
    for op in ORDER:
        if tier in TARGET.tiers(op):
            given = promise(op, tier)
            assert all((given.bound, given.proved, given.derived, given.measured))


# ---------------------------------------------------------------- what is left out of a file


def test_unreached_parts_are_left_out_and_the_rest_is_kept_as_written() -> None:
    from lnsym.emit.reach import reached

    text = '''"""Doc."""

import math
import sys
from typing import Any, Literal

# A heading.

_A = 1  # used
_B = 2


# Why this is so.
def _helper(x: Any) -> Any:
    """Doc."""
    return x + _A  # a remark


def _dropped() -> float:
    return math.pi


# Another heading.

def _lost() -> None:
    """Doc."""


def public(x: Any) -> Any:
    return _helper(x)
'''
    kept = reached(text, ["public"])
    assert (
        kept
        == '''"""Doc."""

from typing import Any


# A heading.

_A = 1  # used


# Why this is so.
def _helper(x: Any) -> Any:
    """Doc."""
    return x + _A  # a remark


# Another heading.


def public(x: Any) -> Any:
    return _helper(x)
'''
    )


def test_a_name_defined_twice_is_kept_once_or_refused() -> None:
    from lnsym.emit.reach import ModuleError, reached

    same = "_U = 2.0**-53\n\n\ndef f() -> float:\n    return _U\n\n\n_U = 2.0**-53  # again\n"
    assert reached(same, ["f"]).count("_U = ") == 1
    with pytest.raises(ModuleError, match="_U is defined twice and differently"):
        reached(same.replace("-53  #", "-24  #"), ["f"])


@pytest.mark.skipif(os.name != "posix", reason="devices and links are those of POSIX")
def test_devices_and_links_are_left_alone(run: Run, tmp_path: Path) -> None:
    target, link = tmp_path / "kept.txt", tmp_path / "link.py"
    target.write_text("mine")
    link.symlink_to(target)
    for out in ("/dev/null", link):
        code, _, err = run(*PLAIN, "--force", "-o", out)
        assert code == 2
        assert "is a link or a device, not a file" in err
    assert target.read_text() == "mine"


def test_a_name_too_long_is_one_line(run: Run, tmp_path: Path) -> None:
    code, _, err = run(*PLAIN, "-o", tmp_path / ("a" * 300 + ".py"))
    assert code == 2
    assert err.count("\n") == 1
