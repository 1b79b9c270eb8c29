"""The paper that introduced layer normalization: byline, affiliations, identifier."""

from lnsym.derivation import Record

RECORD = Record(
    title="Layer Normalization (2016)",
    catalogue="S51",
    says=(
        "Jimmy Lei Ba, Jamie Ryan Kiros and Geoffrey E. Hinton wrote the paper together. It normalizes with a mean and a variance taken "
        "over the feature coordinates of one case, not over the cases of a batch, then applies a learned gain and bias; in recurrent "
        "networks it takes the statistics at each time step by itself. Its formulas have no eps."
    ),
    fields=(
        ("title", "Layer Normalization"),
        ("authors", "Jimmy Lei Ba, Jamie Ryan Kiros, Geoffrey E. Hinton"),
        ("year", "2016"),
        ("identifier", "arXiv:1607.06450"),
        ("affiliation of Jimmy Lei Ba", "University of Toronto"),
        ("affiliation of Jamie Ryan Kiros", "University of Toronto"),
    ),
    cites=("004 ¶1", "004 ¶3", "004 ¶4", "004 ¶6", "004 ¶16", "000 ¶3"),
)
