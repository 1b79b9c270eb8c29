"""Scaling: what eps makes visible."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="A common factor",
    question="A common shift is gone without a trace. Is a common factor gone as well, as the first paper on layer norm says?",
    theorems=("core_smul", "core_affine_eq_core_div_sq.1", "core_scaling_examples"),
    idea="Not with {eps}. Multiply a row by {a}: the deviations are multiplied by {a}, the variance by its square, and {eps} stays what "
    "it is. So {core_smul.1}. At {core_smul.1.at} this is {core_smul.1.value}, and without the factor it was {core_eq.1.value}. "
    "The other way to say it: a larger row feels a smaller {eps}, {core_affine_eq_core_div_sq.1}, where the second argument of a "
    "core stands for its {eps}. For rows of large variance the difference is small, for rows whose variance is near {eps} it is "
    "not.",
    tasks=(
        Predict("core_smul", "Every entry of a row that is not constant is doubled, and eps is positive. What does the core do?", miss=1),
        NextLine("core_smul", step=2),
        NextLine("core_smul", step=3),
        NameRule("core_smul", step=3),
        NextLine("core_smul", step=4),
        Compute("core_smul", point=1),
        FindFlaw("core_smul", miss=3),
        FindFlaw("core_affine_eq_core_div_sq", miss=2),
    ),
    figure="bars",
    after=("shift",),
)
