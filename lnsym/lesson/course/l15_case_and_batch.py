"""Within a case against across a batch: whose mean is it?"""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NextLine, Predict

LESSON = Lesson(
    title="Within a case, or across a batch",
    question="A batch is a table: one row for each case, one column for each feature. The mean can run along the row or down the column. "
    "Does it matter?",
    theorems=(
        "core_two_six",
        "core_beside_companions",
        "jacobian_batch_core_eq.2",
        "core_pooled_steps.2.3",
        "parameter_gradient_sums_cases.2",
    ),
    idea="Take the case {core_two_six.1.at}. Its mean is {core_two_six.1.1.right}, its variance {core_two_six.1.4.right}, its core ends "
    "in {core_two_six.2.4.right}. Put any other case beside it: along the row nothing changes, and {core_beside_companions.1} says "
    "so exactly; the colon stands for a whole row or column of the table. Down the column the story is another one: the same case "
    "gets {core_beside_companions.4.1.right} beside one companion and {core_beside_companions.5.1.right} beside another. That is "
    "batch normalization. It couples the cases of a batch; layer norm does not, so it works with a batch of one and one step at a "
    "time. What does run over all cases is learning: the gradient of the bias is {parameter_gradient_sums_cases.2.right}, a sum of "
    "all.",
    tasks=(
        Predict("core_beside_companions", "Another case is put beside yours. What does the core of your case do?"),
        Predict(
            "core_beside_companions",
            "Statistics run down the columns now. Another case is put beside yours. What does the result for your case do?",
            miss=1,
        ),
        NextLine("core_beside_companions", claim=1, step=1),
        Compute("core_two_six", claim=1, point=4),
        Compute("core_two_six", claim=2, point=4),
        Compute("core_pooled_steps", claim=2, point=2),
        FindFlaw("jacobian_batch_core_eq", miss=2),
        FindFlaw("core_two_six"),
    ),
    figure="bars",
    after=("family",),
)
