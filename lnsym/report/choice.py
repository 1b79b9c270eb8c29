"""What a reader asks for, and what others found out for the report. Imports the records, emit and refute's points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lnsym.emit.build import Emitted
from lnsym.refute import Counterexample
from lnsym.report.records import Badge


@dataclass(frozen=True)
class Choice:
    """What a reader asked for: these theorems only (none: all), the notation, and whether SymPy is left out."""

    only: tuple[str, ...] = ()
    notation: str = "both"
    quick: bool = False

    @property
    def command(self) -> str:
        """The command that writes this report again."""
        options = [f"--only {name}" for name in self.only]
        options += [f"--notation {self.notation}"] if self.notation != "both" else []
        options += ["--quick"] if self.quick else []
        return " ".join(("lnsym report", *options))


@dataclass(frozen=True)
class Findings:
    """What others found.

    Counterexamples to the near misses by theorem; SymPy's badges by theorem and claim, None if not asked; the emitted module of each tier,
    none in a report of some theorems only.
    """

    against: Mapping[str, Sequence[Counterexample | None]]
    opinions: Mapping[tuple[str, int], tuple[Badge, ...]] | None = None
    code: Mapping[str, Emitted] = field(default_factory=dict)
