"""Handouts: every lesson as Markdown and as LaTeX, without and with solutions, and the file that is written."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from lnsym.commands import lesson as command
from lnsym.commands.output import OutputError
from lnsym.lesson import book
from lnsym.lesson.handout import handout
from lnsym.lesson.records import Coefficient, Compute, Lesson, LessonError, NextLine

LESSONS = book.lessons()
HEADINGS = {"md": r"^## (.*)$", "tex": r"\\subsection\*\{(.*)\}"}

SMALL = Lesson(
    title="Five per cent & more_or_less of #1",
    question="Is 100% of it kept?",
    theorems=("variance_core_eq.1",),
    idea="It is {variance_core_eq.1.right}.",
    tasks=(NextLine("variance_core_eq", step=2), Compute("variance_core_eq", point=1), NextLine("variance_core_eq", step=4)),
)


def run(name: str, fmt: str = "md", *, solutions: bool = False, out: Path | None = None, force: bool = False) -> int:
    return command.run(name=name, fmt=fmt, solutions=solutions, out=out, force=force)


@pytest.mark.many(5)
@pytest.mark.parametrize("form", ["md", "tex"])
@pytest.mark.parametrize("name", LESSONS)
def test_what_every_handout_has(name: str, form: str) -> None:
    lesson = LESSONS[name]
    plain, solved = (handout(name, lesson, form, solutions=solutions) for solutions in (False, True))
    assert re.findall(HEADINGS[form], plain, re.MULTILINE) == ["The derivation", "Tasks"]
    assert re.findall(HEADINGS[form], solved, re.MULTILINE) == ["The derivation", "Tasks", "Solutions"]
    for text in (plain, solved):
        assert text.endswith("\n")
        assert "\n\n\n" not in text
        if form == "md":
            assert not re.search(r"\\(?:frac|sum|varepsilon)", re.sub(r"\$\$.*?\$\$|\$[^$]*\$", "", text, flags=re.DOTALL))
            assert "\\operatorname" not in text  # GitHub takes neither this nor a backslash before a sign of punctuation
            assert not re.search(r"\$[^$\n]*\\[,;! ][^$\n]*\$", text)


def test_the_bytes_are_the_same_every_time() -> None:
    for form in ("md", "tex"):
        assert handout("small", SMALL, form) == handout("small", SMALL, form)


def test_a_line_that_is_asked_for_stands_open() -> None:
    """The lines asked for are open in the derivation, and no task shows them; with solutions they are there."""
    plain, solved = (handout("small", SMALL, "md", solutions=solutions) for solutions in (False, True))
    lines = ["$= \\frac{\\overline{v^2}}{s^2}$", "$= \\frac{q}{q + \\varepsilon}$"]
    for number, line in zip((1, 3), lines, strict=True):
        assert f"$=$ ................................ (task {number})" in plain
        assert line not in plain
        assert line in solved
    assert "Tasks 1 and 3 are lines of the derivation." in plain
    assert "s does not depend" not in plain  # the reason of an open line
    assert "$s$ does not depend on the index, so it leaves the mean." in solved
    assert "### Task 2\n\nCompute" in plain
    assert "### Task 1\n" not in plain
    assert plain.count("Answer: ....") == 1
    assert "Answer: ....." not in solved
    assert "\n2. $\\mathrm{var}(u)$ = $\\tfrac{2}{3}$\n" in solved


def test_signs_of_the_format_are_escaped() -> None:
    assert "# Five per cent & more\\_or\\_less of \\#1\n" in handout("small", SMALL, "md")
    made = handout("small", SMALL, "tex")
    assert "\\section*{Five per cent \\& more\\_or\\_less of \\#1}" in made
    assert "\\emph{Is 100\\% of it kept?}" in made


@pytest.mark.latex
@pytest.mark.many(5)
@pytest.mark.parametrize("name", LESSONS)
def test_pdflatex_sets_it_without_a_complaint(name: str, tmp_path: Path) -> None:
    for solutions in (False, True):
        (tmp_path / "handout.tex").write_text(handout(name, LESSONS[name], "tex", solutions=solutions), encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "handout.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120)
        log = (tmp_path / "handout.log").read_text(encoding="utf-8", errors="replace")
        assert done.returncode == 0, log[-2000:]
        assert re.findall(r"Overfull.*|LaTeX Warning.*|Missing character.*|Undefined.*", log) == []


@pytest.mark.parametrize("form", ["md", "tex"])
def test_a_factor_that_is_asked_for_stands_open(form: str) -> None:
    lesson = Lesson("A factor", "Which?", ("jacobian_apply_deviation",), "It is.", (Coefficient("jacobian_apply_deviation", factor=1),))
    assert handout("factor", lesson, form).count("\\square") == 2  # in the prompt and in its line


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(LessonError, match="there is no format 'pdf'; choose md or tex"):
        handout("small", SMALL, "pdf")


# ---------------------------------------------------------------- the command


def test_it_is_printed_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("variance") == 0
    printed = capsys.readouterr().out
    assert printed == handout("variance", LESSONS["variance"], "md")
    out = tmp_path / "variance.md"
    assert run("2", out=out) == 0
    assert out.read_text(encoding="utf-8") == printed
    assert capsys.readouterr().out.splitlines() == [
        f"wrote {out}: Variance, without solutions", "Next: lnsym lesson export 2 --format md --solutions",
    ]  # fmt: skip
    assert run("variance", solutions=True, out=out) == 0  # over its own
    assert "## Solutions" in out.read_text(encoding="utf-8")
    assert run("variance", "tex", out=tmp_path / "v.tex") == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"Next: pdflatex {tmp_path / 'v.tex'}"


def test_a_foreign_file_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "notes.md"
    out.write_text("mine")
    with pytest.raises(OutputError, match="not as lnsym wrote it; name another file, or overwrite it with --force"):
        run("variance", out=out)
    assert out.read_text() == "mine"
    assert run("variance", out=out, force=True) == 0
    with pytest.raises(OutputError, match="not as lnsym wrote it"):  # a handout in the other format is foreign too
        run("variance", "tex", out=out)


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"is a folder; name a file in it, such as .*variance\.tex"):
        run("variance", "tex", out=tmp_path)
    with pytest.raises(OutputError, match="there is no folder"):
        run("variance", out=tmp_path / "no" / "v.md")
    (tmp_path / "link.md").symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(OutputError, match="is a link or a device"):
        run("variance", out=tmp_path / "link.md", force=True)
    assert not (tmp_path / "elsewhere.md").exists()


def test_a_lesson_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from lnsym.lesson.records import Lesson\n"
        'LESSON = Lesson("Mine", "Why?", ("variance_core_eq",), "So: {variance_core_eq.1}.", ())\n'
    )  # fmt: skip
    assert run(str(path)) == 0
    made = capsys.readouterr().out
    assert "# Mine" in made
    assert "## Tasks" not in made
