"""The core's coordinate mean is 0."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, centred, chain, unfold
from lnsym.lang import Eq, mean, positive, total

from ..definitions import eps, s, u, v, y, z

THEOREM = Derivation(
    title="The core's coordinate mean is 0.",
    catalogue="S05",
    cites=("000 ¶2", "004 ¶10"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(mean(u), 0),
            chain(mean(u))
            .to(mean(v) / s, by=unfold(u), why="s does not depend on the index, so it leaves the mean.")
            .to(0, by=centred, why="The deviations from the mean sum to 0."),
        ),
        Claim(Eq(total(u), 0), by(centred, unfold(u), why="The sum is d times the mean.")),
    ),
    points=(at(z=(1, 2, 3), eps="1/3", value="0"), at(z=(0, 0, 1), eps="7/9")),
    near_misses=(
        NearMiss(Eq(mean(z), 0), why="Only the deviations have mean 0, not the input itself."),
        NearMiss(Eq(mean(y), 0), why="Gain and bias can move the mean of the output."),
    ),
)
