"""The variance: one number for the size of the deviations."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="Variance",
    question="The deviations sum to zero, so their sum says nothing about how far a row is spread. Which single number does?",
    theorems=("statistics_eq.3.4", "variance_add_const", "deviations_eq_zero_iff.1.2"),
    idea="Square the deviations, so that they cannot cancel, and take the mean: {statistics_eq.4}. For {statistics_eq.4.at} the squares "
    "of {statistics_eq.2.value} have the mean {statistics_eq.4.right.value}. This is the variance {q}. It divides by {d}, the "
    "number of entries, as a plain mean does. A common shift does not touch it: {variance_add_const.1}. And it is zero only where "
    "every deviation is: {deviations_eq_zero_iff.2.given} and {deviations_eq_zero_iff.1.given} say the same.",
    tasks=(
        Compute("statistics_eq", point=1, claim=3),
        Compute("variance_add_const", point=1),
        NextLine("variance_add_const", step=3),
        NameRule("variance_add_const", step=3),
        FindFlaw("statistics_eq", miss=1),
        FindFlaw("statistics_eq", miss=2),
        Predict("variance_add_const", "Every entry of a row grows by the same number. What does the variance do?"),
        NextLine("deviations_eq_zero_iff", claim=2, step=1),
    ),
    figure="bars",
    after=("mean_and_deviations",),
)
