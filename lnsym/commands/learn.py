"""`lnsym learn`: the map of the course, a lesson in the terminal, the course as a page or a notebook. Imports the lessons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lnsym.commands.layout import width
from lnsym.commands.output import refuse, write
from lnsym.lesson import book
from lnsym.lesson.own import read
from lnsym.lesson.progress import Progress
from lnsym.lesson.records import LessonError
from lnsym.lesson.terminal import Chosen, Dialogue, Left, ask, interactive, say, tell, tell_tasks, with_history
from lnsym.view.columns import words

INTERRUPTED = 130
WEB = b"<code>lnsym learn --web</code>"  # stands in a page that is ours


def run(
    *,
    lesson: str | None,
    own: Path | None,
    depth: int | None,
    step: bool,
    again: bool,
    notebook: bool,
    web: bool,
    out: Path | None,
    force: bool,
) -> int:
    """Show the map, teach a lesson, or write the course into a file."""
    if notebook and web:
        raise LessonError("--notebook and --web each write a file; ask for one of them")
    if out is not None and not (notebook or web):
        raise LessonError("-o names the file of --notebook or --web; add one of them")
    if lesson is not None and own is not None:
        raise LessonError(f"--from {own} is a lesson itself; leave out {lesson}")
    chosen = [chosen_from(own)] if own is not None else [of_course(lesson)] if lesson is not None else []
    if notebook or web:
        if depth is not None or step or again:
            raise LessonError("--depth, --step and --again are for a lesson in the terminal; leave them out, or --notebook and --web")
        if notebook:
            return _notebook(chosen or course(), out or Path("learn.ipynb"), force)
        return _page(chosen, out or Path("learn.html"), force)
    if not chosen:
        if depth is not None or step or again:
            raise LessonError("which lesson? lnsym learn NAME, or its number; `lnsym learn` lists them")
        say(_map(Progress(), width()))
        return 0
    return _taught(chosen[0], depth, step, again)


def course() -> list[Chosen]:
    """The lessons of the course in their order."""
    return [Chosen(name, one, number, f"lnsym learn {name}") for number, (name, one) in enumerate(book.lessons().items(), 1)]


def of_course(name_or_number: str) -> Chosen:
    """A lesson of the course by its name or number."""
    if name_or_number.endswith(".py"):
        raise LessonError(f"{name_or_number} is a file, and the course's lessons have names; write lnsym learn --from {name_or_number}")
    name, _ = book.lesson(name_or_number)
    return next(one for one in course() if one.name == name)


def chosen_from(path: Path) -> Chosen:
    """A lesson from a file of one's own."""
    name, lesson = read(path)
    return Chosen(name, lesson, 0, f"lnsym learn --from {path}", str(path.resolve()))


# ---------------------------------------------------------------- the map


def _map(progress: Progress, columns: int) -> Iterator[str]:
    lessons = course()
    solved = {one.name: _solved(one, progress) for one in lessons}
    yield from words(f"The course has {len(lessons)} lessons. All are open; each builds on those above it.", 0, columns)
    yield ""
    wide = max(len(one.lesson.title) for one in lessons)
    names = max(len(one.name) for one in lessons)
    for one in lessons:
        count = len(one.lesson.tasks)
        state = "open" if solved[one.name] is None else "done" if solved[one.name] == count else f"begun, {solved[one.name]} of {count}"
        line = f"{one.number:>2}  {one.name:<{names}}  {one.lesson.title:<{wide}}  {state}"
        yield line if len(line) <= columns else f"{one.number:>2}  {one.lesson.title}: {state}"
    yield ""
    yield from progress.notices
    following = next((one for one in lessons if solved[one.name] != len(one.lesson.tasks)), None)
    if following is None:
        yield "All lessons are done. Next: lnsym list, the theorems of the book"
    else:
        yield f"Next: lnsym learn {following.number}"


def _solved(one: Chosen, progress: Progress) -> int | None:
    """How many tasks of a lesson are solved; None where it was never begun."""
    if not progress.knows(one.name):
        return None
    tasks = one.tasks
    return progress.solved(tasks) if progress.begun(tasks) else None


# ---------------------------------------------------------------- a lesson


def _taught(chosen: Chosen, depth: int | None, step: bool, again: bool) -> int:
    columns = width()
    if not interactive():
        tell(chosen, depth or 1, columns)
        if depth in (None, 3):
            tell_tasks(chosen, columns)
        say(["", f"Next: {_following(chosen, depth)}"])
        return 0
    with_history()
    progress = Progress()
    try:
        following: Chosen | None = chosen
        while following is not None:
            chosen = following
            following = _lesson(chosen, progress, columns, depth, step, again)
            again = False
    except Left:
        say([f"{_fate(progress)} Go on with: {chosen.command}"])
    except KeyboardInterrupt:
        say(["", f"Interrupted. {_fate(progress)} Go on with: {chosen.command}"])
        return INTERRUPTED
    return 0


def _fate(progress: Progress) -> str:
    return "All is kept." if progress.kept else "Nothing was kept."


def _lesson(chosen: Chosen, progress: Progress, columns: int, depth: int | None, step: bool, again: bool) -> Chosen | None:
    """Teach one lesson; the next one where the learner wants to go on."""
    if depth in (1, 2):
        tell(chosen, depth or 1, columns, step=step)
        say(["", f"Next: {_following(chosen, depth)}"])
        return None
    dialogue = Dialogue(chosen, progress, columns, again=again)
    if depth is None and dialogue.begun:
        say(words(chosen.title, 0, columns), bold=True)
        say(_resumed(dialogue))
    else:
        tell(chosen, depth or 1, columns, step=step)
    dialogue.run()
    say(dialogue.ending())
    if dialogue.open:
        return None
    return _next(chosen, progress, columns)


def _resumed(dialogue: Dialogue) -> Iterator[str]:
    command, count = dialogue.chosen.command, len(dialogue.tasks)
    if dialogue.open:
        yield f"You come back: {count - len(dialogue.open)} of {count} tasks are solved."
        yield f"The idea again: {command} --depth 1"
    else:
        yield "All its tasks are solved."
        yield f"To be asked again: {command} --again"


def _next(chosen: Chosen, progress: Progress, columns: int) -> Chosen | None:
    """The next lesson that is not done, if the learner goes on with it."""
    lessons = course()
    after = [*lessons[chosen.number :], *lessons[: chosen.number]]
    following = next((one for one in after if one.name != chosen.name and _solved(one, progress) != len(one.lesson.tasks)), None)
    if following is None:
        say(["All lessons are done. Next: lnsym list, the theorems of the book"])
        return None
    say(words(f"Next is {following.title}.", 0, columns))
    answer = ask("Enter goes on, quit leaves: ").lower()
    if answer not in ("", "y", "yes", "next"):
        say([f"Next: lnsym learn {following.number}"])
        return None
    say([""])
    return following


def _following(chosen: Chosen, depth: int | None) -> str:
    """What to do after a lesson was printed."""
    return {1: f"{chosen.command} --depth 2", 2: f"{chosen.command} --depth 3"}.get(depth or 0, f"{chosen.command}, in a terminal")


# ---------------------------------------------------------------- files


def _notebook(chosen: Sequence[Chosen], out: Path, force: bool) -> int:
    """Write the notebook; one with answers in it is never overwritten without being asked to."""
    from lnsym.lesson.notebook import notebook

    made = notebook([(one.name, one.lesson, one.origin) for one in chosen])
    refuse(out, lambda content: content == made.encode(), force, "learn.ipynb")
    write(out, made)
    tasks = sum(len(one.lesson.tasks) for one in chosen)
    say([f"wrote {out}: {len(chosen)} lesson{'s' * (len(chosen) > 1)}, {tasks} tasks", f"Next: jupyter lab {out}"])
    return 0


def _page(chosen: Sequence[Chosen], out: Path, force: bool) -> int:
    """Write the page, which holds the whole course."""
    from lnsym.lesson.page import page

    if chosen:
        raise LessonError(f"--web writes one page with all lessons of the course; leave out {chosen[0].name}, or ask for --notebook")
    refuse(out, lambda content: WEB in content, force, "learn.html")
    made = page()
    write(out, made)
    say([f"wrote {out}: {len(course())} lessons, {len(made.encode()) // 1000} KB", f"Next: open {out} in a browser"])
    return 0
