"""Weights and re-centering: what the layer before need not learn."""

from lnsym.lesson.records import FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="Weights before the core",
    question="The row usually comes from a matrix of weights and a bias. Which changes of those can the core not see?",
    theorems=("core_recenter_weights.1.2", "core_add_const_bias", "core_weights_affine.1.2.3", "core_add_raw_shift.1"),
    idea="A change that adds the same number to every entry of the row. Add the same row of numbers to every line of the weights: "
    "{core_recenter_weights.1}, so for each input the entries all grow by one number, and {core_recenter_weights.2}. At "
    "{core_recenter_weights.2.at} both sides are {core_recenter_weights.2.value}. The same goes for a bias before the core: its "
    "common part is lost. With a factor it is as in the lesson on factors: {core_weights_affine.2}. Shifting the input of the "
    "weights is another matter: {core_add_raw_shift.1}, and what is added there is seldom the same in every entry.",
    tasks=(
        Predict("core_recenter_weights", "The same numbers are added to every line of the weights. What does the output do?", claim=2),
        NextLine("core_recenter_weights", claim=2, step=2),
        NameRule("core_recenter_weights", claim=2, step=2),
        Predict("core_weights_affine", "All weights are doubled, and eps is positive. What does the core do, in general?", miss=1),
        Predict("core_add_raw_shift", "The same number is added to every input of the weights. What does the core do, in general?", miss=2),
        FindFlaw("core_add_const_bias", miss=1),
        FindFlaw("core_recenter_weights", miss=1),
    ),
    after=("backward",),
)
