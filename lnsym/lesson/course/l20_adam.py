"""Adam's bias correction: the same care with a mean that starts at zero."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="A mean that starts at zero",
    question="An author of the first paper on layer norm is also an author of Adam, which keeps a running mean of gradients. It starts at "
    "zero. For how long does that show?",
    theorems=("accumulator_recurrence.1", "accumulator_weights_eq.1", "corrected_accumulator_of_const.1", "accumulator_weights_pos.2"),
    idea="At each step the old value keeps a part, and the new gradient gives the rest: {accumulator_recurrence.1}. So every gradient "
    "has a weight, and the older it is the smaller. The weights do not sum to one: {accumulator_weights_eq.1}. At "
    "{accumulator_weights_eq.1.at} they sum to {accumulator_weights_eq.1.value}; what is missing is the weight of the zero at the "
    "start. Divide by what they sum to and the mean is fair from the first step on: for a constant gradient, "
    "{corrected_accumulator_of_const.1}. It is the lesson of this course once more: know what you divide by.",
    tasks=(
        Compute("accumulator_weights_eq"),
        NameRule("corrected_accumulator_of_const", step=2),
        NextLine("corrected_accumulator_of_const", step=2),
        Predict("corrected_accumulator_of_const", "Every gradient is the same number. What does the corrected mean do from step to step?"),
        Predict("accumulator_recurrence", "Two gradients come in the other order. What does the running mean do?", miss=4),
        FindFlaw("accumulator_weights_eq", miss=2),
        Compute("accumulator_recurrence", claim=6, point=2),
    ),
    after=("variants",),
)
