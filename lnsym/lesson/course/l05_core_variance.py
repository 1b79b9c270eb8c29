"""The variance of the core: a share of one, and eps takes the rest."""

from lnsym.lesson.records import Coefficient, Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="The variance of the core",
    question="It is often said that a normalized row has variance one. Divide by a root that holds eps as well: is that still so?",
    theorems=("variance_core_eq", "variance_core_eq_half_iff", "norm_core_eq.2", "core_example_eps", "variance_core_limits.1.2.3"),
    idea="It is not. {variance_core_eq.1}: the variance {q} is compared with the sum of itself and {eps}. At {variance_core_eq.1.at} "
    "this is {variance_core_eq.1.value}, two parts of three. With a larger {eps}, at {core_example_eps.2.at}, it is only "
    "{core_example_eps.2.5.right}. The share is called {rho}. It is one half where {variance_core_eq_half_iff.1}, comes near one "
    "where {q} is much larger than {eps}, and is zero at a row of equal entries. It never is one: {variance_core_eq.2}. So {eps} "
    "sets a scale: rows whose variance is well above it are normalized, rows well below it are left nearly flat.",
    tasks=(
        Predict(
            "variance_core_eq", "One row is replaced by another one, eps stays. What does the variance of the core do, in general?", miss=1
        ),
        NextLine("variance_core_eq", step=1),
        NextLine("variance_core_eq", step=2),
        NextLine("variance_core_eq", step=3),
        NameRule("variance_core_eq", step=4),
        Compute("variance_core_eq"),
        Coefficient("norm_core_eq", factor=2, claim=2),
        FindFlaw("variance_core_eq", miss=2),
    ),
    figure="variance_share",
    after=("core",),
)
