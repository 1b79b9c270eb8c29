"""Computing it: a mean that is off, one pass, merging."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="Computing it",
    question="On paper the variance has two formulas that agree. On a machine one of them can come out negative. Which, and why?",
    theorems=("variance_one_pass_eq.1.5", "core_shifted_mean_eq.1.2.5", "statistics_merge_eq.3.4", "core_eq_core_div.1.5"),
    idea="The mean of the squares less the square of the mean. Each part carries a small relative error, and if the mean is large, both "
    "parts are: {variance_one_pass_eq.1}. At {variance_one_pass_eq.5.at} the variance is one, and the machine finds "
    "{variance_one_pass_eq.5.3.right}. Taking the mean off first is safe. If that mean is off by {c}, the harm is known: "
    "{core_shifted_mean_eq.1}, so the square of the error acts like a larger {eps}. A row that comes in two parts can be merged "
    "without seeing it again: {statistics_merge_eq.3.right} is the sum of squared deviations of both together. And a row too large "
    "for the machine may be divided by a number {core_eq_core_div.1.given.2}, if {eps} is divided by the square: "
    "{core_eq_core_div.1}.",
    tasks=(
        NextLine("core_shifted_mean_eq", step=1),
        NextLine("core_shifted_mean_eq", step=2),
        NameRule("core_shifted_mean_eq", step=1),
        NextLine("core_shifted_mean_eq", claim=5, step=2),
        Compute("variance_one_pass_eq", claim=5, point=3),
        NextLine("core_eq_core_div", step=2),
        Predict(
            "core_eq_core_div",
            "Every entry of a row is divided by the same number, eps is left as it is. What does the core do, in general?",
            miss=1,
        ),
        FindFlaw("core_shifted_mean_eq", miss=2),
    ),
    figure="eps_cliff",
    after=("weights",),
)
