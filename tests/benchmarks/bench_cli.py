"""How long a reader waits, `lnsym --help` above bare Python first: `python tests/benchmarks/bench_cli.py`. Not a test."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {
    "bare Python": ["-c", "pass"],
    "lnsym --help": ["-m", "lnsym", "--help"],
    "lnsym list": ["-m", "lnsym", "list"],
    "lnsym show variance_core_eq": ["-m", "lnsym", "show", "variance_core_eq"],
    "lnsym prove (whole book)": ["-m", "lnsym", "prove"],
    "lnsym report --quick": ["-m", "lnsym", "report", "--quick", "-o", "{folder}"],
}
REPEATS = {"lnsym report --quick": 2, "bare Python": 15, "lnsym --help": 15}


def seconds(args: list[str]) -> float:
    """One run in a fresh process and an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, *(arg.format(folder=f"{folder}/report") for arg in args)]
        start = time.perf_counter()
        subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=True)
        return time.perf_counter() - start


def main() -> None:
    """Print the least of a few runs of each, and what is above bare Python."""
    least = {name: min(seconds(args) for _ in range(REPEATS.get(name, 5))) for name, args in COMMANDS.items()}
    bare = least["bare Python"]
    for name, taken in least.items():
        click.echo(f"{name:<30}{taken:>8.3f} s{f'  {taken - bare:+.3f} s above bare Python' if name != 'bare Python' else ''}")


if __name__ == "__main__":
    main()
