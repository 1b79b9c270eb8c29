"""The pytest plugin, in a pytest of its own: one test per check, named mistakes, no tracebacks, skips with reasons, markers, workers."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest_plugins = ("pytester",)

ROOT = Path(__file__).parents[2]
RIGHT = """
import numpy as np

def layer_norm(x, weight=None, bias=None, eps=1e-5):
    v = x - x.mean(-1, keepdims=True)
    u = v / np.sqrt((v * v).mean(-1, keepdims=True) + eps)
    u = u if weight is None else u * weight
    return (u if bias is None else u + bias).astype(x.dtype)
"""
WRONG = RIGHT.replace("np.sqrt((v * v).mean(-1, keepdims=True) + eps)", "(np.sqrt((v * v).mean(-1, keepdims=True)) + eps)")
ARGUMENTS = ("-p", "lnsym.audit.plugin", "-p", "no:cacheprovider", "--strict-markers")


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with a right and a wrong layer norm; the plugin is named, so that it need not be installed."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makepyfile(right=RIGHT, wrong=WRONG)
    return pytester


def test_the_entry_point_is_this_plugin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"lnsym": "lnsym.audit.plugin"}


def test_the_plugin_imports_nothing_heavy() -> None:
    script = "import sys, lnsym.audit.plugin; print([name for name in ('numpy', 'sympy', 'jinja2', 'click') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_right_subject_passes_check_by_check(run: pytest.Pytester) -> None:
    done = run.runpytest_subprocess(*ARGUMENTS, "-v", "--lnsym-audit", "right.py:layer_norm")
    assert done.ret == 0
    counts = done.parseoutcomes()
    assert counts["passed"] > 20
    assert "failed" not in counts
    done.stdout.fnmatch_lines(["right.py:layer_norm::V01 PASSED*"])


def test_a_check_that_cannot_run_is_skipped_with_its_reason(run: pytest.Pytester) -> None:
    done = run.runpytest_subprocess(*ARGUMENTS, "-rs", "--lnsym-audit", "right.py:layer_norm --only V01")
    assert done.parseoutcomes()["passed"] == 1
    assert done.parseoutcomes()["skipped"] > 20
    done.stdout.fnmatch_lines(["SKIPPED *not asked for*"])


def test_a_wrong_subject_fails_with_its_mistake_and_without_a_traceback(run: pytest.Pytester) -> None:
    done = run.runpytest_subprocess(*ARGUMENTS, "--lnsym-audit", "wrong.py:layer_norm", "-k", "V01")
    assert done.ret == 1
    assert done.parseoutcomes()["failed"] == 1
    done.stdout.fnmatch_lines(
        [
            "wrong.py:layer_norm: V01, *",
            "*Smallest input found: x = *",
            "*yours y *",
            "*exact y *",
            "*LN101  eps is added to the standard deviation*",
            "*lnsym explain LN101*",
            "*Reproduce: lnsym audit wrong.py:layer_norm --case V01.*",
            "FAILED wrong.py:layer_norm::V01*",
        ]
    )
    assert "Traceback" not in done.stdout.str()
    assert "plugin.py" not in done.stdout.str()


def test_an_expected_failure_is_one(run: pytest.Pytester) -> None:
    line = "wrong.py:layer_norm --only V01 --expect-fail 'V01=by design'"
    done = run.runpytest_subprocess(*ARGUMENTS, "-rx", "--lnsym-audit", line)
    assert done.ret == 0
    assert done.parseoutcomes()["xfailed"] == 1
    done.stdout.fnmatch_lines(["XFAIL wrong.py:layer_norm::V01 - by design*"])


def test_a_subject_that_is_not_there_is_told_once(run: pytest.Pytester) -> None:
    done = run.runpytest_subprocess(*ARGUMENTS, "-rs", "--lnsym-audit", "wrong.py:layernorm")
    assert done.ret == 1
    assert done.parseoutcomes()["errors"] == 1
    done.stdout.fnmatch_lines(["*wrong.py has no*layernorm*layer_norm*"])
    assert "Traceback" not in done.stdout.str()


@pytest.mark.parametrize(
    ("line", "said"),
    [("right.py:layer_norm --epsilon 1", "unrecognized arguments: --epsilon 1"), ("right.py:f 'x", "No closing quotation")],
)
def test_a_line_that_cannot_be_read_is_bad_usage(run: pytest.Pytester, line: str, said: str) -> None:
    done = run.runpytest_subprocess(*ARGUMENTS, "--lnsym-audit", line)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([f"ERROR: lnsym_audit: *{said}*"])


def test_the_ini_option_counts_where_no_tests_are_named(run: pytest.Pytester) -> None:
    run.makeini("[pytest]\nlnsym_audit =\n    right.py:layer_norm --only V01 --dtype float64\n    wrong.py:layer_norm --only V01\n")
    run.makepyfile(test_own="def test_own():\n    pass\n")
    whole = run.runpytest_subprocess(*ARGUMENTS)
    assert whole.parseoutcomes()["passed"] == 2
    assert whole.parseoutcomes()["failed"] == 1
    named = run.runpytest_subprocess(*ARGUMENTS, "test_own.py")
    assert named.parseoutcomes() == {"passed": 1}


MARKED = """
import pytest
from right import layer_norm as right

@pytest.mark.lnsym_audit(right, only=["V01"], dtype="float64")
def test_right(lnsym_check):
    lnsym_check.raise_if_failed()

@pytest.mark.lnsym_audit("wrong.py:layer_norm", only=["V01"], dtype="float64", eps=1e-6)
def test_wrong(lnsym_check):
    pass
"""


@pytest.mark.parametrize("mode", ["prepend", "importlib"])
def test_a_marked_test_runs_once_per_check(run: pytest.Pytester, mode: str) -> None:
    run.makepyfile(test_marked=MARKED)
    done = run.runpytest_subprocess(*ARGUMENTS, "-p", "no:doctest", f"--import-mode={mode}", "-o", "pythonpath=.", "test_marked.py")
    assert done.parseoutcomes()["passed"] == done.parseoutcomes()["failed"] == 1
    done.stdout.fnmatch_lines(["FAILED test_marked.py::test_wrong[[]V01[]]*"])
    assert "Traceback" not in done.stdout.str()


def test_a_function_alone_is_marked_by_its_name(run: pytest.Pytester) -> None:
    """pytest takes a mark that is called with one function and nothing else for the mark of that function."""
    text = "import pytest\nfrom wrong import layer_norm\n\n@pytest.mark.lnsym_audit(subject=layer_norm)\ndef test_it(lnsym_check): ...\n"
    run.makepyfile(test_marked=text)
    done = run.runpytest_subprocess(*ARGUMENTS, "-o", "pythonpath=.", "-k", "V01 or P02")
    assert done.parseoutcomes()["passed"] == done.parseoutcomes()["failed"] == 1


@pytest.mark.parametrize("more", [(), ("-p", "xdist", "-n", "2")], ids=["alone", "workers"])
def test_a_file_that_is_not_there_is_bad_usage(run: pytest.Pytester, more: tuple[str, ...]) -> None:
    if more:
        pytest.importorskip("xdist")
    done = run.runpytest_subprocess(*ARGUMENTS, *more, "--lnsym-audit", "wrongs.py:layer_norm")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["ERROR: lnsym_audit: No file wrongs.py. Did you mean wrong.py[?]"])


def test_a_marker_without_a_subject_is_bad_usage(run: pytest.Pytester) -> None:
    run.makepyfile(test_marked="def test_bare(lnsym_check):\n    pass\n")
    done = run.runpytest_subprocess(*ARGUMENTS)
    assert done.ret != 0
    done.stdout.fnmatch_lines(["*test_bare takes lnsym_check: mark it with @pytest.mark.lnsym_audit*"])


def test_the_audit_runs_once_for_all_its_checks(run: pytest.Pytester) -> None:
    run.makeconftest(
        """
        import sys

        module = sys.modules["lnsym.audit"]  # lnsym.audit is the function
        real, calls = module.audit, []

        def audit(*subject, **options):
            calls.append(subject)
            return real(*subject, **options)

        module.audit = audit

        def pytest_sessionfinish():
            print("audits:", len(calls))
        """
    )
    done = run.runpytest_subprocess(*ARGUMENTS, "-s", "--lnsym-audit", "right.py:layer_norm")
    assert done.parseoutcomes()["passed"] > 20
    done.stdout.fnmatch_lines(["*audits: 1"])


def test_workers_of_xdist_see_the_same_tests(run: pytest.Pytester) -> None:
    run.makeini("[pytest]\nlnsym_audit = wrong.py:layer_norm --only V01 --only V06\n")
    alone = run.runpytest_subprocess(*ARGUMENTS)
    shared = run.runpytest_subprocess(*ARGUMENTS, "-p", "xdist.plugin", "-n", "2", "--dist", "loadgroup")
    assert shared.parseoutcomes() == alone.parseoutcomes()
    assert shared.parseoutcomes()["failed"] == 2
