"""The family (-t, 0, t): one curve that shows all of it."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="One row with a dial",
    question="Turn a single dial that spreads a row of three from nothing to far apart. What curve does the last entry of the core draw?",
    theorems=("core_family_eq", "derivative_family_eq.1.2", "curve_sq_lt.1.2.3.4", "curve_scale_collapse.1.3"),
    idea="The rows are {core_family_eq.given.1}. Their mean is zero, their variance is {core_family_eq.2.right}, and the last entry of "
    "the core is {core_family_eq.3}. At {core_family_eq.6.at} it is {core_family_eq.6.3.right}. Near the middle the curve is "
    "steep, and its slope is {derivative_family_eq.1.right}, the very factor along {v} from the lesson on directions. Far out it "
    "flattens: it stays between two lines, {curve_sq_lt.2}, and never touches them, since {curve_sq_lt.1.left} is "
    "{curve_sq_lt.1.right} and so never zero. And {eps} does no more than stretch the axis: {curve_scale_collapse.1}. One curve "
    "serves for every {eps}.",
    tasks=(
        NextLine("core_family_eq", claim=3, step=3),
        Predict(
            "curve_sq_lt",
            "The last entry of the core begins below the upper line. The dial is turned without end. What does its side of the line do?",
            claim=2,
        ),
        NextLine("derivative_family_eq", step=2),
        NextLine("derivative_family_eq", step=3),
        NameRule("derivative_family_eq", step=4),
        NextLine("derivative_family_eq", step=5),
        Compute("curve_sq_lt"),
        FindFlaw("core_family_eq", miss=1),
    ),
    figure="response",
    after=("gain_and_bias",),
)
