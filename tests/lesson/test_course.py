"""The course: order, tasks, words, the three depths, and the errors that help the author of a lesson."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from lnsym.kernel.terms import Index, Num, Relation
from lnsym.lesson import book
from lnsym.lesson.asks import blanked
from lnsym.lesson.marking import mark
from lnsym.lesson.pieces import FORMS, Formula, Heading, Line, Numbers, Paragraph, Statement, notation, wrapped, written
from lnsym.lesson.records import (
    Coefficient,
    Compute,
    FindFlaw,
    Lesson,
    LessonError,
    NameRule,
    NextLine,
    Predict,
    Task,
    lessons_in_order,
)
from lnsym.lesson.references import named, words
from lnsym.lesson.values import HOME, as_term, place, value
from lnsym.library import book as library_book
from lnsym.library import theorem
from lnsym.notation import text
from lnsym.refute import Point, exact_value, find_counterexample
from lnsym.surd import exact_root

NAMES = tuple(book.lessons())
FIGURES = {"", "bars", "variance_share", "response", "jacobian_split", "eps_cliff"}


@cache
def tasks(name: str) -> tuple[Task, ...]:
    return book.tasks(*book.lesson(name))


def texts(task: Task) -> tuple[str, ...]:
    return (task.prompt, *task.choices, *task.hints, *task.solution)


every_lesson = pytest.mark.parametrize("name", NAMES)


# ---------------------------------------------------------------- order


def test_lessons_come_after_what_they_build_on() -> None:
    assert len(NAMES) == 20
    for place_, (name, lesson) in enumerate(book.lessons().items()):
        assert set(lesson.after) <= set(NAMES[:place_]), name
    assert all(lesson.after for lesson in list(book.lessons().values())[1:])


def test_files_are_numbered_in_that_order() -> None:
    from pathlib import Path

    import lnsym.lesson.course as course

    files = sorted(path.stem for path in Path(course.__file__).parent.glob("l[0-9]*.py"))
    assert [file.partition("_")[2] for file in files] == list(NAMES)


def test_a_lesson_after_a_later_one_is_moved() -> None:
    first, second = book.lesson(1)[1], book.lesson(2)[1]
    assert lessons_in_order([("b", replace(second, after=("a",))), ("a", first)]) == ("a", "b")
    with pytest.raises(LessonError, match="wait for one another"):
        lessons_in_order([("a", replace(first, after=("b",))), ("b", replace(second, after=("a",)))])


def test_a_lesson_is_found_by_name_and_number() -> None:
    assert book.lesson("5") == book.lesson(5) == book.lesson(NAMES[4])
    assert book.lesson("Core-Variance")[0] == "core_variance"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("jacobain", "did you mean jacobian"),
        ("norm", "did you mean norm_bound"),
        ("21", "lessons 1 to 20"),
        ("0", "lessons 1 to 20"),
        ("zzz", "there are mean_and_deviations"),
        ("", "there are mean_and_deviations"),
    ],
)
def test_an_unknown_lesson_is_answered_with_names(asked: str, says: str) -> None:
    with pytest.raises(LessonError, match=says):
        book.lesson(asked)


# ---------------------------------------------------------------- what a lesson must have


@every_lesson
def test_a_lesson_has_tasks_of_several_kinds(name: str) -> None:
    _, lesson = book.lesson(name)
    assert 4 <= len(lesson.tasks) <= 8
    assert len({task.kind for task in tasks(name)}) >= 3
    assert lesson.figure in FIGURES
    assert lesson.question.rstrip().endswith("?")


def test_the_course_asks_in_every_kind() -> None:
    assert {task.kind for name in NAMES for task in tasks(name)} == {"next line", "rule", "coefficient", "flaw", "compute", "predict"}


def test_every_chapter_with_theorems_is_touched() -> None:
    touched = {theorem(name).chapter for lesson in book.lessons().values() for name in book.theorems(lesson)}
    assert touched == {chapter.name for chapter, _ in library_book().derivations.values()}


def formulas_outside_references(said: str) -> list[str]:
    """Where a formula stands in words by itself."""
    return re.findall(r"[=$\d\\^≤≥√∑]", re.sub(r"\{[^{}]*\}", "", said))


@every_lesson
def test_formulas_stand_in_prose_only_as_references(name: str) -> None:
    _, lesson = book.lesson(name)
    said = [lesson.title, lesson.question, lesson.idea, lesson.prose, *(ask.question for ask in lesson.tasks if isinstance(ask, Predict))]
    assert not [found for one in said for found in formulas_outside_references(one)]


@pytest.mark.parametrize("said", ["so q = {q}", "$q$ is", "a row of 3", "it is √q", "{q} ≤ one"])
def test_that_test_sees_a_formula(said: str) -> None:
    assert formulas_outside_references(said)


# ---------------------------------------------------------------- tasks


@every_lesson
def test_a_solution_does_not_give_away_the_line_that_is_asked_for_next(name: str) -> None:
    for task, following in zip(tasks(name), tasks(name)[1:], strict=False):
        if task.kind == following.kind == "next line" and len(following.lines) == len(task.lines) + 1:
            line_ = "= " + written(Formula(following.target, notation(*following.lines, following.target)))  # type: ignore[arg-type]
            assert line_ not in task.solution, task.id


@every_lesson
def test_no_wrong_rule_is_the_right_one_by_another_name(name: str) -> None:
    """Where the variance is to be recognized, no other choice recognizes it."""
    for task in tasks(name):
        if task.kind == "rule" and "the squared deviations sum to d q" in task.choices["abcd".index(task.right)]:
            assert not any("definition of q" in one for one in task.choices), task.id


@every_lesson
def test_the_model_answer_is_marked_correct_and_no_other_choice_is(name: str) -> None:
    for task in tasks(name):
        answer = task.right or text(task.target, ascii=True)  # type: ignore[arg-type]
        assert mark(task, answer).done, (task.id, answer, mark(task, answer))
        for letter in "abcd"[: len(task.choices)]:
            assert mark(task, letter).done == (letter == task.right), (task.id, letter)


@every_lesson
def test_a_task_is_complete(name: str) -> None:
    for number, task in enumerate(tasks(name), 1):
        assert task.id == f"{name}.{number}"
        assert len(task.hints) == 3
        assert len(set(task.hints)) == 3, task.id
        assert task.solution
        assert len(set(task.choices)) == len(task.choices) == {"rule": 4, "flaw": 4, "predict": 2}.get(task.kind, 0)
        assert (task.target is None) == bool(task.choices)
        assert task.theorem in library_book().derivations


@every_lesson
def test_texts_have_no_internal_names(name: str) -> None:
    internal = re.compile(r"\{|\}|fold |centred|" + "|".join(rf"\b{one}\b" for one in library_book().derivations))
    for task in tasks(name):
        for said in texts(task):
            assert not internal.search(said.replace("is centred", "")), (task.id, said)


@every_lesson
def test_no_hint_tells_the_whole_answer(name: str) -> None:
    for task in tasks(name):
        if task.kind == "next line":
            line = written(Formula(task.target, notation(*task.lines)))  # type: ignore[arg-type]
            assert len(line) < 4 or line not in task.hints[2], task.id
        if task.choices:
            assert not re.search(rf"\b{task.right}: ", " ".join(task.hints))


@every_lesson
def test_the_next_line_follows_from_the_lines_above(name: str) -> None:
    for task in tasks(name):
        if task.kind == "next line":
            assert task.before == task.lines[-1]
            step = Relation("=", task.before, task.target)  # type: ignore[arg-type]
            assert find_counterexample(library_book().theory, step, task.given, budget=2000) is None


@every_lesson
def test_a_false_line_has_a_point_against_it_and_the_others_are_claims(name: str) -> None:
    _, lesson = book.lesson(name)
    for ask, task in zip(lesson.tasks, tasks(name), strict=True):
        if isinstance(ask, FindFlaw):
            miss = theorem(ask.theorem).derivation.near_misses[ask.miss - 1]
            given = theorem(ask.theorem).derivation.given if miss.given is None else miss.given
            assert find_counterexample(library_book().theory, miss.relation, given)
            false = task.choices["abcd".index(task.right)]
            assert false.endswith(written(Formula(miss.relation, notation(miss.relation))))
        if isinstance(ask, Compute):
            assert isinstance(task.target, Num) or "√" in text(task.target)  # type: ignore[arg-type]


def test_tasks_are_made_alike_each_time() -> None:
    assert book.tasks(*book.lesson("core")) == tasks("core")


def test_the_right_letter_is_not_always_the_same() -> None:
    letters = [task.right for name in NAMES for task in tasks(name) if len(task.choices) == 4]
    assert all(letters.count(letter) > len(letters) / 10 for letter in "abcd")
    assert {task.right for name in NAMES for task in tasks(name) if task.kind == "predict"} == {"a", "b"}


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("mean(v²)/s²", "It has this form: mean(□²)/□²"),
        ("(Pᵢⱼ - vᵢ·vⱼ/(d·(q + ε)))/s", "It has this form: (□ - □·□/(□·(□ + □)))/□"),
        ("-core(z, 0)ᵢ", "It has this form: -core(□, 0)ᵢ"),
        ("q", "What is left is one name."),
        ("-1/3", "What is left is a number."),
        ("v′ᵢ + X[1,j]", "It has this form: □ + □"),
    ],
)
def test_the_form_of_a_line_leaves_out_its_names(line: str, form: str) -> None:
    assert blanked(line) == form


def test_a_missing_factor_is_asked_for() -> None:
    lesson = replace(book.lesson(1)[1], tasks=(Coefficient("norm_core_eq", factor=2, claim=2),))
    (task,) = book.tasks("own", lesson)
    assert written(Formula(task.lines[0], notation(*task.lines))) == "⟨u, u⟩ = d·□"
    assert text(task.target) == "ρ"  # type: ignore[arg-type]
    assert mark(task, "q/(q + eps)").done
    assert not mark(task, "d*q/(q + eps)").done


# ---------------------------------------------------------------- words


@every_lesson
def test_words_are_rendered_in_every_form(name: str) -> None:
    _, lesson = book.lesson(name)
    for said in filter(None, (lesson.question, lesson.idea, lesson.prose)):
        for line in book.rendered(said).splitlines():
            assert len(line) <= 80, line
        for form in FORMS:
            assert "{theorem" not in book.rendered(said, form)
        ET.fromstring(f"<p>{book.rendered(said, 'html')}</p>")
        assert book.rendered(said, "latex").count("$") % 2 == 0


@pytest.mark.parametrize("name", ["core", "jacobian", "adam"])
@pytest.mark.parametrize("form", FORMS)
def test_tasks_are_made_in_every_form(name: str, form: str) -> None:
    made = book.tasks(*book.lesson(name), form=form)  # type: ignore[arg-type]
    assert [task.right for task in made] == [task.right for task in tasks(name)]
    if form == "html":
        for task in made:
            for said in texts(task):
                ET.fromstring(f"<p>{said}</p>")


@pytest.mark.parametrize(
    ("reference", "shown"),
    [
        ("{q}", "q"),
        ("{eps}", "ε"),
        ("{variance_core_eq}", "var(u) = q/(q + ε)"),
        ("{variance_core_eq.2}", "var(u) < 1"),
        ("{variance_core_eq.1.left}", "var(u)"),
        ("{variance_core_eq.1.right.value}", "2/3"),
        ("{variance_core_eq.1.value}", "2/3"),
        ("{variance_core_eq.1.at}", "z = (1, 2, 3), ε = 1/3"),
        ("{statistics_eq.1.at}", "z = (1, 2, 3)"),
        ("{statistics_eq.1.at.2}: {statistics_eq.1.value.2}", "z = (1, 2, 4): 7/3"),
        ("{variance_core_eq.1.step.0} {variance_core_eq.1.step.3}", "var(u) q/s²"),
        ("{variance_core_eq.given}", "ε > 0"),
        ("{core_zero_eps_smul.1.given.2}", "a > 0"),
        ("{variance_core_eq.miss.2}", "var(u) = q/(q + 2·ε)"),
        ("{variance_core_eq.miss.2.right}", "q/(q + 2·ε)"),
        ("{bench_1_2_3.1}", "μ = 2, q = 2/3, s = 1"),
        ("{bench_1_2_3.1.2.right}", "2/3"),
        ("{core_eq.1.value}", "(-1, 0, 1)"),
        ("{jacobian_forms.3}", "J h = r·(P h - mean(u ⊙ h)·u)"),
    ],
)
def test_a_reference_stands_for_a_formula(reference: str, shown: str) -> None:
    assert book.rendered(reference) == shown


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("{variance_cor_eq}", "did you mean variance_core_eq"),
        ("{variance_core_eq.3}", "2 claims, counted from 1; there is no claim 3"),
        ("{variance_core_eq.1.step.5}", "lines 0 to 4"),
        ("{variance_core_eq.2.step.1}", "is not proved by a calculation"),
        ("{variance_core_eq.1.middle}", "a side is .left or .right"),
        ("{variance_core_eq.miss.5}", "4 near misses, counted from 1"),
        ("{variance_core_eq.miss}", "expected the number of a near miss"),
        ("{variance_core_eq.given.2}", "there is no number 2"),
        ("{variance_core_limits.4}", "a fact of calculus"),
        ("{bench_1_2_3.1.9}", "there is no relation 9"),
        ("{variance_core_eq.miss.1.left.value}", "a near miss has no point"),
        ("{variance_core_eq.1.value.2}", "there is no point"),
        ("{q.left}", "is a notion and has no parts"),
        ("{", "a brace stands alone"),
        ("{}", "names neither a theorem nor a notion"),
        ("{blurb}", "`lnsym list` names the theorems"),
    ],
)
def test_a_wrong_reference_is_told_what_to_write(reference: str, says: str) -> None:
    with pytest.raises(LessonError, match=re.escape(says)):
        words(reference)


def test_a_long_formula_is_parted_only_where_it_must_be() -> None:
    short = Formula(theorem("variance_core_eq").proved[0].relation)
    assert wrapped(("word " * 14, short), 80)[1] == "var(u) = q/(q + ε)"
    long = Formula(theorem("core_affine_eq_core_div_sq").proved[0].relation)
    assert all(len(line) <= 20 for line in wrapped((long,), 20))


@pytest.mark.parametrize("parts", [(1, 2), (Fraction(1, 2), 3), (0, 5), (Fraction(-3, 4), 7), (0, -2)])
def test_an_exact_number_becomes_a_term_of_the_same_value(parts: tuple[Fraction, int]) -> None:
    rational, radicand = parts
    number = Fraction(rational) - Fraction(2, 3) * exact_root(Fraction(abs(radicand)))
    point = Point({"d": 1})
    assert exact_value(library_book().theory, point, as_term(number)) == number


def test_claims_are_shown_at_the_point_of_the_course_where_they_can_be() -> None:
    found = theorem("variance_core_eq")
    point = place(found, found.claims[0])
    assert point is not None
    assert point.vectors["z"] == HOME.values["z"]
    assert point.scalars["eps"] == HOME.values["eps"]
    assert value(named("core_eq").claims[0].claim.relation.left, point) == Numbers(  # type: ignore[union-attr]
        tuple(Numbers(Num(Fraction(x))) for x in (-1, 0, 1))
    )


# ---------------------------------------------------------------- the three depths


@every_lesson
def test_every_lesson_is_told_at_three_depths(name: str) -> None:
    _, lesson = book.lesson(name)
    ids = [task.id for task in tasks(name)]
    idea, derivation, exercise = (book.depth(name, lesson, depth) for depth in (1, 2, 3))
    assert all(isinstance(one[0], Heading) and one[0].level == 1 for one in (idea, derivation, exercise))
    assert not any(isinstance(part, Line) for part in idea)
    assert any(isinstance(part, Statement) and (part.left or part.status == "evaluated exactly") for part in idea)
    assert all(part.formula and not part.task for part in derivation if isinstance(part, Line))
    blanks = [part for part in exercise if isinstance(part, Line) and part.task]
    assert blanks
    assert all(part.task in ids and not part.why and not part.rules for part in blanks)
    followed = [part for part in derivation if isinstance(part, Line) and part.formula and part.formula.sign]
    assert all(part.why and part.rules for part in followed)


def test_depths_differ_only_in_what_is_left_out() -> None:
    name, lesson = book.lesson("core_variance")
    told, asked = (book.depth(name, lesson, depth) for depth in (2, 3))
    assert len(told) == len(asked)
    different = [after.task for before, after in zip(told, asked, strict=True) if before != after and isinstance(after, Line)]
    assert different == [f"core_variance.{n}" for n in (2, 3, 4, 5)]
    assert all(isinstance(part, (Heading, Paragraph, Statement, Line)) for part in told)


def same(one: Numbers | None, other: Numbers) -> bool:
    """Whether two values agree; a number beside a list stands for each entry."""
    if one is None or isinstance(one.value, tuple) == isinstance(other.value, tuple):
        return one == other
    number, entries = (other, one.value) if isinstance(one.value, tuple) else (one, other.value)
    return isinstance(entries, tuple) and all(same(number, entry) for entry in entries)


def test_the_numbers_of_a_calculation_are_the_same_in_each_line() -> None:
    for name, lesson in book.lessons().items():
        before: Numbers | None = None
        for part in book.depth(name, lesson, 2):
            if isinstance(part, Line):
                assert part.formula is not None
                if part.formula.sign == "=" and before is not None:
                    assert same(part.value, before), (name, part)
                before = part.value


def test_there_are_three_depths() -> None:
    with pytest.raises(LessonError, match="1: the idea"):
        book.depth(*book.lesson(1), 4)


# ---------------------------------------------------------------- errors for authors

GOOD = Lesson("Own", "Why?", ("variance_core_eq",), "See {variance_core_eq}.", (NextLine("variance_core_eq", 1),))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"theorems": ("variance_cor_eq",)}, "own.py, theorem 1: the book has no theorem 'variance_cor_eq'; did you mean variance_core_eq"),
        ({"theorems": ("variance_core_eq.9",)}, "own.py, theorem 1: variance_core_eq has 2 claims"),
        ({"theorems": ("variance_core_eq.x",)}, "write variance_core_eq or variance_core_eq.1.3"),
        ({"theorems": ()}, "own.py: the lesson names no theorem"),
        ({"idea": "See {mean}."}, "own.py, idea: {mean} names neither"),
        ({"question": "{q.1}?"}, "own.py, question: {q.1}: q is a notion"),
        ({"prose": "{variance_core_eq.7}"}, "own.py, prose: {variance_core_eq.7}: variance_core_eq has 2 claims"),
        (
            {"tasks": (NextLine("variance_core_eq", 5),)},
            "own.py, task 1 (NextLine): the calculation of claim 1 of variance_core_eq has 4 steps",
        ),
        ({"tasks": (NextLine("variance_core_eq", 1, claim=2),)}, "claim 2 of variance_core_eq is not proved by a calculation"),
        (
            {"tasks": (NextLine("variance_core_eq", 1), NextLine("nothing", 1))},
            "own.py, task 2 (NextLine): the book has no theorem 'nothing'",
        ),
        ({"tasks": (NextLine("core_rounded_le", 1, claim=2),)}, "step 1 is an inequality"),
        ({"tasks": (NameRule("core_zero_eps_smul", 2),)}, "so none can be the only right one; ask for another step"),
        ({"tasks": (Coefficient("variance_core_eq", 9),)}, "has 2 factors, counted from 1; there is no factor 9"),
        ({"tasks": (Coefficient("mean_core_eq_zero", 1),)}, "is no product"),
        ({"tasks": (Coefficient("bench_1_2_3", 1),)}, "is an example; name a claim that is one relation"),
        ({"tasks": (FindFlaw("core_conventions", 3),)}, "2 near misses, counted from 1; there is no near miss 3"),
        ({"tasks": (Compute("variance_core_eq", point=3),)}, "has 1 point to compute; there is no number 3"),
        ({"tasks": (Compute("core_conventions", point=9),)}, "has 5 relations to compute; there is no number 9"),
        ({"tasks": (Predict("variance_core_limits", "Does it?", claim=4),)}, "is a fact of calculus"),
        ({"tasks": (Predict("variance_core_eq", "{nothing}?"),)}, "{nothing} names neither a theorem nor a notion"),
        ({"tasks": ("variance_core_eq",)}, "expected NextLine, NameRule, Coefficient, FindFlaw, Compute or Predict"),
    ],
)
def test_the_author_of_a_lesson_is_told_what_to_mend(change: dict[str, object], says: str) -> None:
    with pytest.raises(LessonError, match=re.escape(says)):
        book.check("own", replace(GOOD, **change), where="own.py")  # type: ignore[arg-type]


def test_a_lesson_of_ones_own_is_made_like_the_others() -> None:
    book.check("own", GOOD, where="own.py")
    (task,) = book.tasks("own", GOOD)
    assert task.id == "own.1"
    assert book.theorems(GOOD) == ("variance_core_eq",)


def test_one_entry_of_a_list_is_computed() -> None:
    (task,) = book.tasks("own", replace(GOOD, tasks=(Compute("core_eq", point=1),)))
    assert task.prompt == "Compute core(z)₃ at z = (1, 2, 3), ε = 1/3."
    assert task.target == Num(Fraction(1))
    assert task.lines[0] == theorem("core_eq").proved[0].relation.left[Index("3")]  # type: ignore[index]
