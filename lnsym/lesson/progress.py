"""What a learner has tried and solved, kept as JSON under XDG_DATA_HOME: changed under a lock, replaced whole. Imports the records.

Every change reads the file again, changes one task and replaces the file: two processes lose nothing to each other, and an interrupt
leaves the old file or the new one. Where nothing can be kept, the lesson goes on without it, and `notices` says so.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from lnsym.lesson.records import Task

SCHEMA = "lnsym.progress/1"
ANSWERS = 40  # kept of one task


@dataclass(frozen=True)
class Work:
    """What is kept of one task: the answers in the order given, whether one was right, and what was looked at."""

    answers: tuple[str, ...] = ()
    solved: bool = False
    hints: int = 0
    shown: bool = False  # the solution


def folder() -> Path:
    """Where lnsym keeps data of its user."""
    told = os.environ.get("XDG_DATA_HOME", "")
    return (Path(told) if Path(told).is_absolute() else Path.home() / ".local" / "share") / "lnsym"


class Progress:
    """All that is kept, by task. `notices` holds what the learner must be told: each is said once, by who takes it out."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or folder() / "progress.json"
        self.notices: list[str] = []
        self.kept = True
        self._work: dict[str, Work] = {}
        if self.path.exists():
            self._attempt(self._read)

    def of(self, task: Task, origin: str = "") -> Work:
        """What is kept of a task; `origin` tells lessons from a file of one's own apart."""
        return self._work.get(key(task, origin), Work())

    def knows(self, lesson: str, origin: str = "") -> bool:
        """Whether anything is kept of a lesson, as it stands or as it stood."""
        return any(name.startswith(f"{origin}{lesson}: ") for name in self._work)

    def solved(self, tasks: Sequence[Task], origin: str = "") -> int:
        """How many of these are solved."""
        return sum(self.of(task, origin).solved for task in tasks)

    def begun(self, tasks: Sequence[Task], origin: str = "") -> bool:
        """Whether anything is kept of these."""
        return any(self.of(task, origin) != Work() for task in tasks)

    # ---- changes

    def tried(self, task: Task, answer: str, origin: str = "") -> None:
        """An answer was given; before it is marked, so that an interrupt does not lose it."""
        self._change(key(task, origin), lambda work: replace(work, answers=(*work.answers, answer)[-ANSWERS:]))

    def done(self, task: Task, origin: str = "") -> None:
        """The last answer was right."""
        self._change(key(task, origin), lambda work: replace(work, solved=True))

    def hinted(self, task: Task, hints: int, origin: str = "") -> None:
        """So many hints were given."""
        self._change(key(task, origin), lambda work: replace(work, hints=max(hints, work.hints)))

    def revealed(self, task: Task, origin: str = "") -> None:
        """The solution was shown."""
        self._change(key(task, origin), lambda work: replace(work, shown=True))

    def _change(self, name: str, change: Callable[[Work], Work]) -> None:
        def under_lock() -> None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with _locked(self.path.with_suffix(".lock")):
                if self.path.exists():
                    self._read()
                if self.kept:
                    self._work[name] = change(self._work.get(name, Work()))
                    self._write()

        if self.kept:
            self._attempt(under_lock)
        if not self.kept:
            self._work[name] = change(self._work.get(name, Work()))

    def _attempt(self, action: Callable[[], None]) -> None:
        try:
            action()
        except OSError as error:
            self._lost(f"{self.path}: {error.strerror or error}; name a folder of your own in XDG_DATA_HOME")

    def _lost(self, why: str) -> None:
        self.kept = False
        self.notices.append(f"Your progress cannot be kept: {why}. The lesson goes on without it.")

    # ---- the file

    def _read(self) -> None:
        text = self.path.read_bytes()
        try:
            data = json.loads(text)
            if newer := isinstance(data, dict) and str(data.get("schema", "")).startswith("lnsym.progress/") and data["schema"] != SCHEMA:
                self._lost(f"{self.path} was written by another lnsym, in the form {data['schema']}; this one writes {SCHEMA}")
            self._work |= {} if newer else _works(data)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._set_aside()

    def _set_aside(self) -> None:
        """Keep a file that cannot be read under another name."""
        number = next(n for n in range(1, 10**6) if not self._aside(n).exists())
        self.path.replace(self._aside(number))
        self.notices.append(f"{self.path} cannot be read; it is kept as {self._aside(number).name}, and your progress begins anew.")

    def _aside(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.unreadable-{number}")

    def _write(self) -> None:
        data = {"schema": SCHEMA, "tasks": {name: asdict(work) for name, work in sorted(self._work.items())}}
        handle, draft = tempfile.mkstemp(dir=self.path.parent, prefix=".progress-")
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                json.dump(data, file, indent=1)
            Path(draft).replace(self.path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise


def key(task: Task, origin: str = "") -> str:
    """What a task is called in the file: its lesson and what it asks, so that a task that is moved or reworded keeps its work."""
    asked = (task.theorem, task.lines, task.target, sorted(task.choices), task.prompt if task.kind == "predict" else "")
    return f"{origin}{task.id.rpartition('.')[0]}: {task.kind} {sha256(repr(asked).encode()).hexdigest()[:12]}"


def _works(data: Any) -> dict[str, Work]:
    """The tasks of a file that was read; an error of some kind where it is not ours."""
    if data["schema"] != SCHEMA:
        raise ValueError
    found: dict[str, Work] = {}
    for name, value in data["tasks"].items():
        answers, solved, hints, shown = (value[one] for one in ("answers", "solved", "hints", "shown"))
        if not (isinstance(solved, bool) and isinstance(shown, bool) and isinstance(hints, int) and isinstance(answers, list)):
            raise TypeError
        found[name] = Work(tuple(map(str, answers)), solved, hints, shown)
    return found


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """Alone with the progress file among all processes that ask."""
    with path.open("ab") as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield file
