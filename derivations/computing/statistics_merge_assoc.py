"""Merging is a commutative monoid: neither the order of the shards nor the brackets matter, and an empty shard adds nothing."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, by, chain
from lnsym.kernel.terms import Operand, Term, lift
from lnsym.lang import Eq, positive, symbols

Shard = tuple[Operand, Operand, Operand]  # number, mean, sum of the squared deviations

a, m1, M1, b, m2, M2, c, m3, M3 = symbols("a m1 M1 b m2 M2 c m3 M3")
first, second, third, empty = (a, m1, M1), (b, m2, M2), (c, m3, M3), (0, m2, 0)


def merge(one: Shard, other: Shard) -> tuple[Term, Term, Term]:
    """Both shards together."""
    (n, mean, squares), (n_, mean_, squares_) = (tuple(map(lift, shard)) for shard in (one, other))
    return n + n_, (n * mean + n_ * mean_) / (n + n_), squares + squares_ + n * n_ / (n + n_) * (mean_ - mean) ** 2


from_left, from_right = merge(merge(first, second), third), merge(first, merge(second, third))
flat_mean = (a * m1 + b * m2 + c * m3) / (a + b + c)
distances = a * b * (m2 - m1) ** 2 + a * c * (m3 - m1) ** 2 + b * c * (m3 - m2) ** 2
flat_squares = M1 + M2 + M3 + distances / (a + b + c)
EACH = "All numbers of members count alike."
PAIRS = "Each pair of shards adds the squared distance of its means, weighted by the product of their numbers."

THEOREM = Derivation(
    title="Merging is associative and commutative, and an empty shard is neutral.",
    catalogue="T64",
    given=(positive(a), positive(b), positive(c)),
    claims=(
        Claim(
            Eq(from_left[1], from_right[1]),
            chain(from_left[1]).to(flat_mean, by=algebra, why=EACH).to(from_right[1], by=algebra, why=EACH),
            label="associative: the mean",
        ),
        Claim(
            Eq(from_left[2], from_right[2]),
            chain(from_left[2]).to(flat_squares, by=algebra, why=PAIRS).to(from_right[2], by=algebra, why=PAIRS),
            label="associative: the sum of the squared deviations",
        ),
        Claim(
            Eq(merge(first, second)[1], merge(second, first)[1]),
            by(algebra, why="The formula says the same of both shards."),
            label="commutative: the mean",
        ),
        Claim(
            Eq(merge(first, second)[2], merge(second, first)[2]),
            by(algebra, why="The formula says the same of both shards."),
            label="commutative: the sum of the squared deviations",
        ),
        Claim(Eq(merge(first, empty)[1], m1), by(algebra, why="The mean given for no numbers has weight 0."), label="neutral: the mean"),
        Claim(
            Eq(merge(first, empty)[2], M1),
            by(algebra, why="With no numbers n n'/(n + n') is 0."),
            label="neutral: the sum of the squared deviations",
        ),
    ),
    points=(at(a=2, m1=4, M1=8, b=2, m2=0, M2=20000, c=1, m3=7, M3=0),),
    near_misses=(
        NearMiss(
            Eq(from_left[1], ((m1 + m2) / 2 + m3) / 2),
            why="Means of means forget the numbers of members.",
        ),
        NearMiss(Eq(from_left[2], M1 + M2 + M3), why="Shards with different means add their distances."),
        NearMiss(Eq(from_left[2], M1 + M2 + M3 + distances), why="The distances are divided by the number of all members."),
    ),
)
