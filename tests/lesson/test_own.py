"""Lesson files of one's own: read from outside the package, and their authors' slips told with file and line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lnsym import library
from lnsym.commands.learn import of_course
from lnsym.lesson import book, own
from lnsym.lesson.own import read
from lnsym.lesson.records import Compute, LessonError, NextLine

GOOD = """\
from lnsym.lesson.records import Compute, Lesson, NextLine

LESSON = Lesson(
    title="The variance of the core",
    question="Is the variance of what comes out of a layer norm one?",
    theorems=("variance_core_eq",),
    idea="Almost: {variance_core_eq.1}. At {variance_core_eq.1.at} it is {variance_core_eq.1.value}.",
    tasks=(
        Compute("variance_core_eq", point=1),
        NextLine("variance_core_eq", step=2),
    ),
)
"""


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "my_lesson.py"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def told(folder: Path, text: str | bytes) -> str:
    """What is said of a file, without its folder."""
    with pytest.raises(LessonError) as caught:
        read(write(folder, text))
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{folder}/", "")


def test_a_lesson_from_outside_the_package(tmp_path: Path) -> None:
    assert book.lessons()
    assert library.book().derivations  # what the course itself needs is read before
    before = set(sys.modules)
    name, lesson = read(write(tmp_path, GOOD))
    assert (name, lesson.title) == ("my_lesson", "The variance of the core")
    assert [task.id for task in book.tasks(name, lesson)] == ["my_lesson.1", "my_lesson.2"]
    assert lesson.tasks == (Compute("variance_core_eq"), NextLine("variance_core_eq", step=2))
    assert set(sys.modules) == before


def test_the_example_of_the_documentation_can_be_read(tmp_path: Path) -> None:
    assert own.__doc__ is not None
    example = own.__doc__.split("made of:\n\n")[1].split("\n\n`lnsym learn")[0]
    name, lesson = read(write(tmp_path, "\n".join(line[4:] for line in example.split("\n"))))
    assert (name, len(lesson.tasks)) == ("my_lesson", 2)


def test_a_file_with_the_name_of_a_module_hides_none(tmp_path: Path) -> None:
    path = tmp_path / "json.py"
    path.write_text(GOOD)
    assert read(path)[0] == "json"
    assert not hasattr(sys.modules["json"], "LESSON")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tasks=(", 'figure="barz", tasks=(', "line 8: there is no figure 'barz'; the figures are bars, "),
        ("step=2", "step=9", "line 10: task 2 (NextLine): the calculation of claim 1 of variance_core_eq has 4 steps"),
        ('("variance_core_eq",)', '("variance_core_qe",)', "line 6: theorem 1: the book has no theorem 'variance_core_qe'"),
        ('("variance_core_eq",)', '("my_theorem",)', "one of your own must first stand in the book, as a file in a chapter of derivations"),
        ("variance_core_eq.1.value", "variance_core_eq.7", "line 7: idea: {variance_core_eq.7}: variance_core_eq has 2 claims"),
        ("layer norm one?", "layer {norm one?", "line 5: question: a brace stands alone"),
        ('("variance_core_eq",)', '("variance_core_eq")', "line 6: theorems is a text, expected a tuple: theorems=(..., ), with a comma"),
        ('("variance_core_eq",)', '["variance_core_eq"]', "line 6: theorems is a list, expected a tuple"),
        ('("variance_core_eq",)', "(3,)", "line 6: an entry of theorems is a number, expected a name in quotes"),
        ('("variance_core_eq",)', "()", "line 6: the lesson names no theorem"),
        ('Compute("variance_core_eq", point=1)', '"hello"', "line 9: task 1 (str): "),
        ("point=1", 'point="1"', "line 9: task 1 (Compute): point is a text, expected a whole number"),
        ("point=1", "point=True", "line 9: task 1 (Compute): point is of the kind bool, expected a whole number"),
        ('title="The variance of the core"', "title=3", "line 4: title is a number, expected a text in quotes"),
        ('title="The variance of the core"', 'title=" "', "line 4: title is empty; write a sentence"),
        ("title=", "tilte=", "line 4: Lesson(...) got an unexpected keyword argument 'tilte'; it takes title, question, theorems, idea"),
        ('    title="The variance of the core",\n', "", "line 3: Lesson(...) missing 1 required positional argument: 'title'"),
        ("import Compute, Lesson,", "import Lesson,", "line 9: NameError: name 'Compute' is not defined; the records"),
        ('        NextLine("v', '        NxtLine("v', "`from lnsym.lesson.records import NextLine`"),
        ("import Compute", "import Computer", "line 1: ImportError: cannot import name 'Computer'"),
        ("    tasks=(", '    after=("nowhere",),\n    tasks=(', "line 8: there is no lesson 'nowhere' for this one to come after"),
        ("    ),\n)", "    )", "line 3: this is not Python: '(' was never closed; mend the line"),
        ("LESSON =", "MINE =", "my_lesson.py defines no LESSON; rename MINE to LESSON"),
        ("LESSON = Lesson(", "LESSON = dict(", "line 3: LESSON is a dictionary, expected a Lesson; write LESSON = Lesson(title="),
        ("LESSON =", "1/0\nLESSON =", "line 3: ZeroDivisionError: division by zero; mend the line"),
        ("LESSON =", "raise SystemExit\nLESSON =", "the file ends the program when it is read"),
    ],
)  # fmt: skip
def test_an_authors_slip_is_told_with_its_line(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert GOOD.count(old) == 1 or old in ("variance_core_eq.1.value", '("variance_core_eq",)')
    said = told(tmp_path, GOOD.replace(old, new))
    assert said.startswith("my_lesson.py")
    assert message in said


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "defines no LESSON; write LESSON = Lesson("), (b"x = 1\n\0", "this is not Python"), (b"\xff\xfe\x00", "this is not Python"),
     (b"LESSON = 3", "line 1: LESSON is a number"), (b"#" * 1_000_001, "a lesson file is short")],
)  # fmt: skip
def test_files_that_are_no_lessons(content: bytes, message: str, tmp_path: Path) -> None:
    assert message in told(tmp_path, content)


def test_a_file_that_is_not_there_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match=r"cannot read .*nope\.py: No such file or directory; name a Python file that holds LESSON"):
        read(tmp_path / "nope.py")
    with pytest.raises(LessonError, match="is a folder; name a lesson file in it"):
        read(tmp_path)


def test_a_file_in_the_place_of_a_name_is_told_how_it_is_taught() -> None:
    with pytest.raises(LessonError, match=r"my_lesson\.py is a file, .*; write lnsym learn --from my_lesson\.py$"):
        of_course("my_lesson.py")
