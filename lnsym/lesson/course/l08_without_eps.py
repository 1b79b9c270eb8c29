"""What changes at eps = 0: exact invariance, bought with a hole at constant rows."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NextLine, Predict

LESSON = Lesson(
    title="What changes without eps",
    question="Leave eps out. The formula becomes tidier, and so do its symmetries. What is the price?",
    theorems=("core_zero_eps_smul", "moments_core_eps_zero", "core_smul_eq_iff_eq_one.1.2", "variance_add_eps_pos.5.7"),
    idea="Without {eps} the root is {sigma} alone, and a positive factor drops out: {core_zero_eps_smul.1}. At "
    "{core_zero_eps_smul.1.at} both sides are {core_zero_eps_smul.1.value}. Mean and variance are what is often said: "
    "{moments_core_eps_zero.2} and {moments_core_eps_zero.3}. The price is a hole. At a row of equal entries there is nothing to "
    "divide by, and no value fits there: walk towards such a row from {z}, and the core stays at every distance {t} what it was at "
    "the start, {variance_add_eps_pos.7}. Two directions give two values. With {eps} the hole is filled, and the invariance is "
    "gone: for a row that is not constant, {core_smul_eq_iff_eq_one.1.given.3} forces {core_smul_eq_iff_eq_one.1}.",
    tasks=(
        Predict("core_zero_eps_smul", "There is no eps. Every entry of a row that is not constant is doubled. What does the core do?"),
        NextLine("core_zero_eps_smul", step=1),
        NextLine("core_zero_eps_smul", step=2),
        NextLine("core_zero_eps_smul", step=3),
        Predict(
            "core_zero_eps_smul", "There is no eps. A row is multiplied by a number that is below zero. What does the core do?", miss=1
        ),
        NextLine("core_zero_eps_smul", claim=2, step=2),
        Compute("moments_core_eps_zero", point=1, claim=4),
        FindFlaw("moments_core_eps_zero", miss=1),
    ),
    figure="eps_cliff",
    after=("scaling",),
)
