"""Why eps: a number under the root that keeps the division safe at every input."""

from lnsym.lesson.records import FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="Why eps",
    question="To compare rows of different spread one divides each row by its own standard deviation. What if all entries of a row are "
    "equal?",
    theorems=("variance_add_eps_pos.1.2.3.4.5", "deviations_eq_zero_iff.1.2.6", "core_of_dim_one.1.2.3"),
    idea="A row of equal entries has no deviations, and its variance is zero: to divide by {sigma} would be to divide by zero. The cure "
    "is a small positive number {eps}, added to the variance before the root is taken. Then {variance_add_eps_pos.2}, whatever the "
    "row. At {variance_add_eps_pos.2.at} what stands under the root is {variance_add_eps_pos.2.right.value}; its root {s} never "
    "falls below that of {eps} alone: {variance_add_eps_pos.3}. At a row of equal entries the deviations are zero and the divisor "
    "is not, so the result is zero and not a breakdown. The price is that {eps} is felt at every other row too; the next lessons "
    "say how much.",
    tasks=(
        Predict(
            "variance_add_eps_pos",
            "A row is moved step by step to equal entries. What does the sign of the number under the root do?",
            claim=2,
        ),
        FindFlaw("variance_add_eps_pos", miss=1),
        FindFlaw("variance_add_eps_pos", miss=2),
        NextLine("deviations_eq_zero_iff", claim=2, step=2),
        NameRule("deviations_eq_zero_iff", claim=2, step=2),
        FindFlaw("deviations_eq_zero_iff", miss=1),
        NextLine("core_of_dim_one", claim=3, step=1),
    ),
    figure="eps_cliff",
    after=("variance",),
)
