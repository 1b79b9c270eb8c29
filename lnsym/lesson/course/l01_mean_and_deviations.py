"""Mean and deviations: how a row parts into one common number and what is left of each entry."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="Mean and deviations",
    question="A layer of a network hands on a row of numbers. Tomorrow every one of them may be larger by the same amount. Which part of "
    "the row would not notice?",
    theorems=("statistics_eq.1.2", "deviations_add_const", "centering_idempotent.1.4"),
    idea="Take the row {statistics_eq.1.at}. Its mean {mu}, the sum of the entries over their number {d}, is {statistics_eq.1.value}. "
    "What is left of each entry, {statistics_eq.2}, is {statistics_eq.2.value}: one below the mean, one on it, one above it. These "
    "are the deviations {v}. Add the same number {c} to every entry, that is, {c} times the row of ones {one}, and the mean takes all "
    "of it: {deviations_add_const.1}. The deviations stay as they were. Taking the mean off can be written as a matrix, "
    "{centering_idempotent.1}, and doing it a second time takes nothing more away: {centering_idempotent.4}. Everything that follows "
    "is built on {v}, so a common shift is gone before the story begins.",
    prose="Two views help, one with entries and one with the matrix {P}. They say the same; use whichever is shorter to write.",
    tasks=(
        Compute("statistics_eq", point=2),
        NextLine("deviations_add_const", step=1),
        NextLine("deviations_add_const", step=2),
        Predict(
            "deviations_add_const",
            "Every entry of a row grows by the same number. What does the row of deviations do?",
            claim=2,
        ),
        Predict("deviations_add_const", "One entry of a row grows, the others stay. What does the row of deviations do?", miss=2),
        NextLine("deviations_add_const", claim=2, step=2),
        NameRule("centering_idempotent", step=2),
        FindFlaw("statistics_eq", miss=3),
    ),
    figure="bars",
)
