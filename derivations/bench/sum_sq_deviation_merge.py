"""Two shards merge by M + M' + (n n'/(n + n'))(mu' - mu)^2: {2, 6} and {-100, 100} give (4, 2, 20024)."""

from lnsym.derivation import Claim, Derivation, Example, NearMiss, algebra, at, by
from lnsym.kernel.terms import Index
from lnsym.lang import Eq, dot

from ..definitions import d, mu, v, z

z1, z2, z3, z4 = (z[Index(str(k))] for k in (1, 2, 3, 4))
first_mean, second_mean = (z1 + z2) / 2, (z3 + z4) / 2
first_sum = (z1 - first_mean) ** 2 + (z2 - first_mean) ** 2
second_sum = (z3 - second_mean) ** 2 + (z4 - second_mean) ** 2

THEOREM = Derivation(
    title="Two shards of two numbers merge: the squared deviations add up, and the squared distance of the means is added.",
    catalogue="X07",
    given=(Eq(d, 4),),
    claims=(
        Claim(Eq(mu, (2 * first_mean + 2 * second_mean) / 4), by(algebra, why="The means are weighted by the numbers of members.")),
        Claim(
            Eq(dot(v, v), first_sum + second_sum + (second_mean - first_mean) ** 2),
            by(algebra, why="n n'/(n + n') is 1 for n = n' = 2."),
        ),
        Example(
            (Eq(first_sum, 8), Eq(second_sum, 20000), Eq(mu, 2), Eq(dot(v, v), 20024)),
            at(z=(2, 6, -100, 100)),
            why="8 + 20000 + 4^2.",
        ),
    ),
    points=(at(z=(2, 6, -100, 100), value=2),),
    near_misses=(
        NearMiss(Eq(dot(v, v), first_sum + second_sum), why="The distance of the two means is missing."),
        NearMiss(
            Eq(dot(v, v), first_sum + second_sum + 4 * (second_mean - first_mean) ** 2), why="The factor is n n'/(n + n') and not n n'."
        ),
    ),
)
