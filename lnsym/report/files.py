"""Files of a report: compared with what lies in a folder, or written there one by one, each whole or not at all. Standard library only."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path

from lnsym.errors import LnsymError

MARK, HOLDS = "certificate.json", "lnsym certificate"  # the file that shows a folder to be ours, and what its head holds
Files = Mapping[str, bytes]


class Unwritable(LnsymError):
    """A folder that cannot be written or read."""


class ForeignFolder(LnsymError):
    """A folder with files that are not a report; nothing in it is overwritten."""


@contextmanager
def _reachable(folder: Path, to: str) -> Iterator[None]:
    """What the system refuses becomes one line: the folder, the reason and the remedy."""
    try:
        yield
    except OSError as error:
        raise Unwritable(f"cannot {to} {folder}: {error.strerror or error}; give another folder with -o") from None


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder that holds something, but no report of ours."""
    with _reachable(folder, "read"):
        _refuse_foreign(folder)


def _refuse_foreign(folder: Path) -> None:
    if not folder.exists() or not any(folder.iterdir()):
        return
    mark = folder / MARK
    if mark.is_file() and HOLDS in mark.read_text(encoding="utf-8", errors="replace"):
        return
    first = min(path.name for path in folder.iterdir())
    raise ForeignFolder(
        f"expected an empty folder or one with a report, but {folder} holds other files, {first} for one; "
        "nothing was written: give another folder with -o"
    )


def write(files: Files, folder: Path) -> None:
    """Write the files; each appears under its name only when it is complete."""
    refuse_foreign(folder)
    with _reachable(folder, "write into"):
        _write(files, folder)


def _write(files: Files, folder: Path) -> None:
    for name, content in sorted(files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)


def write_whole(path: Path, content: bytes) -> None:
    """Write one file; it appears under its name only when it is complete, with the rights that this process gives to new files."""
    mask = os.umask(0)
    os.umask(mask)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".lnsym-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(draft).chmod(0o666 & ~mask)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def differences(files: Files, folder: Path) -> list[str]:
    """For each file that differs from the folder's: its name and the first line that differs."""
    return [found for name, content in sorted(files.items()) if (found := _difference(content, folder / name))]


def _difference(expected: bytes, path: Path) -> str | None:
    if not path.is_file():
        return f"{path}: missing"
    got = path.read_bytes()
    if got == expected:
        return None
    for number, (ours, theirs) in enumerate(zip_longest(expected.split(b"\n"), got.split(b"\n")), 1):
        if ours != theirs:
            return f"{path}, line {number} differs\n  expected: {_around(ours, theirs)}\n  got:      {_around(theirs, ours)}"
    raise AssertionError("two contents differ and no line of theirs does")


def _around(line: bytes | None, other: bytes | None) -> str:
    """The line, or where it is long the part of it around the first difference."""
    if line is None:
        return "(the file ends)"
    start = next((n for n, (a, b) in enumerate(zip(line, other or b"", strict=False)) if a != b), min(len(line), len(other or b"")))
    low = max(0, start - 60)
    text = line[low : low + 160].decode("utf-8", errors="replace")
    return ("…" if low else "") + text + ("…" if low + 160 < len(line) else "")
