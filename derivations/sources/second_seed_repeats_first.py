"""Five paragraphs stand in both seed texts."""

from lnsym.derivation import Record

RECORD = Record(
    title="Paragraphs 9 to 13 of seed 004 repeat paragraphs 1 to 5 of seed 000",
    catalogue="S54",
    says="Each claim in them has one theorem and two citations.",
    fields=(
        ("000 ¶1", "004 ¶9"),
        ("000 ¶2", "004 ¶10"),
        ("000 ¶3", "004 ¶11"),
        ("000 ¶4", "004 ¶12"),
        ("000 ¶5", "004 ¶13"),
    ),
    cites=("000 ¶1", "000 ¶2", "000 ¶3", "000 ¶4", "000 ¶5", "004 ¶9", "004 ¶10", "004 ¶11", "004 ¶12", "004 ¶13"),
)
