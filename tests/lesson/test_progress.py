"""What is kept of a learner's work: across processes, through interrupts, and from files that cannot be read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lnsym.derivations.definitions import q

from lnsym.lesson import book
from lnsym.lesson.progress import ANSWERS, SCHEMA, Progress, Work, folder, key

TASKS = book.tasks(*book.lesson("variance"))
FIRST, SECOND = TASKS[:2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lnsym" / "progress.json"


def test_the_folder_is_the_one_of_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert folder() == tmp_path / "lnsym"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # to be ignored, says the standard
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder() == tmp_path / ".local" / "share" / "lnsym"


def test_nothing_is_written_before_there_is_something(path: Path) -> None:
    assert Progress(path).of(FIRST) == Work()
    assert not path.parent.exists()


def test_what_is_done_is_there_again(path: Path) -> None:
    mine = Progress(path)
    mine.tried(FIRST, "q + é²")
    mine.tried(FIRST, "2/3")
    mine.done(FIRST)
    mine.hinted(SECOND, 2)
    mine.hinted(SECOND, 1)
    mine.revealed(SECOND)
    again = Progress(path)
    assert again.of(FIRST) == Work(("q + é²", "2/3"), solved=True)
    assert again.of(SECOND) == Work(hints=2, shown=True)
    assert (again.solved(TASKS), again.begun(TASKS), again.begun(TASKS[2:])) == (1, True, False)
    assert again.knows("variance")
    assert not again.knows("core")
    assert json.loads(path.read_text())["schema"] == SCHEMA
    assert sorted(one.name for one in path.parent.iterdir()) == ["progress.json", "progress.lock"]


def test_only_the_last_answers_are_kept(path: Path) -> None:
    mine = Progress(path)
    for number in range(ANSWERS + 2):
        mine.tried(FIRST, str(number))
    assert Progress(path).of(FIRST).answers == tuple(str(number) for number in range(2, ANSWERS + 2))


def test_lessons_of_ones_own_are_apart(path: Path) -> None:
    mine = Progress(path)
    mine.done(FIRST, "/course/variance.py")
    assert not mine.of(FIRST).solved
    assert mine.of(FIRST, "/course/variance.py").solved
    assert not mine.knows("variance")


# ---------------------------------------------------------------- the key of a task


def test_a_task_that_is_moved_or_reworded_keeps_its_work() -> None:
    assert key(replace(FIRST, id="variance.7", prompt="Find q.", hints=(), solution=())) == key(FIRST)


def test_a_task_that_asks_something_else_is_another() -> None:
    assert len({key(task) for task in TASKS}) == len(TASKS)
    assert key(replace(FIRST, target=q)) != key(FIRST)
    assert key(replace(FIRST, id="core.1")) != key(FIRST)


def test_keys_are_the_same_in_every_process() -> None:
    code = "from lnsym.lesson import book, progress; print(*map(progress.key, book.tasks(*book.lesson('variance'))), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [key(task) for task in TASKS]


# ---------------------------------------------------------------- two processes, interrupts


WRITER = """
import sys
from pathlib import Path
from lnsym.lesson import book
from lnsym.lesson.progress import Progress

mine = Progress(Path(sys.argv[1]))
for number in range(15):
    for task in book.tasks(*book.lesson("variance"))[:2]:
        mine.tried(task, f"{sys.argv[2]} {number}")
"""


def test_two_processes_lose_nothing_to_each_other(path: Path) -> None:
    both = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in ("one", "two")]
    assert [process.wait(120) for process in both] == [0, 0]
    kept = Progress(path)
    for task in TASKS[:2]:
        assert sorted(kept.of(task).answers) == sorted(f"{name} {number}" for name in ("one", "two") for number in range(15))


def test_an_interrupt_while_writing_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Progress(path)
    mine.done(FIRST)
    before = path.read_bytes()

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(json, "dump", interrupted)
    with pytest.raises(KeyboardInterrupt):
        mine.done(SECOND)
    assert path.read_bytes() == before
    assert sorted(one.name for one in path.parent.iterdir()) == ["progress.json", "progress.lock"]


# ---------------------------------------------------------------- files that cannot be used


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[]", b"null", b"{}", b'{"schema": 1, "tasks": {}}', b'{"schema": "lnsym.progress/1", "tasks": 3}',
     b'{"schema": "lnsym.progress/1", "tasks": {"a": {}}}', b"[" * 100_000,
     b'{"schema": "lnsym.progress/1", "tasks": {"a": {"answers": "x", "solved": true, "hints": 0, "shown": false}}}',
     b'{"schema": "lnsym.progress/1", "tasks": {"a": {"answers": [], "solved": "yes", "hints": 0, "shown": false}}}'],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_kept_aside_and_said(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    (path.parent / "progress.json.unreadable-1").write_bytes(b"an older one")
    mine = Progress(path)
    assert len(mine.notices) == 1
    assert "progress.json.unreadable-2" in mine.notices[0]
    assert (path.parent / "progress.json.unreadable-2").read_bytes() == content
    assert (path.parent / "progress.json.unreadable-1").read_bytes() == b"an older one"
    mine.done(FIRST)
    assert Progress(path).of(FIRST).solved


def test_a_file_that_breaks_while_a_lesson_runs_loses_nothing_of_it(path: Path) -> None:
    mine = Progress(path)
    mine.done(FIRST)
    path.write_bytes(b"broken")
    mine.done(SECOND)
    assert len(mine.notices) == 1
    assert Progress(path).solved(TASKS) == 2


def test_a_file_of_a_newer_lnsym_is_left_alone(path: Path) -> None:
    path.parent.mkdir(parents=True)
    content = b'{"schema": "lnsym.progress/2", "tasks": []}'
    path.write_bytes(content)
    mine = Progress(path)
    mine.done(FIRST)
    assert "lnsym.progress/2" in mine.notices[0]
    assert path.read_bytes() == content
    assert mine.of(FIRST).solved  # as long as this process runs


@pytest.mark.parametrize("blocked", ["a file in the way", "a folder in the way"])
def test_where_nothing_can_be_kept_the_lesson_goes_on(path: Path, blocked: str) -> None:
    if blocked == "a file in the way":
        path.parent.write_bytes(b"")
    else:
        path.mkdir(parents=True)
    mine = Progress(path)
    mine.done(FIRST)
    mine.done(SECOND)
    assert len(mine.notices) == 1
    assert "XDG_DATA_HOME" in mine.notices[0]
    assert mine.solved(TASKS) == 2


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="rights bind nobody here")
def test_a_folder_without_rights(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.parent.chmod(0o500)
    mine = Progress(path)
    mine.done(FIRST)
    assert len(mine.notices) == 1
