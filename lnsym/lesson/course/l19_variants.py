"""Variants and mistakes: eps outside, another divisor, a clamped root."""

from lnsym.lesson.records import Coefficient, Compute, FindFlaw, Lesson, NextLine

LESSON = Lesson(
    title="Variants and mistakes",
    question="Your code and a colleague's differ in the third decimal. Both call it layer norm. Where would you look first?",
    theorems=(
        "core_outside_eq.2.4.7",
        "core_divided_eq.1.2",
        "core_clamped_eq.2.3",
        "core_eq_core_iff_eps_eq.3.4",
        "core_ne_core_unbiased.2",
    ),
    idea="At where {eps} stands, and at the divisor. Outside the root the result is {core_outside_eq.4.right}: the factor depends on "
    "the row, so no other {eps} inside repairs it. Its variance is {core_outside_eq.2.right}, and at {core_outside_eq.12.at} the "
    "last entry is {core_outside_eq.12.2.right}. With another divisor {c} in place of {d} a factor comes before the core, and its "
    "{eps} changes too: {core_divided_eq.1}. One less than {d} is the divisor met most often. Some clamp {sigma} from below and do "
    "not add: the result is {core_clamped_eq.2.right} where it is small, and {core_clamped_eq.1.right} where it is large. And "
    "{eps} added twice is just a larger one: {core_eq_core_iff_eps_eq.4}. Each of these has a code in the audit, and each is told "
    "from the rule by one short row.",
    tasks=(
        NextLine("core_outside_eq", claim=2, step=2),
        NextLine("core_outside_eq", claim=2, step=3),
        Coefficient("core_outside_eq", claim=4, factor=1),
        NextLine("core_divided_eq", step=2),
        Compute("core_outside_eq", claim=12, point=2),
        Compute("core_ne_core_unbiased", claim=3, point=3),
        FindFlaw("core_outside_eq", miss=4),
        FindFlaw("core_ne_core_unbiased", miss=2),
    ),
    figure="variance_share",
    after=("computing",),
)
