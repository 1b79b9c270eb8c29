"""Choices are marked by letter, by words and by the names of rules."""

from __future__ import annotations

from dataclasses import replace

from lnsym.derivation import Rule
from lnsym.lesson import book
from lnsym.lesson.lines import marked
from lnsym.lesson.marking import mark
from lnsym.lesson.marking.choices import leads, read_rules
from lnsym.lesson.records import Task
from lnsym.library import theorem
from tests.lesson.samples import rule_task


def test_choices_by_letter_and_by_word() -> None:
    """Five ways each to say it stays and it changes."""
    task = Task("t", "predict", "", choices=("it changes", "it stays"), right="b", theorem="core_add_const", solution=("b: it stays.",))
    for answer in ("b", "B)", "it stays", "no", "unchanged"):
        assert mark(task, answer).done, answer
    for answer in ("a", "(a)", "it changes", "yes", "changes."):
        assert mark(task, answer).verdict == "different", answer
    for answer in ("", "c", "perhaps", "ab"):
        assert mark(task, answer).verdict == "unreadable", answer


def test_a_wrong_prediction_is_answered_with_what_is_proved_or_with_numbers() -> None:
    tasks = {
        task.id: task for name in ("shift", "mean_and_deviations", "jacobian_pieces") for task in book.tasks(name, book.lessons()[name])
    }
    said = {
        ("shift.1", "a"): "Not yet. It is proved: if ε > 0: core(z + c·𝟏)ᵢ = uᵢ.",
        ("mean_and_deviations.4", "yes"): "Not yet. It is proved: zᵢ + c·1 - mean(z + c·𝟏) = zᵢ - mean(z).",
        ("mean_and_deviations.5", "b"): "Not yet. At w = (0, 1), z = (0, 1), i = 1, ∑ⱼ Pᵢⱼ·(zⱼ + wⱼ) is -1 and vᵢ is -1/2.",
    }
    for (task, answer), message in said.items():
        assert mark(tasks[task], answer).message == message
    assert tasks["jacobian_pieces.6"].prompt.startswith("Which rules lead from ")


def test_the_flaw_is_answered_with_its_point() -> None:
    """The wrong choice is told true; the right one with the numbers."""
    choices = ("var(u) = q/(q + ε)", "mean(u) = 0", "if ε > 0: var(u) = 1", "var(u) < 1")
    task = Task("t", "flaw", "", choices=choices, right="c", theorem="variance_core_eq")
    for answer in ("c", "C", "(c)", "c.", "var(u) = 1"):
        said = mark(task, answer)
        assert said.done, answer
        assert said.witness is not None
        assert said.witness.left != said.witness.right
    for answer in ("a", "b", "d", "B", "mean(u) = 0"):
        said = mark(task, answer)
        assert said.verdict == "different", answer
        assert "is proved" in said.message
    assert mark(task, "e").verdict == "unreadable"


def test_rules_by_name() -> None:
    """Five right, five wrong, and names that do not exist."""
    task = rule_task("variance_core_eq", 1, 4)
    for answer in ("square of s", "the square of the root s", "s^2 = q + eps", "squares, unfold s", "Square of s."):
        assert mark(task, answer).done, (answer, mark(task, answer))
    for answer in ("fold q", "unfold u", "centred", "algebra", "square of s, count"):
        assert mark(task, answer).verdict == "wrong rule", (answer, mark(task, answer))
    said = mark(task, "squre of s")
    assert said.verdict == "unreadable"
    assert "square of s" in said.message
    assert "is used" in mark(rule_task("variance_core_eq", 1, 2), "unfold u, centred").right


THEOREMS = ("variance_core_eq", "jacobian_core_eq", "gradient_dot_output_eq", "core_smul", "jacobian_apply_deviation", "mean_core_eq_zero")


def test_the_rules_of_every_step_are_right_and_none_of_them_idle() -> None:
    """For every step of some theorems: its rules by their names; algebra in their place only where it leads there."""
    wrong = 0
    for name in THEOREMS:
        for number, claim in enumerate(theorem(name).claims, 1):
            for place, step in enumerate(claim.steps, 1):
                task = rule_task(name, number, place)
                assert mark(task, ", ".join(one.name for one in step.step.rules)).verdict == "correct", (name, place)
                said = mark(task, "algebra")
                assert said.done == leads(read("algebra"), step), (name, place, said)
                wrong += not said.done
    assert wrong > 10


def read(answer: str) -> tuple[Rule, ...]:
    """The rules of a text that can be read."""
    found = read_rules(answer)
    assert not isinstance(found, str)
    return found


def test_a_prediction_is_answered_with_the_numbers_of_the_near_miss() -> None:
    """A wrong one with what both sides are, by name; a right one leaves them to the solution."""
    (task,) = (task for task in book.tasks(*book.lesson("shift")) if task.id == "shift.6")
    wrong, right = mark(task, "b"), mark(task, "a")
    assert wrong.message == f"Not yet. {task.solution[-1]}"
    assert "core(z + w)ᵢ is" in wrong.message
    assert right.message == "Correct."
    assert not any("yours" in line for said in (wrong, right) for line in marked(said, 80))


def test_a_choice_of_several_rules_says_which_part_is_right_and_not_the_rest() -> None:
    (task,) = (task for task in book.tasks(*book.lesson("mean_and_deviations")) if task.id == "mean_and_deviations.7")
    for letter in "abcd":
        said = mark(task, letter)
        shared = [one for one in task.choices["abcd".index(letter)].split("; ") if one in task.choices["abcd".index(task.right)]]
        assert said.done == (letter == task.right)
        assert said.done or said.right == (f"This part is right: {'; '.join(shared)}." if shared else "")
        assert said.done or said.message == "The step is true, but not by what you named."


def test_a_rule_by_its_letter() -> None:
    """With choices, letters and names both count."""
    task = rule_task("variance_core_eq", 1, 4)
    task = replace(task, choices=("count", "the square of s", "split"), right="b")
    assert mark(task, "b").done
    assert mark(task, "the square of s").done
    said = mark(task, "a")
    assert said.verdict == "wrong rule"
    assert said.message == "The step is true, but not by what you named."  # what it needs would be the answer
