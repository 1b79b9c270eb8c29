"""The numerical examples are the seeds' own, not experiments of the paper."""

from lnsym.derivation import Record

RECORD = Record(
    title="Where the numerical examples come from",
    catalogue="S53",
    says=(
        "The examples were made for the seed texts. None is an experiment of a paper, none measures training speed, and each speaks of "
        "one computation, not of every layer of a network."
    ),
    fields=(
        ("S09", "(1, 2, 3) with eps = 1/3 and eps = 4/3"),
        ("S15 to S18", "(1, 2, 3), (11, 12, 13), (101, 102, 103) and (1, 2, 4) with eps = 1/3"),
        ("S26", "(2, 4, 6) with eps = 1/3"),
        ("S38", "the family (-t, 0, t)"),
        ("S43, S44", "(2, 6) with eps = 1, beside (-100, 100) and beside (1000, 2000)"),
    ),
    cites=("000 ¶2", "000 ¶5", "004 ¶2", "004 ¶7", "004 ¶8", "004 ¶15"),
)
