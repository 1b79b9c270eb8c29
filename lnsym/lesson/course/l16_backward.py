"""The backward pass in one line."""

from lnsym.lesson.records import Coefficient, Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="Backward in one line",
    question="Training asks the other way round: given how the loss depends on the output, how does it depend on the row? Must the whole "
    "matrix be built?",
    theorems=(
        "gradient_dot_output_eq.1.2.3.5",
        "derivative_output_apply_eq.2",
        "gradient_core_ne_constant_statistics",
        "dot_gradient_core_eq.1",
    ),
    idea="No. Let {g} be the derivative of the loss by the output. Then {gradient_dot_output_eq.1}: scale {g} by the gain, take its "
    "mean off, take off its part along the core, divide by the root. Three numbers are enough, two means and a root. Read it as "
    "two projections: what would move the mean is taken out, and what would move the root is damped. At {bench_1_2_3.13.at} the "
    "last entry of the gradient is {bench_1_2_3.13.3.right}. The gradients of the parameters are simpler still, "
    "{gradient_dot_output_eq.2} and {gradient_dot_output_eq.3}. The most common mistake is to treat mean and root as constants; "
    "then {gradient_core_ne_constant_statistics.1.right} is missing.",
    tasks=(
        NextLine("gradient_dot_output_eq", step=1),
        NextLine("gradient_dot_output_eq", step=2),
        NextLine("gradient_dot_output_eq", claim=2, step=1),
        NameRule("gradient_dot_output_eq", claim=3, step=1),
        Coefficient("dot_gradient_core_eq", factor=2),
        Compute("bench_1_2_3", claim=13, point=3),
        FindFlaw("gradient_core_ne_constant_statistics", miss=2),
        Predict(
            "gradient_dot_output_eq",
            "The loss is the sum of all entries of the core. One entry of the row is nudged. What does the loss do?",
            claim=6,
        ),
    ),
    figure="jacobian_split",
    after=("case_and_batch",),
)
