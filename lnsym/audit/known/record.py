"""What is known of an implementation before it is measured. Imports the standard library only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Known:
    """An implementation: what it is called, the packages that it needs and whose versions are told, and where the audit finds it.

    `subject` is a spec, or makes one for a format in a folder that is there for the time of the audit. `about` is one sentence.
    """

    name: str
    about: str
    packages: tuple[str, ...]
    framework: str
    subject: str | Callable[[Path, str], str]
    grad: str | None = None
    formats: tuple[str, ...] = ("float64", "float32", "float16")

    def spec(self, folder: Path, fmt: str) -> str:
        """Where the subject of this format is."""
        return self.subject if isinstance(self.subject, str) else self.subject(folder, fmt)
