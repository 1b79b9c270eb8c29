"""A lesson in the terminal: told, or as a dialogue in which every answer is marked and kept. Imports the course, marking and progress.

Lines are plain text, one after the other: nothing is drawn, moved or overwritten, and colour is never the only mark.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import click

from lnsym.lesson import book
from lnsym.lesson.lines import KINDS, Teller, marked, names, plain, question, typed
from lnsym.lesson.marking import mark
from lnsym.lesson.pieces import Heading, Line, Paragraph, Part, Statement
from lnsym.lesson.progress import Progress
from lnsym.lesson.records import Lesson, Mark, Task
from lnsym.view.columns import formula, words

HELP = (
    "Type an answer as one types mathematics: (g - mean(g))/s, 2q, u^2, sum_i v_i^2, eps or ε.",
    "A product of names needs its sign: a*v_i. The row of ones is one.",
    "An entry is v_i, of a matrix P[i,j] or delta[i,j]; a derivative is D(v_i, z_j).",
    "Any line that is equal will do. Where lines have letters, type the letter.",
    "?      a hint, one at a time",
    "=      the solution",
    "steps  this lesson with every step of its derivations",
    "skip   the next task; this one stays open",
    "back   the task before",
    "quit   leave; all is kept",
    "Enter  the question again",
)
WORDS = "? hint, = solution, steps, skip, back, quit, help"
_MEANT = re.compile(r"Did you mean ([^'?]+)\?$")
TRIED = 3  # answers that are repeated to somebody who comes back


class Left(Exception):
    """The learner has left; all is kept."""


@dataclass(frozen=True)
class Chosen:
    """A lesson that somebody chose: its place in the course, or 0 for a file of one's own, and how it is called again."""

    name: str
    lesson: Lesson
    number: int = 0
    command: str = ""
    origin: str = ""  # of a file of one's own: its path

    @property
    def title(self) -> str:
        """The title, with its number in the course."""
        return f"Lesson {self.number}. {self.lesson.title}" if self.number else self.lesson.title

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks in order."""
        return book.tasks(self.name, self.lesson, where=self.origin)

    def parts(self, depth: int) -> tuple[Part, ...]:
        """What is told at a depth, without the title."""
        return book.depth(self.name, self.lesson, depth, where=self.origin)[1:]


# ---------------------------------------------------------------- saying and asking


def interactive() -> bool:
    """Whether somebody sits there."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def say(lines: Iterable[str], bold: bool = False) -> None:
    """Print lines; in ASCII where the terminal has no more."""
    for line in lines:
        try:
            line.encode(sys.stdout.encoding or "ascii")
        except UnicodeEncodeError:
            line = plain(line)
        click.echo(click.style(line, bold=True) if bold else line)


def ask(prompt: str) -> str:
    """One line from the learner, without what surrounds it. Left at the end of input."""
    while True:
        try:
            return input(prompt).strip()
        except EOFError:
            say([""])
            raise Left from None
        except UnicodeDecodeError:
            say(["That line has bytes that are not text here. Type it again, or use the names of letters, such as eps."])


def with_history() -> None:
    """Arrow keys for lines typed before, where Python has them."""
    try:
        import readline
    except ImportError:
        return
    readline.set_auto_history(True)


# ---------------------------------------------------------------- telling


def tell(chosen: Chosen, depth: int, columns: int, *, step: bool = False) -> None:
    """Print a lesson at a depth; with `step`, wait for Enter before each statement and each line of a calculation."""
    parts = chosen.parts(depth)
    say(words(chosen.title, 0, columns), bold=True)
    before: Part | None = None
    for part, lines in zip(parts, Teller(columns).blocks(parts), strict=True):
        if step and _begins(part, before):
            _pause("Enter goes on, quit leaves: ")
        say(lines, bold=isinstance(part, Heading))
        before = part


def _begins(part: Part, before: Part | None) -> bool:
    """Whether a reader who goes step by step is asked before this part."""
    match part:
        case Heading():
            return True
        case Statement():
            return not isinstance(before, Heading) and not (isinstance(before, Paragraph) and before.role == "given")
        case Line(formula=one):
            return one is None or bool(one.sign)
    return False


def _pause(prompt: str) -> None:
    if ask(prompt).lower() in ("quit", "q"):
        raise Left


def tell_tasks(chosen: Chosen, columns: int) -> None:
    """Print the tasks of a lesson, without answers."""
    tasks = chosen.tasks
    for number, task in enumerate(tasks, 1):
        say(["", _headed(number, tasks)], bold=True)
        say(question(task, columns))


def _headed(number: int, tasks: Sequence[Task]) -> str:
    return f"Task {number} of {len(tasks)}: {KINDS[tasks[number - 1].kind]}"


# ---------------------------------------------------------------- the dialogue


class Dialogue:
    """The tasks of one lesson, asked one after the other."""

    def __init__(self, chosen: Chosen, progress: Progress, columns: int, *, again: bool = False) -> None:
        self.chosen, self.progress, self.columns = chosen, progress, columns
        self.tasks = chosen.tasks
        self.open = [n for n, task in enumerate(self.tasks) if again or not progress.of(task, chosen.origin).solved]
        self.again = again

    @property
    def begun(self) -> bool:
        """Whether the learner comes back to it."""
        return not self.again and self.progress.begun(self.tasks, self.chosen.origin)

    def run(self) -> None:
        """Ask every open task, from the first; Left if the learner leaves."""
        self.notices()
        if not self.tasks:
            return
        say(["", *words(f"Type an answer, or one of: {WORDS}.", 0, self.columns)])
        number: int | None = self.open[0] if self.open else None
        while number is not None:
            if self.task(number):
                number = next((n for n in self.open if n > number), None)
            elif number > 0:
                number -= 1
            else:
                say(["This is the first task."])

    def task(self, number: int) -> bool:
        """Ask one task until it is solved or skipped; False to go back."""
        task = self.tasks[number]
        self.ask_again(number)
        hints = 0 if self.again else self.progress.of(task, self.chosen.origin).hints
        meant = ""  # what an answer that could not be read may have meant
        while True:
            answer, meant = ask("> ") or meant, ""
            match answer.lower():
                case "":
                    say(question(task, self.columns))
                case "?" | "hint":
                    hints = self.hint(task, hints)
                case "=" | "solution":
                    self.solution(task)
                    self.progress.revealed(task, self.chosen.origin)
                    say(words("Type it to have the task solved, or skip.", 0, self.columns))
                case "help":
                    self.help(task)
                case "steps":
                    tell(self.chosen, 2, self.columns)
                    say(["", _headed(number + 1, self.tasks)], bold=True)
                    say(question(task, self.columns))
                case "skip":
                    return True
                case "back":
                    return False
                case "quit" | "exit":
                    raise Left
                case _:
                    said = self.answered(task, answer)
                    if said.done:
                        self.open = [one for one in self.open if one != number]
                        return True
                    meant = self.after(task, said, hints)
            self.notices()

    def ask_again(self, number: int) -> None:
        """The question, with what was tried before."""
        task = self.tasks[number]
        say(["", _headed(number + 1, self.tasks)], bold=True)
        say(question(task, self.columns))
        work = self.progress.of(task, self.chosen.origin)
        if self.again or not (work.answers or work.hints):
            return
        if work.answers:
            tried = f"Solved before with {work.answers[-1]}" if work.solved else f"Tried so far: {'; '.join(work.answers[-TRIED:])}"
            say(formula(tried, self.columns, "", "  "))
        for one in range(min(work.hints, len(task.hints)) if not work.solved else 0):
            self.tell_hint(task, one)

    def help(self, task: Task) -> None:
        """How answers are typed, and what the names of this task stand for."""
        say(line for one in HELP for line in words(one, 0, self.columns))
        if line := typed(task):
            say(formula(line, self.columns, "The last line above is typed so: ", "  "))
        if meanings := names(task):
            say(formula(", ".join(meanings), self.columns, "Here ", "  "))

    def hint(self, task: Task, given: int) -> int:
        """One more hint; how many there were then."""
        if given >= len(task.hints):
            say(["There are no more hints; = shows the solution." if task.hints else "There is no hint here; = shows the solution."])
            return given
        self.tell_hint(task, given)
        self.progress.hinted(task, given + 1, self.chosen.origin)
        return given + 1

    def tell_hint(self, task: Task, number: int) -> None:
        say(words(f"Hint {number + 1} of {len(task.hints)}: {task.hints[number]}", 0, self.columns))

    def solution(self, task: Task) -> None:
        """The model solution and why."""
        say(["The model solution:"])
        for line in task.solution:
            say(formula(line, self.columns, "     ", " " * 7) if line.startswith(("=", "≤", "<")) else words(line, 5, self.columns))

    def answered(self, task: Task, answer: str) -> Mark:
        """Mark an answer and say what is to be said."""
        self.progress.tried(task, answer, self.chosen.origin)
        said = mark(task, answer)
        say(marked(said, self.columns))
        if said.done:
            self.progress.done(task, self.chosen.origin)
            self.solution(task)
            self.notices()
        return said

    def after(self, task: Task, said: Mark, hints: int) -> str:
        """What can be done after an answer that is not right; what Enter will take, where it could not be read."""
        found = _MEANT.search(said.message) if said.verdict == "unreadable" else None
        if said.verdict == "unreadable" and (line := typed(task)):
            say(formula(line, self.columns, "The last line above is typed so: ", "  "))
        offers = [f"? hint {hints + 1} of {len(task.hints)}"] * (hints < len(task.hints))
        say([f"({', '.join([*(['Enter reads it so'] if found else []), *offers, '= solution', 'skip'])})"])
        return found[1] if found else ""

    def notices(self) -> None:
        """What the progress file has to say."""
        while self.progress.notices:
            say(words(self.progress.notices.pop(0), 0, self.columns))

    def ending(self) -> Iterator[str]:
        """What is said when all tasks have been asked."""
        yield ""
        if self.open:
            numbers = ", ".join(str(n + 1) for n in self.open)
            still = f"task {numbers} is still open" if len(self.open) == 1 else f"tasks {numbers} are still open"
            yield from words(f"{self.chosen.title}: {still}.", 0, self.columns)
            yield f"Next: {self.chosen.command}"
        else:
            yield from words(f"{self.chosen.title}: done.", 0, self.columns)
