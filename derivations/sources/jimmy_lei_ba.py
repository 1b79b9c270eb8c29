"""Jimmy Lei Ba: names, supervisor and focus of research."""

from lnsym.derivation import Record

RECORD = Record(
    title="Jimmy Lei Ba",
    catalogue="S51",
    says=(
        "Jimmy Lei Ba, also known as Jimmy Ba, is a computer scientist whose published work includes Adam and layer normalization. "
        "His personal research biography names Geoffrey Hinton as his doctoral supervisor."
    ),
    fields=(
        ("name in print", "Jimmy Lei Ba"),
        ("also known as", "Jimmy Ba"),
        ("doctoral supervisor", "Geoffrey Hinton"),
        ("research focus", "efficient algorithms for deep learning"),
        ("affiliation on the 2016 manuscript", "University of Toronto"),
    ),
    cites=("004 ¶4",),
)
