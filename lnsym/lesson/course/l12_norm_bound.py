"""How far the core can move: the norm bound, and the Lipschitz constant."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NextLine

LESSON = Lesson(
    title="How far the core can move",
    question="A small change of the row, a change of the core: how much larger can the second be than the first?",
    theorems=(
        "norm_jacobian_apply_le",
        "norm_jacobian_apply_eq_of_constant.1.2",
        "norm_core_sub_core_le.1.2.3",
        "core_segment_derivative.1",
    ),
    idea="The largest of the three factors is the inverse of the root, and the root is never below that of {eps}. So "
    "{norm_jacobian_apply_le.1} for every direction {h}. At {norm_jacobian_apply_le.1.at.2} the left side is "
    "{norm_jacobian_apply_le.1.value.2}, and so is the right side. The bound is reached at rows of equal entries, where the root "
    "is smallest, and nowhere else. Walk from one row to another and add up the small changes: the same factor bounds the whole "
    "way, {norm_core_sub_core_le.3}. So the core is Lipschitz, and {eps} alone sets the constant: a smaller {eps} allows a larger "
    "jump, but only near rows of equal entries.",
    tasks=(
        FindFlaw("norm_jacobian_apply_le", miss=1),
        NextLine("norm_jacobian_apply_eq_of_constant", claim=1, step=1),
        NextLine("norm_jacobian_apply_eq_of_constant", claim=1, step=2),
        FindFlaw("norm_jacobian_apply_le", miss=2),
        FindFlaw("norm_core_sub_core_le", miss=3),
        FindFlaw("norm_jacobian_apply_eq_of_constant", miss=2),
        Compute("norm_core_sub_core_le"),
    ),
    figure="eps_cliff",
    after=("eigenvectors",),
)
