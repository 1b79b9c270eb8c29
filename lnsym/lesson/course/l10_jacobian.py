"""The Jacobian of the core, derived by the quotient rule."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NextLine

LESSON = Lesson(
    title="The Jacobian",
    question="You know how the deviations move and how the root moves. How does their quotient, the core, move with each entry of the row?",
    theorems=("jacobian_core_eq", "jacobian_forms.2.3.4.6"),
    idea="By the quotient rule. We look for {jacobian_core_eq.1.left}, that is, for {jacobian_core_eq.1.step.1}: a numerator that moves "
    "and a divisor that moves. So there are two terms, {jacobian_core_eq.1.step.2}. Put in what the last lesson found, take the "
    "root out as a common factor, and there it is: {jacobian_core_eq.1}. The first term is what would happen if the root stood "
    "still. The second is its answer: a push along {v} makes the root grow, and takes back a part of what was gained. With {r} for "
    "the inverse of the root, and {u} as a word, it is shorter: {jacobian_forms.2}. At {jacobian_core_eq.1.at} its rows are "
    "{jacobian_core_eq.1.value}. Each row sums to zero, and so does each column.",
    prose="Read the derivation line by line. Every line says what it uses, and nothing is used that was not shown before.",
    tasks=(
        NextLine("jacobian_core_eq", step=1),
        NextLine("jacobian_core_eq", step=2),
        NextLine("jacobian_core_eq", step=3),
        NextLine("jacobian_core_eq", step=4),
        NextLine("jacobian_core_eq", step=5),
        NextLine("jacobian_forms", claim=2, step=2),
        Compute("bench_1_2_3", claim=11, point=5),
        FindFlaw("jacobian_core_eq", miss=1),
    ),
    figure="jacobian_split",
    after=("jacobian_pieces",),
)
