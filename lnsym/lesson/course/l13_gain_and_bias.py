"""Gain and bias: what is learned after the core."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="Gain and bias",
    question="After the core each entry gets a factor and a summand of its own, both learned. Are mean zero and the known variance still "
    "there?",
    theorems=("core_eq.2", "mean_output_eq", "variance_output_eq", "moments_output_examples", "norm_output_sub_output_le.1.2"),
    idea="The output is {core_eq.2}, with the gain {gamma} and the bias {beta}. Its mean need not be zero: {mean_output_eq.1}. The "
    "covariance is the mean of the products of both deviations. A gain that grows where the core grows moves it. At "
    "{moments_output_examples.1.at} the core has mean zero, and the output has mean {moments_output_examples.1.2.right}; its "
    "variance is {moments_output_examples.1.3.right}, where that of the core was {moments_output_examples.1.1.right}. In general "
    "{variance_output_eq.1}, with a circled dot for products entry by entry. How the output answers to the row is the Jacobian "
    "with a factor before each line, {norm_output_sub_output_le.1}, so the largest gain multiplies the bound of the last lesson.",
    tasks=(
        NextLine("core_eq", claim=2, step=2),
        NextLine("mean_output_eq", step=2),
        NextLine("mean_output_eq", step=3),
        NameRule("mean_output_eq", step=4),
        Compute("mean_output_eq"),
        NextLine("variance_output_eq", step=2),
        FindFlaw("mean_output_eq", miss=2),
        Predict(
            "moments_output_equal_parameters",
            "All gains are one number, all biases another. From the core to the output, what does the variance do, in general?",
            miss=1,
        ),
    ),
    figure="bars",
    after=("norm_bound",),
)
