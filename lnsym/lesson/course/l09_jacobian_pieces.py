"""The pieces of the Jacobian: how deviations and root move with one entry."""

from lnsym.lesson.records import Compute, FindFlaw, Lesson, NameRule, NextLine, Predict

LESSON = Lesson(
    title="How the pieces move",
    question="Nudge one entry of a row a little. Which of the other entries' deviations move, and does the root move too?",
    theorems=("derivative_deviation_ne_plus", "bench_1_2_3.9"),
    idea="Every entry has a hand in the mean, so one entry moves all deviations: {derivative_deviation_ne_plus.1}. The delta is one "
    "where both indices agree and zero elsewhere. So the entry moves its own deviation by one, less its share in the mean, and "
    "every other one by minus that share. These numbers are the entries of the matrix {P}: {derivative_deviation_ne_plus.2}. At "
    "{derivative_deviation_ne_plus.2.at} they are {derivative_deviation_ne_plus.2.value}. The root moves as well. The variance is "
    "a mean of squares, and the deviations sum to zero, so what the moving mean does cancels; what is left is {bench_1_2_3.9}. In "
    "words: push an entry that is above the mean, and the root grows; push one below it, and the root shrinks. These two "
    "derivatives are all that the next lesson needs.",
    prose="How the root moves, in slow motion. Differentiate each square of a deviation: twice the deviation, times its own move. Sum "
    "them up. What the mean contributes is the same for all, so it meets the sum of the deviations, which is zero. Only the entry "
    "that was nudged is left, and the variance moves by twice its deviation, over {d}. Now the root: its square is the variance "
    "plus {eps}, so twice the root times its move is the move of the variance. That is {bench_1_2_3.9}, the core itself.",
    tasks=(
        Predict(
            "derivative_deviation_ne_plus", "One entry of a row is nudged. What does the mean, which is taken off every entry, do?", miss=2
        ),
        NextLine("derivative_deviation_ne_plus", claim=1, step=1),
        FindFlaw("derivative_deviation_ne_plus", miss=1),
        Compute("derivative_deviation_ne_plus", claim=2),
        NextLine("bench_1_2_3", claim=9, step=1),
        NameRule("bench_1_2_3", claim=9, step=1),
    ),
    figure="bars",
    after=("without_eps",),
)
