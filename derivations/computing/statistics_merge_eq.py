"""Two shards merge into the statistics of all their numbers together."""

from lnsym.derivation import Claim, Derivation, Example, NearMiss, Offer, algebra, at, by, chain, count, given
from lnsym.kernel.terms import BLOCKS, INPUTS
from lnsym.lang import Eq, length, mean, ones, symbols, total, vector

x, x_ = vector("x", INPUTS), vector("x'", BLOCKS)  # two shards of any two lengths
n, n_ = length(INPUTS), length(BLOCKS)
m, m_, M, M_ = symbols("m m' M M'")  # of each shard the mean and the sum of the squared deviations

centre = (total(x) + total(x_)) / (n + n_)  # the mean of all numbers of both shards
squares = total((x - centre) ** 2) + total((x_ - centre) ** 2)
NAMES = {"n": "n", "m": "mean", "M": "m2", "B": "n'", "m'": "mean'", "M'": "m2'"}

THEOREM = Derivation(
    title="Two shards merge exactly: their means are weighted by their numbers, and the distance of the means adds to the squares.",
    catalogue=("T64", "X07"),
    given=(Eq(m, mean(x)), Eq(m_, mean(x_)), Eq(M, total((x - mean(x)) ** 2)), Eq(M_, total((x_ - mean(x_)) ** 2))),
    claims=(
        Claim(Eq(total(ones(INPUTS)) + total(ones(BLOCKS)), n + n_), by(count, why="The numbers of members add up."), label="the number"),
        Claim(
            Eq(centre, (n * m + n_ * m_) / (n + n_)),
            by(given, why="The sum over a shard is its number of members times its mean."),
            label="the mean",
        ),
        Claim(
            Eq(squares, M + M_ + n * n_ / (n + n_) * (m_ - m) ** 2),
            chain(squares)
            .to(
                M + n * (m - centre) ** 2 + M_ + n_ * (m_ - centre) ** 2,
                by=(given, count),
                why="About another point than its own mean, the squares of a shard sum to n times the squared distance more.",
            )
            .to(
                M + n * (n_ * (m - m_) / (n + n_)) ** 2 + M_ + n_ * (n * (m_ - m) / (n + n_)) ** 2,
                by=given,
                why="The common mean divides the distance of the two means as B to n.",
            )
            .to(M + M_ + n * n_ / (n + n_) * (m_ - m) ** 2, by=algebra, why="n B^2 + B n^2 is n B (n + B)."),
            label="the sum of the squared deviations",
        ),
        Example(
            (
                Eq(centre, 2),
                Eq((n * m + n_ * m_) / (n + n_), 2),
                Eq(squares, 20024),
                Eq(M + M_ + n * n_ / (n + n_) * (m_ - m) ** 2, 20024),
            ),
            at(4, x=(2, 6), m=4, M=8, **{"x'": (-100, 100), "m'": 0, "M'": 20000}),
            why="{2, 6} and {-100, 100} merge into 4 numbers with mean 2 and squared deviations 8 + 20000 + 4^2.",
        ),
    ),
    points=(
        at(4, x=(2, 6), m=4, M=8, **{"x'": (-100, 100), "m'": 0, "M'": 20000}),
        at(4, x=(1, 2, 3), m=2, M=2, **{"x'": (5,), "m'": 5, "M'": 0}),
    ),
    near_misses=(
        NearMiss(Eq(centre, (m + m_) / 2), why="The means are weighted by the numbers of members."),
        NearMiss(Eq(squares, M + M_), why="The distance of the two means is missing."),
        NearMiss(Eq(squares, M + M_ + n * n_ * (m_ - m) ** 2), why="The factor is n B/(n + B), not n B."),
        NearMiss(
            Eq(squares, M + M_ + (m_ - m) ** 2), why="The squared distance carries the factor n B/(n + B), which is 1 for 2 and 2 alone."
        ),
    ),
    offers=(
        Offer("merge_stats", "n", claim=1, names=NAMES),
        Offer("merge_stats", "mean", claim=2, names=NAMES),
        Offer("merge_stats", "m2", claim=3, names=NAMES),
    ),
)
