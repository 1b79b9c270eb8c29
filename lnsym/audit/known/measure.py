"""What an audit finds of the known implementations that are installed, as plain data. Imports up to the audit."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from lnsym.audit import curves
from lnsym.audit.asked import Options
from lnsym.audit.known.record import Known
from lnsym.audit.offers import ordinary, session_of
from lnsym.audit.result import CheckResult, Result
from lnsym.audit.run import HABITS, run
from lnsym.audit.subject import SubjectFailed
from lnsym.audit.subjects import open_subject
from lnsym.audit.table import SCHEMA

EPS, SEED = 1e-5, 0


def measure(known: Mapping[str, Known], progress: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """The data: every implementation with the versions of its packages and what was found in each format; no times."""
    implementations, missing = [], []
    with tempfile.TemporaryDirectory(prefix="lnsym-known-") as folder:
        for name, one in known.items():
            found = _versions(one.packages)
            if found is None:
                missing.append({"id": name, "name": one.name, "packages": list(one.packages)})
                continue
            formats = []
            for fmt in one.formats:
                progress(f"{one.name} {fmt}")
                formats.append(_measured(one, fmt, Path(folder)))
            implementations.append({"id": name, "name": one.name, "about": one.about, "packages": found, "formats": formats})
    return {"schema": SCHEMA, "eps": EPS, "seed": SEED, "implementations": implementations, "missing": missing}


def _versions(packages: tuple[str, ...]) -> dict[str, str] | None:
    """The versions of the packages, or None if one is missing."""
    try:
        return {name: version(name) for name in packages}
    except PackageNotFoundError:
        return None


def _measured(one: Known, fmt: str, folder: Path) -> dict[str, Any]:
    """One implementation in one format: audited over the ordinary range and over the full one."""
    runner = open_subject(one.spec(folder, fmt), grad=one.grad, framework=one.framework)
    options = Options(EPS, formats=(fmt,), seed=SEED)
    try:
        try:
            session_of(runner, options, (fmt,)).forward(ordinary(session_of(runner, options, (fmt,)), fmt))
        except SubjectFailed as error:
            return {"format": fmt, "refused": str(error)}
        usual, full = run(runner, options), run(runner, replace(options, full_range=True))
        spread, _ = curves.measure(session_of(runner, options, (fmt,)))
    finally:
        runner.close()
    failing = {check.check.code for check in usual.failed}
    telling = usual if usual.failed else full  # what limits an implementation is named only where nothing else is wrong
    named = [mistake for mistake in telling.named if mistake.fault.code not in HABITS]
    return {
        "format": fmt,
        "ordinary": usual.verdict,
        "full": full.verdict,
        "mistakes": [{"code": mistake.fault.code, "title": mistake.title, "about": mistake.about} for mistake in named],
        "nearest": [] if named else _nearest(telling),
        "counts": full.counts,
        "failed": [_said(check) for check in usual.failed],
        "limits": [_said(check) for check in full.failed if check.check.code not in failing],
        "worst": _worst(spread.rows),
    }


def _said(one: CheckResult) -> dict[str, str]:
    return {"id": one.check.code, "title": one.check.title, "reason": one.reason}


def _nearest(result: Result) -> list[dict[str, object]]:
    """Mistakes that explain some of what was seen, where none explains all."""
    return [{"code": one.fault.code, "explains": one.explains, "of": one.of} for one in result.diagnosis if one.fault.code not in HABITS]


def _worst(rows: tuple[tuple[str, ...], ...]) -> str:
    """The worst error in tolerances over mean/spread: the subject's curve over the bound's."""
    ratios = [float(row[1]) / float(row[-1]) for row in rows if np.isfinite(float(row[-1]))]
    return "nan" if any(np.isnan(ratios)) else f"{max(ratios, default=0.0):.2g}"
