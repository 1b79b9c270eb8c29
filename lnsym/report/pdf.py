"""The report as PDF: latexmk in a folder of its own, with the clock stopped. Standard library only."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from lnsym.errors import LnsymError, MissingTool

INSTALL = "apt install latexmk texlive-latex-recommended texlive-pictures lmodern"
# No dates, no paths: two runs give equal bytes (with one release of TeX).
STILL = {"SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1"}


class LatexError(LnsymError):
    """LaTeX that we wrote and that does not compile: our own bug."""

    exit_code = 70


def pdf(tex: bytes) -> bytes:
    """The PDF of a LaTeX file."""
    return compiled(tex)[0]


def compiled(tex: bytes) -> tuple[bytes, str]:
    """The PDF of a LaTeX file and the log of the last run."""
    for tool in ("latexmk", "pdflatex"):
        if shutil.which(tool) is None:
            raise MissingTool(f"a PDF needs {tool}, which is not installed; on Debian or Ubuntu: {INSTALL} (74 MB)")
    with tempfile.TemporaryDirectory(prefix="lnsym-") as folder:
        (Path(folder) / "report.tex").write_bytes(tex)
        command = ["latexmk", "-pdf", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
        done = subprocess.run(command, cwd=folder, env={**os.environ, **STILL}, capture_output=True, check=False)
        log = Path(folder) / "report.log"
        text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else done.stdout.decode("utf-8", errors="replace")
        if done.returncode:
            reason = next((line for line in text.splitlines() if line.startswith("!")), "no reason given")
            raise LatexError(f"pdflatex stops at {_line(text)}: {reason}")
        return (Path(folder) / "report.pdf").read_bytes(), text


def _line(log: str) -> str:
    return next((line for line in log.splitlines() if line.startswith("l.")), "an unknown line")
