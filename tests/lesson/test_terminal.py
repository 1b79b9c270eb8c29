"""`lnsym learn` through a pseudo-terminal of 80 columns, as a learner meets it, and what it prints where nobody sits."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lnsym.lesson import book, lines
from lnsym.lesson.lines import Teller, marked, names, plain, question, typed, window
from lnsym.lesson.marking import mark
from lnsym.lesson.records import Mark, Task
from lnsym.notation import text
from tests.lesson.terminal import Terminal

LNSYM = [sys.executable, "-m", "lnsym"]
COURSE = book.lessons()
THREE = list(COURSE)[:3]
WRONG = {"compute": "-17", "next line": "mean(z)+q+17", "coefficient": "q + 17"}
UNREADABLE = "2*(q"

Start = Callable[..., Terminal]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "LANG": "C.UTF-8", "NO_COLOR": "1",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }  # fmt: skip


@pytest.fixture
def start(environment: dict[str, str]) -> Iterator[Start]:
    running: list[Terminal] = []

    def begin(*args: str, **more: str) -> Terminal:
        running.append(Terminal([*LNSYM, "learn", *args], {**environment, **more}))
        return running[-1]

    yield begin
    for terminal in running:
        if terminal.code == -1:
            terminal.stop()


def right(task: Task) -> str:
    """A right answer, as one types it."""
    return task.right or (text(task.target, ascii=True) if task.target is not None else "")


def fits(terminal: Terminal) -> bool:
    """Whether what was said is readable at 80 columns, as plain lines one after the other."""
    typed_lines = re.compile(r"^(?:> |Enter goes on, quit leaves: ).*$", re.MULTILINE)
    assert "\x1b" not in terminal.raw.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")
    assert not re.search(r"[─-╿█-▟⠀-⣿]|\r(?!\r?\n)", terminal.raw.replace("\x1b[?2004l\r", ""))
    return all(len(line) <= 80 for line in typed_lines.sub("", terminal.said).splitlines())


def kept(folder: Path) -> dict[str, dict[str, object]]:
    return dict(json.loads((folder / "lnsym" / "progress.json").read_text())["tasks"])


# ---------------------------------------------------------------- from first launch to the end of three lessons


def test_from_first_launch_to_the_end_of_three_lessons(start: Start, tmp_path: Path) -> None:
    first = start()
    assert first.end() == 0
    assert first.said.splitlines()[0].startswith(f"The course has {len(COURSE)} lessons.")
    assert first.said.count("  open") == len(COURSE)
    assert first.said.splitlines()[-1] == "Next: lnsym learn 1"
    assert fits(first)

    terminal = start("1")
    shown = terminal.until()
    for number, name in enumerate(THREE, 1):
        lesson, tasks = COURSE[name], book.tasks(name, COURSE[name])
        assert f"Lesson {number}. {lesson.title}\n" in shown
        for place, task in enumerate(tasks, 1):
            assert f"\nTask {place} of {len(tasks)}: " in shown
            terminal_says = [line for line in question(task, 80) if line.strip()]
            assert all(line in shown for line in terminal_says)
            if task.kind in WRONG:
                assert "\n  yours  " in (said := terminal.type(WRONG[task.kind])) or "Not yet" in said
                assert f"(? hint 1 of {len(task.hints)}, = solution, skip)" in said
                assert "^" in terminal.type(UNREADABLE)
                assert f"Hint 1 of {len(task.hints)}: " in terminal.type("?")
            shown = terminal.type(right(task))
            assert "Correct" in shown
            assert "The model solution:" in shown
        assert f"Lesson {number}. {lesson.title}: done.\n" in shown
        assert f"Next is Lesson {number + 1}. " in shown
        if number < len(THREE):
            shown = terminal.type("")
    terminal.type("quit", "Next: lnsym learn 4\n")
    assert terminal.end() == 0
    assert fits(terminal)
    assert sum(bool(work["solved"]) for work in kept(tmp_path).values()) == sum(len(COURSE[name].tasks) for name in THREE)

    again = start()
    assert again.end() == 0
    assert (again.said.count("  done"), again.said.splitlines()[-1]) == (3, "Next: lnsym learn 4")


def test_every_step_is_told_where_it_is_asked_for(start: Start) -> None:
    terminal = start("jacobian")
    terminal.until()
    shown = terminal.type("steps")
    assert "         The quotient rule. [the rules of differentiation]\n" in shown
    assert shown.index("The quotient rule.") < shown.index("\nTask 1 of 8: the next line\nWrite the next line.\n")
    assert "Correct." in terminal.type("∂(v_i/s)/∂z_j")
    assert fits(terminal)


# ---------------------------------------------------------------- leaving and coming back


@pytest.mark.parametrize(
    ("leave", "code", "said"),
    [(b"\x03", 130, "Interrupted. All is kept."), (b"\x04", 0, "All is kept."), (b"quit\n", 0, "All is kept.")],
)
def test_leaving_loses_nothing_and_coming_back_goes_on(leave: bytes, code: int, said: str, start: Start, tmp_path: Path) -> None:
    tasks = book.tasks("variance", COURSE["variance"])
    terminal = start("variance")
    terminal.until()
    terminal.type(right(tasks[0]))
    terminal.type("q + 1")
    terminal.type("?")
    terminal.press(leave)
    terminal.until(re.escape(f"{said} Go on with: lnsym learn variance\n"))
    assert terminal.end() == code
    assert fits(terminal)

    back = start("variance")
    shown = back.until()
    assert "Lesson 2. Variance\nYou come back: 1 of 8 tasks are solved.\nThe idea again: lnsym learn variance --depth 1\n" in shown
    assert "Task 2 of 8" in shown
    assert "Task 1 of 8" not in shown
    assert "Tried so far: q + 1\nHint 1 of 3: " in shown
    assert "Hint 2 of 3: " in back.type("?")
    assert "Task 3 of 8" in back.type(right(tasks[1]))
    assert f"Solved before with {right(tasks[1])}\n" in back.type("back")
    assert "Task 1 of 8" in back.type("back")
    assert "This is the first task." in back.type("back")
    back.type("quit", "kept")
    assert back.end() == 0


def test_an_interrupt_while_an_answer_is_marked_keeps_the_answer(start: Start, tmp_path: Path) -> None:
    terminal = start("jacobian")
    terminal.until()
    terminal.press(b"D(v_i,z_j)/s - u_i*dot(v,v)*mean(v^3)/s^7\n")
    while not (tmp_path / "lnsym" / "progress.json").exists():  # an answer is kept before it is marked
        time.sleep(0.001)
    terminal.press(b"\x03")
    terminal.until("All is kept")
    assert terminal.end() == 130
    assert [work["answers"] for work in kept(tmp_path).values()] == [["D(v_i,z_j)/s - u_i*dot(v,v)*mean(v^3)/s^7"]]


def test_what_is_skipped_stays_open(start: Start) -> None:
    tasks = book.tasks("variance", COURSE["variance"])
    terminal = start("variance")
    terminal.until()
    for task in tasks[:-1]:
        terminal.type("skip" if task.id == "variance.2" else right(task))
    shown = terminal.type(right(tasks[-1]), "Next: .*\n")
    assert "Lesson 2. Variance: task 2 is still open.\nNext: lnsym learn variance\n" in shown
    assert terminal.end() == 0
    again = start("variance", "--again")
    assert "Task 1 of 8" in again.until()


def test_hints_solution_help_and_the_question_again(start: Start, tmp_path: Path) -> None:
    terminal = start("jacobian")
    terminal.until()
    task = book.tasks("jacobian", COURSE["jacobian"])[0]
    for number, hint in enumerate(task.hints, 1):
        assert f"Hint {number} of 3: {hint.split()[0]}" in terminal.type("?")
    assert "There are no more hints; = shows the solution.\n" in terminal.type("?")
    shown = terminal.type("=")
    assert "The model solution:\n     = ∂/∂zⱼ (vᵢ/s)\n" in shown
    assert "Type it to have the task solved, or skip.\n" in shown
    shown = terminal.type("help")
    assert "The last line above is typed so: D(u_i, z_j)\n" in shown
    assert "Here u = v/s, v = z - μ, s = √(q + ε)" in shown
    assert "Write the next line." in terminal.type("")
    assert "The last line above is typed so: D(u_i, z_j)\n" in terminal.type("∂u/∂")
    assert "(= solution, skip)" in terminal.type("v_i")
    terminal.type("quit", "kept")
    assert terminal.end() == 0
    assert kept(tmp_path).popitem()[1] == {"answers": ["∂u/∂", "v_i"], "solved": False, "hints": 3, "shown": True}


def test_enter_takes_what_an_unreadable_answer_may_have_meant(start: Start) -> None:
    terminal = start("jacobian")
    terminal.until()
    for _ in range(3):
        terminal.type("skip")
    shown = terminal.type("P_ij/s - v_i v_j/(d s^3)")
    assert "Write * for a product" in shown
    assert "(Enter reads it so, ? hint 1 of 3, = solution, skip)\n" in shown
    assert "Correct" in terminal.type("")
    assert "Write the last line." in terminal.type("")  # Enter alone is the question again


def test_going_step_by_step(start: Start) -> None:
    terminal = start("core_variance", "--depth", "2", "--step")
    shown = [terminal.until()]
    while not re.search(r"Next: .*\n", shown[-1]):
        shown.append(terminal.type("", r"(?:: |Next: .*\n)$"))
    assert terminal.end() == 0
    assert fits(terminal)
    steps = [next((line.strip() for line in part.splitlines() if line.startswith("     =")), "") for part in shown]
    assert [line.split("  ")[0] for line in steps if line][:4] == ["= mean(u²)", "= mean(v²)/s²", "= q/s²", "= q/(q + ε)"]
    left = start("core_variance", "--step")
    left.until()
    left.type("quit", "kept")
    assert left.end() == 0


# ---------------------------------------------------------------- progress that cannot be read or kept


def test_a_progress_file_that_cannot_be_read_is_said_and_not_fatal(start: Start, tmp_path: Path) -> None:
    (tmp_path / "lnsym").mkdir()
    (tmp_path / "lnsym" / "progress.json").write_text("{broken")
    terminal = start("variance")
    assert "it is kept as progress.json.unreadable-1, and your progress begins anew." in " ".join(terminal.until().split())
    terminal.type(right(book.tasks("variance", COURSE["variance"])[0]))
    terminal.type("quit", "kept")
    assert terminal.end() == 0
    assert (tmp_path / "lnsym" / "progress.json.unreadable-1").read_text() == "{broken"
    assert len(kept(tmp_path)) == 1


def test_where_nothing_can_be_kept_the_lesson_goes_on(start: Start, tmp_path: Path) -> None:
    (tmp_path / "lnsym").write_text("a file in the way")
    terminal = start("variance")
    terminal.until()
    shown = terminal.type(right(book.tasks("variance", COURSE["variance"])[0]))
    assert "Your progress cannot be kept" in shown
    assert "Task 2 of 8" in shown
    terminal.type("quit", "Go on with")
    assert "All is kept" not in terminal.said


# ---------------------------------------------------------------- other terminals, and none


def test_a_terminal_without_unicode_gets_ascii(start: Start) -> None:
    terminal = start("jacobian", LANG="C", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii")
    terminal.until()
    terminal.type("help")
    terminal.type("quit", "kept")
    assert terminal.end() == 0
    assert terminal.said.isascii()
    assert "\\u" not in terminal.said
    assert "Given eps > 0" in terminal.said


def test_bytes_that_are_no_text_are_asked_again(start: Start) -> None:
    terminal = start("variance")
    terminal.until()
    terminal.press(b"2/3\xff\xfe\n")
    terminal.until()
    assert "Correct" in terminal.type("2/3")


def piped(environment: dict[str, str], *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*LNSYM, "learn", *args], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


@pytest.mark.many(3)
@pytest.mark.parametrize(("depth", "last"), [("", ", in a terminal"), ("1", " --depth 2"), ("2", " --depth 3"), ("3", ", in a terminal")])
def test_where_nobody_sits_the_lesson_is_printed(depth: str, last: str, environment: dict[str, str], tmp_path: Path) -> None:
    done = piped(environment, "core_variance", *(["--depth", depth] if depth else []))
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout
    assert shown.startswith("Lesson 5. The variance of the core\n")
    assert ("Task 1 of" in shown) == (depth in ("", "3"))
    assert ("s does not depend on the index" in shown) == (depth == "2")
    assert ("= ...  (task " in shown) == (depth == "3")
    assert "At z = (1, 2, 3), ε = 1/3: both sides are 2/3" in shown
    assert shown.splitlines()[-1] == f"Next: lnsym learn core_variance{last}"
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert not (tmp_path / "lnsym").exists()


@pytest.mark.many(4)
@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("jacobin",), "the course has no lesson 'jacobin'; did you mean jacobian"),
        (("99",), f"the course has lessons 1 to {len(COURSE)}; there is no lesson 99"),
        (("--depth", "2"), "which lesson? lnsym learn NAME, or its number"),
        (("--from", "nope.py"), "cannot read nope.py: No such file or directory"),
        (("1", "--from", "nope.py"), "--from nope.py is a lesson itself; leave out 1"),
        (("--notebook", "--web"), "--notebook and --web each write a file; ask for one of them"),
        (("1", "-o", "x.html"), "-o names the file of --notebook or --web; add one of them"),
        (("1", "--web"), "--web writes one page with all lessons of the course; leave out mean_and_deviations"),
        (("1", "--step", "--notebook"), "--depth, --step and --again are for a lesson in the terminal"),
    ],
)
def test_bad_input_is_one_line(args: tuple[str, ...], said: str, environment: dict[str, str]) -> None:
    done = piped(environment, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"lnsym: {said}")
    assert done.stderr.count("\n") == 1


def test_a_lesson_of_ones_own_is_taught_and_kept_apart(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "variance.py"  # the name of a lesson of the course
    path.write_text(
        "from lnsym.lesson.records import Compute, Lesson\n"
        'LESSON = Lesson("Mine", "Why?", ("variance_core_eq",), "So: {variance_core_eq.1}.", (Compute("variance_core_eq"),))\n'
    )
    terminal = start("--from", str(path))
    assert terminal.until().startswith("Mine\n\nWhy?\n\nSo: var(u) = q/(q + ε).\n")
    assert "Mine: done." in terminal.type("2/3")
    terminal.type("quit", "Next: lnsym learn 1\n")
    assert terminal.end() == 0
    assert "  done" not in piped({**os.environ, "XDG_DATA_HOME": str(tmp_path)}).stdout
    assert "All its tasks are solved." in start("--from", str(path)).until()


# ---------------------------------------------------------------- lines


@pytest.mark.many(3)
@pytest.mark.parametrize("name", COURSE)
def test_every_lesson_fits_80_columns(name: str) -> None:
    for depth in (1, 2, 3):
        parts = book.depth(name, COURSE[name], depth)
        made = [line for block in Teller(80).blocks(parts) for line in block]
        assert [line for line in made if len(line) > 80] == []
        assert all(plain(line).isascii() and plain(line).count("?") == line.count("?") for line in made)
    for task in book.tasks(name, COURSE[name]):
        assert [line for line in question(task, 80) if len(line) > 80] == []


@pytest.mark.many(3)
@pytest.mark.parametrize("name", COURSE)
def test_what_is_shown_as_typed_can_be_typed(name: str) -> None:
    for task in book.tasks(name, COURSE[name]):
        if task.kind == "next line" and typed(task):
            assert mark(task, typed(task)).verdict != "unreadable", typed(task)


def test_names_are_told_with_what_they_stand_for() -> None:
    (task,) = (task for task in book.tasks("jacobian", COURSE["jacobian"]) if task.id == "jacobian.1")
    assert names(task) == ["u = v/s", "v = z - μ", "s = √(q + ε)", "μ = mean(z)", "q = mean(v²)"]


def test_what_is_right_is_said_first_and_the_witness_is_aligned() -> None:
    task = book.tasks("jacobian", COURSE["jacobian"])[2]
    wrong = mark(task, "P[i,j]/s")
    assert wrong.witness is not None
    said = list(marked(wrong, 80))
    assert said[-2:] == [f"  yours  {wrong.witness.left}", f"  exact  {wrong.witness.right}"]
    assert said[-3] == f"At {wrong.witness.place}:"
    assert "yours" not in "".join(said[:-2])
    right_first = list(marked(Mark("different", "Not yet.", right="The first term is right."), 80))
    assert right_first == ["The first term is right.", "Not yet."]


def test_a_caret_far_to_the_right_is_shown_with_its_surroundings() -> None:
    long = "a+" * 100
    said, below = window(f"{long}\n{' ' * 150}^", 40)
    assert (len(said), said[below.index("^")]) == (40, long[150])
    assert window("2q(\n  ^", 40) == ["2q(", "  ^"]


def test_plain_letters() -> None:
    assert plain("∂uᵢ/∂zⱼ = r·(δᵢⱼ - (1 + uᵢ·uⱼ)/d) ≤ √ε ‖v‖² → □") == "du_i/dz_j = r*(delta_ij - (1 + u_i*u_j)/d) <= sqrt eps |v|^2 -> _"
    assert lines.plain("naïve 漢") == "naive ?"


def test_numbers_at_one_point_are_told_in_a_line_each() -> None:
    """The point and how they were found stand beside the first."""
    told = [line for block in Teller(80).blocks(book.depth("core_variance", COURSE["core_variance"], 1)) for line in block]
    first = told.index("  μ = 2  [evaluated exactly]")
    assert told[first : first + 5] == [
        "  μ = 2  [evaluated exactly]",
        "     At z = (1, 2, 3), ε = 1/3",
        "  q = 2/3",
        "  q + ε = 1",
        "  u₁ = -1",
    ]
    second = told.index("  q + ε = 2  [evaluated exactly]")
    assert (told[second - 1], told[second + 1]) == ("", "     At z = (1, 2, 3), ε = 4/3")
