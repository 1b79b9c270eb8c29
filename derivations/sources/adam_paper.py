"""The paper that introduced Adam and its bias correction."""

from lnsym.derivation import Record

RECORD = Record(
    title="Adam: A Method for Stochastic Optimization (2015)",
    catalogue="S51",
    says=(
        "Diederik P. Kingma and Jimmy Lei Ba wrote the paper together. The optimizer keeps a state made of gradients, so its update "
        "depends on the history; the bias correction accounts for accumulators that start at zero."
    ),
    fields=(
        ("title", "Adam: A Method for Stochastic Optimization"),
        ("authors", "Diederik P. Kingma, Jimmy Lei Ba"),
        ("year", "2015"),
        ("theorems", "accumulator_recurrence, accumulator_weights_eq, corrected_accumulator_of_const, expectation_corrected_accumulator"),
    ),
    cites=("004 ¶5",),
)
