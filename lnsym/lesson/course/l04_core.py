"""The core: deviations over the root of variance plus eps."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NameRule, NextLine

LESSON = Lesson(
    title="The core",
    question="Take the mean off, divide by a safe root: two moves, one formula. What is left of the row, and what is lost?",
    theorems=("core_eq.1", "mean_core_eq_zero.1", "core_conventions.1", "core_eq_zero_iff.1.2"),
    idea="The deviations {v} divided by the root {s} are the core {u}: entry by entry it is {core_eq.1.step.2}. At {core_eq.1.at} the "
    "variance is {core_conventions.1.1.right}, and with {eps} under the root {s} is {core_conventions.1.2.right}. So there the core "
    "is {core_eq.1.value}, the deviations just as they are. That is why this point is used throughout: the root gets out of the way, "
    "and what you see is the rest. The inverse of the root is called {r}. The core always has mean zero, {mean_core_eq_zero.1}, "
    "because the deviations have. The mean of the row and the size of its spread can no longer be read off as they were; how the row "
    "is shaped can.",
    tasks=(
        NextLine("core_eq", step=1),
        NextLine("core_eq", step=2),
        NameRule("core_eq", step=3),
        NextLine("mean_core_eq_zero", step=1),
        NextLine("mean_core_eq_zero", step=2),
        Compute("core_conventions", point=5, claim=1),
        FindFlaw("core_eq", miss=1),
        FindFlaw("inverse_root_ne_inverse_variance", miss=3),
    ),
    figure="bars",
    after=("why_eps",),
)
