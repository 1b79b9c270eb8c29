"""The notebook: its form and bytes, what its cells say, and the whole of it executed with answers filled in."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import lnsym
from lnsym.commands import learn
from lnsym.commands.output import OutputError
from lnsym.lesson import answer, book
from lnsym.lesson.notebook import Said, notebook
from lnsym.lesson.records import LessonError

COURSE = [(name, lesson, "") for name, lesson in book.lessons().items()]
TWO = [one for one in COURSE if one[0] in ("variance", "core_variance")]

OWN = """\
from lnsym.lesson.records import Lesson, NextLine

LESSON = Lesson("Mine", "Why?", ("variance_core_eq",), "So: {variance_core_eq.1}.", (NextLine("variance_core_eq", step=2),))
"""


def run(lesson: str | None = None, *, own: Path | None = None, out: Path | None = None, force: bool = False) -> int:
    return learn.run(lesson=lesson, own=own, depth=None, step=False, again=False, notebook=True, web=False, out=out, force=force)


def cells(made: str) -> list[dict[str, Any]]:
    return list(json.loads(made)["cells"])


# ---------------------------------------------------------------- the file


def test_its_form_is_the_one_of_nbformat() -> None:
    data = json.loads(notebook(TWO))
    assert sorted(data) == ["cells", "metadata", "nbformat", "nbformat_minor"]
    assert (data["nbformat"], data["nbformat_minor"]) == (4, 5)
    for cell in data["cells"]:
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", cell["id"])
        extra = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | extra
        if extra:
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
    ids = [cell["id"] for cell in data["cells"]]
    assert len(set(ids)) == len(ids)


def test_the_bytes_are_the_same_every_time() -> None:
    assert notebook(TWO) == notebook(TWO)


def test_every_task_has_its_words_and_an_empty_answer() -> None:
    found = {cell["id"]: cell["source"] for cell in cells(notebook(TWO))}
    for name, lesson, _ in TWO:
        for number, task in enumerate(book.tasks(name, lesson, "markdown"), 1):
            assert found[f"{name}-answer-{number}"] == f'answer("{name}.{number}", "")'
            assert found[f"{name}-task-{number}"].startswith(f"### Task {number}\n\n")
            assert all(f"{letter}) " in found[f"{name}-task-{number}"] for letter, _ in zip("abcd", task.choices, strict=False))
        assert found[f"{name}-idea"].startswith(f"# {lesson.title}\n\n> ")
        assert "<details>" in found[f"{name}-derivation"]


def test_statements_are_proved_or_refuted() -> None:
    """Two true ones of each lesson and two false ones, as far as they can be typed."""
    verdicts = [eval(cell["source"], {"lnsym": lnsym}).verdict for cell in cells(notebook(TWO)) if "-check-" in cell["id"]]
    assert verdicts == ["proved", "proved", "refuted", "refuted"] * 2


# ---------------------------------------------------------------- what the cells call


@pytest.mark.parametrize(
    ("task", "said", "shown"),
    [
        ("core_variance.2", "", "Type your answer between the quotes"),
        ("variance.1", " 2/3 ", "Correct."),
        ("variance.1", "1", "Not yet."),
        ("variance.3", "mean(z)", "\n  yours  1/2\n  exact  1/4"),
        ("variance.1", "2/(", "^"),
        ("variance.1", "=", "q = 2/3"),
    ],
)
def test_an_answer_is_marked(task: str, said: str, shown: str) -> None:
    assert shown in repr(answer(task, said))


def test_hints_come_one_by_one() -> None:
    first, second, all_of_them = (answer("variance.1", "?" * count).split("\n") for count in (1, 2, 9))
    assert first[:-1] == second[:1]
    assert '"???"' in second[-1]
    assert all_of_them[-1] == 'The solution is "=".'
    assert len(all_of_them) == len(book.tasks(*book.lesson("variance"))[0].hints) + 1


def test_a_text_shows_itself() -> None:
    assert repr(Said("line\nline")) == "line\nline"


@pytest.mark.parametrize("name", ["variance.99", "variance.0", "variance.x", "variance", "nowhere.1", ""])
def test_a_task_that_is_not_there(name: str) -> None:
    with pytest.raises(LessonError, match=r"there is no task|has no lesson"):
        answer(name, "1")


def test_a_lesson_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "my lesson.py"
    path.write_text(OWN)
    out = tmp_path / "mine.ipynb"
    assert run(own=path, out=out) == 0
    (source,) = (cell["source"] for cell in cells(out.read_text(encoding="utf-8")) if "-answer-" in cell["id"])
    assert source == f'answer("my lesson.1", "", file=\'{path}\')'
    said = eval(source.replace('""', '"mean(v^2)/s^2"'), {"answer": answer})
    assert said.startswith("Correct.")


# ---------------------------------------------------------------- the command


def test_it_is_written_and_answers_in_it_are_safe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "learn.ipynb"
    assert run("variance", out=out) == 0
    assert capsys.readouterr().out.splitlines() == [f"wrote {out}: 1 lesson, 8 tasks", f"Next: jupyter lab {out}"]
    assert run("variance", out=out) == 0  # the same bytes
    out.write_text(out.read_text(encoding="utf-8").replace('"variance.1\\", \\"', '"variance.1\\", \\"2/3'), encoding="utf-8")
    with pytest.raises(OutputError, match="--force"):
        run("variance", out=out)
    assert "2/3\\" in out.read_text(encoding="utf-8")
    assert run("variance", out=out, force=True) == 0


def test_a_lesson_in_the_terminal_is_something_else() -> None:
    with pytest.raises(LessonError, match="--depth, --step and --again are for a lesson in the terminal"):
        learn.run(
            lesson="variance", own=None, depth=2, step=False, again=False, notebook=True, web=False, out=None, force=False
        )  # fmt: skip


# ---------------------------------------------------------------- executed


def typed(task: Any) -> str:
    """A right answer to a task, as one types it; nothing where the line cannot be typed."""
    from lnsym.notation import text

    return task.right or (text(task.target, ascii=True) if task.target is not None else "")


@pytest.mark.notebook
@pytest.mark.parametrize("filled", [False, True])
def test_the_whole_course_is_executed(filled: bool) -> None:
    nbclient, nbformat = import_module("nbclient"), import_module("nbformat")
    made = nbformat.reads(notebook(COURSE), 4)
    nbformat.validate(made)
    answers = {task.id: typed(task) for name, lesson, _ in COURSE for task in book.tasks(name, lesson)}
    for cell in made.cells:
        found = re.fullmatch(r'answer\("([\w.]+)", ""\)', cell.source)
        if filled and found:
            cell.source = f"answer({found[1]!r}, {answers[found[1]]!r})"
    nbclient.NotebookClient(made, timeout=300, kernel_name="python3").execute()  # an error in a cell is an error here
    shown = {cell.id: cell.outputs[0].data["text/plain"] for cell in made.cells if cell.cell_type == "code" and cell.outputs}
    marks = [said for name, said in shown.items() if "-answer-" in name]
    assert len(marks) == len(answers)
    assert all(said.startswith("Correct" if filled else "Type your answer") for said in marks), [m for m in marks if m[:7] != "Correct"]
    assert all(said.startswith(("proved", "refuted")) for name, said in shown.items() if "-check-" in name)
