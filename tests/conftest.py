"""What all tests share: the long ones wait for FULL=1, and a complete run may not skip what it was set up for."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
from collections import Counter
from collections.abc import Generator

import hypothesis
import pytest

# The same examples on every run, and no time limit of its own: a slow machine is not a failure.
hypothesis.settings.register_profile("lnsym", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("lnsym")

# In the background of a shell Ctrl-C is ignored, and what is started there inherits that; but tests press it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

FULL = os.environ.get("FULL") == "1"
COMPLETE = FULL and os.environ.get("CI") == "true"
NEEDS = {"chromium": (("chromium", "chromium-browser", "google-chrome"),), "latex": (("latexmk",), ("pdflatex",)), "node": (("node",),)}
PACKAGES = {"torch": ("torch",), "jax": ("jax", "flax"), "onnx": ("onnx", "onnxruntime"), "notebook": ("nbclient", "nbformat", "ipykernel")}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test marked many(k), the quick run takes every k-th case; the others are long."""
    seen: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker("many")
        if mark is not None:
            name = item.nodeid.split("[")[0]
            if seen[name] % mark.args[0]:
                item.add_marker(pytest.mark.full)
            seen[name] += 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what is long, or what needs a program or a package that is not here."""
    if item.get_closest_marker("full") and not FULL:
        pytest.skip("long: runs with FULL=1")
    for marker, tools in NEEDS.items():
        if item.get_closest_marker(marker):
            for names in tools:
                if not any(map(shutil.which, names)):
                    pytest.skip(f"needs {names[0]}, which is not installed")
    for marker, packages in PACKAGES.items():
        if item.get_closest_marker(marker):
            for name in packages:
                if importlib.util.find_spec(name) is None:
                    pytest.skip(f"needs {name}: pip install -r requirements-optional.lock")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where everything must run (CI=true, FULL=1), a skipped test of an optional tool is a failure."""
    report = yield
    marked = [marker for marker in (*NEEDS, *PACKAGES) if item.get_closest_marker(marker)]
    if COMPLETE and marked and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"a test marked {marked[0]} was skipped although CI=true and FULL=1: {reason}"
    return report
