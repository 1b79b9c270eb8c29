"""The eigenvectors of the Jacobian: three kinds of directions, three fates."""

from lnsym.lesson.records import Coefficient, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="Three kinds of directions",
    question="A matrix is best understood by the directions that it only stretches. The Jacobian has just three kinds of them. Which?",
    theorems=("jacobian_apply_one.1", "jacobian_apply_deviation", "jacobian_apply_tangent", "jacobian_of_two_coordinates.2"),
    idea="Along {one}, the common shift, nothing happens: {jacobian_apply_one.1}. Along {v}, where the row is only spread further, the "
    "root works against the move and little is left: {jacobian_apply_deviation.1}. At {jacobian_apply_deviation.1.at} the image of "
    "{v} is {jacobian_apply_deviation.1.value}, so the factor is one third. And across both, for a direction {w} that is "
    "orthogonal to {one} and to {v}, mean and root stand still to first order, and the move is divided by {s}: "
    "{jacobian_apply_tangent.1}. At {jacobian_apply_tangent.1.at} this is {jacobian_apply_tangent.1.value}, the direction itself, "
    "since the root is one there. Three factors: zero, small, and the inverse of the root. With two entries the third kind has no "
    "room.",
    tasks=(
        NextLine("jacobian_apply_deviation", step=2),
        NextLine("jacobian_apply_deviation", step=3),
        NextLine("jacobian_apply_deviation", step=4),
        NameRule("jacobian_apply_deviation", step=5),
        Coefficient("jacobian_apply_deviation", factor=2),
        NextLine("jacobian_apply_tangent", step=2),
        Predict("jacobian_apply_one", "Every entry of a row is nudged by the same small number. What does the core do, to first order?"),
        FindFlaw("jacobian_apply_deviation", miss=3),
    ),
    figure="jacobian_split",
    after=("jacobian",),
)
