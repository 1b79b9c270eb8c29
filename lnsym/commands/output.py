"""Files that a command writes at its user's wish: never over what is not lnsym's own, and whole or not at all. Imports up to the report."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lnsym.errors import LnsymError
from lnsym.report.files import write_whole


class OutputError(LnsymError):
    """A file that cannot be written, or that is not lnsym's own."""


def refuse(
    out: Path, ours: Callable[[bytes], bool], force: bool, example: str, *, option: str = "-o", otherwise: str = "is not as lnsym wrote it"
) -> None:
    """Refuse to write where there is no folder, over what is no file, or over a file that is not ours: that `otherwise` is said of."""
    with _reachable(out, "look at", option):
        if out.is_dir():
            raise OutputError(f"{option}: {out} is a folder; name a file in it, such as {out / example}")
        if not out.parent.is_dir():
            raise OutputError(f"{option}: there is no folder {out.parent}; make it first, or name another")
        if out.is_symlink() or (out.exists() and not out.is_file()):
            raise OutputError(f"{option}: {out} is a link or a device, not a file; name another")
        if not os.access(out.parent, os.W_OK):
            raise OutputError(f"{option}: {out} cannot be written here; name another folder")
        if out.exists() and not force and not ours(out.read_bytes()):
            raise OutputError(f"{option}: {out} exists and {otherwise}; name another file, or overwrite it with --force")


def write(out: Path, content: str, option: str = "-o") -> None:
    """Write the file, whole or not at all."""
    with _reachable(out, "write", option):
        write_whole(out, content.encode())


@contextmanager
def _reachable(out: Path, to: str, option: str) -> Iterator[None]:
    """What the system refuses becomes one line."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{option}: cannot {to} {out}: {error.strerror or error}; name another file") from None
