"""Common shifts: what the core does not see."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="A common shift",
    question="Somebody adds ten thousand to every entry of your row. Must anything be done about it before the normalization?",
    theorems=("core_add_const", "core_examples_common_shift", "core_example_unequal_shift", "core_add_iff.3.4"),
    idea="Nothing. {core_add_const.1}: the mean takes the shift, the deviations and the variance do not change, so neither does the "
    "core. At {core_add_const.1.at} both sides are {core_add_const.1.value}. Look at {core_examples_common_shift.1.1.left} in "
    "three rows: it is {core_examples_common_shift.1.1.right}, then {core_examples_common_shift.2.1.right}, then "
    "{core_examples_common_shift.3.1.right}, and the core is the same each time. What does count is whether the shift is common. "
    "Add to one entry alone, and at {core_example_unequal_shift.1.at} the first entry of the core is "
    "{core_example_unequal_shift.1.7.right}. More than that: a shift {w} that is not the same in every entry is never removed, "
    "however it is chosen.",
    tasks=(
        Predict("core_add_const", "Every entry of a row grows by the same number. What does the core do?"),
        NextLine("core_add_const", step=2),
        NextLine("core_add_const", step=3),
        NameRule("core_add_const", step=3),
        NextLine("core_add_const", step=4),
        Predict("core_add_const", "Two entries of a row grow by different numbers. What does the core do?", miss=1),
        Compute("core_example_unequal_shift", point=9),
        FindFlaw("core_add_const", miss=2),
    ),
    figure="bars",
    after=("core_variance",),
)
