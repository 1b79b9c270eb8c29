"""The lessons' page: one offline file; in Chromium it answers, moves, keeps progress and prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lnsym.lesson import book
from lnsym.lesson.figures import FIGURES
from tests.lesson.browser import Browser
from tests.lesson.marking_script import course, made

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 600_000


# ---------------------------------------------------------------- one file


def test_the_page_is_one_small_file_without_a_network() -> None:
    assert len(made().encode()) < LARGEST
    fetched = re.findall(r"""\b(?:src|href|action)\s*=\s*["']?((?:https?:)?//[^"'\s>]*)""", made())
    assert fetched == []
    assert re.findall(r"""(?:url\(\s*["']?|@import\s+["']?)((?!data:)[^"')\s]+)""", made()) == []
    assert "default-src 'none'" in made()


def test_every_lesson_and_every_task_is_on_the_page() -> None:
    for name, lesson in book.lessons().items():
        assert f'<h2 id="{name}">' in made()
        for number in range(1, len(lesson.tasks) + 1):
            assert f'data-task="{name}.{number}"' in made()


def test_every_figure_that_a_lesson_names_exists_and_every_figure_is_shown() -> None:
    named = {lesson.figure for lesson in book.lessons().values() if lesson.figure}
    assert named == set(FIGURES)
    for name in named:
        assert f'data-figure="{name}"' in made()


def test_every_task_is_marked_on_the_page() -> None:
    assert len(course()["tasks"]) == sum(len(lesson.tasks) for lesson in book.lessons().values())
    assert {name for name, task in course()["tasks"].items() if task["kind"] == "none"} == set()


@pytest.mark.full
def test_the_bytes_do_not_depend_on_the_hash_seed() -> None:
    command = [sys.executable, "-c", "import sys; from lnsym.lesson.page import page; sys.stdout.buffer.write(page().encode())"]
    pages = [
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True, cwd=ROOT).stdout
        for seed in ("1", "2")
    ]
    assert len(pages[0]) > 100_000
    assert pages[0] == pages[1]


# ---------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    folder = tmp_path_factory.mktemp("learn")
    (folder / "learn.html").write_text(made(), encoding="utf-8")
    one = Browser(folder / "profile")
    one.address = (folder / "learn.html").as_uri()
    one.offline()
    yield one
    one.close()


@pytest.fixture
def opened(browser: Browser) -> Browser:
    browser.show(1280)
    browser.open(browser.address)
    browser.evaluate("document.querySelector('#forget').click()")
    return browser


def text(browser: Browser, selector: str) -> str:
    """The text of an element."""
    return str(browser.evaluate(f"document.querySelector({selector!r}).textContent"))


def visible(browser: Browser, selector: str) -> int:
    """How many elements can be seen."""
    return int(browser.evaluate(f"[...document.querySelectorAll({selector!r})].filter((one) => one.checkVisibility()).length"))


def answered(browser: Browser, task: str, text: str) -> str:
    """The reply to an answer that is typed and sent with Enter."""
    browser.type(f'[id="answer-{task}"]', text)
    browser.key("Enter", 13)
    return str(browser.evaluate(f"document.querySelector('[id=\"task-{task}\"] .reply').innerText"))


@pytest.mark.chromium
def test_answers_are_marked_and_the_page_fetches_nothing(opened: Browser) -> None:
    assert "It agrees at 20 exact points." in answered(opened, "core_variance.2", "dot(u, u)/d")
    assert "At z = (0, 4), eps = 5: yours 8/9, right 4/9." in answered(opened, "core_variance.2", "sum_i u_i^2")
    unreadable = answered(opened, "core_variance.2", "mean(xhat^2")
    assert "Not read. Column 6" in unreadable
    opened.click('[id="task-core_variance.2"] .reply button')  # what may have been meant
    assert opened.evaluate("document.querySelector('[id=\"answer-core_variance.2\"]').value") == "mean(u^2)"
    assert "It is the line asked for" in text(opened, '[id="task-core_variance.2"] .reply')
    assert opened.evaluate("document.activeElement.id") == "answer-core_variance.2"
    assert text(opened, "#solved").startswith("1 of ")
    assert opened.complaints() == []


@pytest.mark.chromium
def test_a_task_is_solved_with_the_keyboard_alone(opened: Browser) -> None:
    opened.evaluate("document.querySelector('[id=\"answer-core_variance.2\"]').focus()")
    opened.send("Input.insertText", text="mean(xhat^2")
    opened.key("Enter", 13)
    for _ in range(4):  # Check, hint, solution, what may have been meant
        opened.key("Tab", 9)
    assert opened.evaluate("document.activeElement.textContent") == "mean(u^2)"
    opened.key("Enter", 13)
    assert "It is the line asked for" in text(opened, '[id="task-core_variance.2"] .reply')
    opened.key("Tab", 9)
    opened.key("Tab", 9)
    opened.key("Enter", 13)
    assert visible(opened, '[id="task-core_variance.2"] .hints li') == 1


@pytest.mark.chromium
def test_choices_hints_and_solutions(opened: Browser) -> None:
    task = '[id="task-core_variance.1"]'
    assert (visible(opened, f"{task} .hints li"), visible(opened, f"{task} .solution")) == (0, 0)
    opened.click(f"{task} .hint")
    assert (visible(opened, f"{task} .hints li"), visible(opened, f"{task} .solution")) == (1, 0)
    opened.click(f'{task} input[value="b"]')
    opened.click(f"{task} .check")
    assert "Choice b is not so; the hints have numbers." in text(opened, f"{task} .reply")
    opened.click(f'{task} input[value="a"]')
    opened.click(f"{task} .check")
    assert "Right." in text(opened, f"{task} .reply")
    assert visible(opened, f"{task} .solution") == 1
    opened.click(f"{task} .show")
    assert visible(opened, f"{task} .solution") == 0


@pytest.mark.chromium
def test_progress_is_kept_and_is_not_needed(opened: Browser) -> None:
    answered(opened, "core_variance.6", "2/3")
    opened.open(opened.address)
    assert text(opened, "#solved").startswith("1 of ")
    assert opened.evaluate("document.querySelector('[id=\"answer-core_variance.6\"]').value") == "2/3"
    without = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no storage'); } })"
    script = opened.send("Page.addScriptToEvaluateOnNewDocument", source=without)["identifier"]
    opened.open(opened.address)
    assert "Right" in answered(opened, "core_variance.6", "2/3")
    assert opened.complaints() == []
    opened.send("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


def drawn(browser: Browser, figure: str) -> str:
    """What a figure shows and says."""
    return str(
        browser.evaluate(f"document.querySelector('{figure} output').textContent + document.querySelector('{figure} svg').innerHTML")
    )


@pytest.mark.chromium
@pytest.mark.many(2)
@pytest.mark.parametrize("name", FIGURES)
def test_every_slider_moves_its_figure_by_key_and_back(opened: Browser, name: str) -> None:
    figure = f'figure[data-figure="{name}"]'
    first = drawn(opened, figure)
    assert len(first) > 500
    for control in FIGURES[name].controls:
        slider = f"{figure} input[data-name={control.name}]"
        opened.evaluate(f"document.querySelector('{slider}').focus({{preventScroll: true}})")
        for key, code in (("Home", 36), ("End", 35), ("ArrowLeft", 37)):
            opened.key(key, code)
            moved = drawn(opened, figure)
            assert moved != first, (control.name, key)
            assert "NaN" not in moved or "every entry of its core is NaN" in moved
            assert "undefined" not in moved
        opened.click(f"{figure} button.reset")
        assert drawn(opened, figure) == first


@pytest.mark.chromium
def test_the_point_is_dragged_by_mouse_and_by_finger(opened: Browser) -> None:
    figure = 'figure[data-figure="variance_share"]'
    assert text(opened, f"{figure} b") == "1"
    opened.drag(f"{figure} .handle .grip", 117)
    assert 5 < float(text(opened, f"{figure} b")) < 20
    assert "the core keeps ρ = 0.9" in text(opened, f"{figure} output")
    opened.show(360, touch=True)
    opened.open(opened.address)
    opened.swipe(f"{figure} .handle .grip", -40)
    assert float(text(opened, f"{figure} b")) < 0.3


@pytest.mark.chromium
def test_the_vectors_run_again_in_the_browser(opened: Browser) -> None:
    opened.click("#run-vectors")
    said = text(opened, "#vectors-said")
    assert said.startswith("100 of 100 rows agree within the bound")
    assert re.search(r"(\d+) of \1 in float64, (\d+) of \2 in exact fractions", said)
    assert "function normalize_row" in text(opened, "#emitted")


@pytest.mark.chromium
def test_nothing_sticks_out_of_a_narrow_screen_and_dark_is_dark(opened: Browser) -> None:
    opened.show(360, touch=True, dark=True)
    opened.open(opened.address)
    assert opened.evaluate("document.documentElement.scrollWidth") == 360
    assert opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 27)"
    assert opened.evaluate("document.querySelectorAll('x-f').length") == 0
    assert opened.evaluate("document.querySelectorAll('math').length") > 1000


@pytest.mark.chromium
@pytest.mark.full
def test_paper_has_steps_and_bars_and_no_solutions(opened: Browser, tmp_path: Path) -> None:
    answered(opened, "core_variance.6", "2/3")
    opened.show(1280, media="print")
    hidden = "(what) => [...document.querySelectorAll(what)].every((one) => getComputedStyle(one).display === 'none')"
    assert opened.evaluate(f"({hidden})('.solution')")
    assert opened.evaluate(f"({hidden})('.controls')")
    assert not opened.evaluate(f"({hidden})('figure[data-figure=bars] rect')")
    opened.show(1280)
    opened.pdf(tmp_path / "learn.pdf")
    assert (tmp_path / "learn.pdf").read_bytes().startswith(b"%PDF")
