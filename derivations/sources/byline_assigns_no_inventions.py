"""A byline names authors; it does not say who invented what."""

from lnsym.derivation import Record

RECORD = Record(
    title="The byline assigns no separate inventions",
    catalogue="S52",
    says=(
        "The paper on layer normalization shows that its three authors worked together. Its byline does not assign a separate "
        "invention to each of them. The sentence has no mathematical content, so there is nothing to prove."
    ),
    cites=("004 ¶3",),
)
