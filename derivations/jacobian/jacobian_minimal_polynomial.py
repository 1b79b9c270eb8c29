"""Every eigenvalue of the Jacobian is 0, 1/s or eps/s^3; the traces count how often."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, by, centred, chain, count, square_of_root, variance
from lnsym.lang import Eq, identity, positive, trace

from ..definitions import J, d, eps, q, s

RADIAL = eps / (q + eps)

THEOREM = Derivation(
    title="J (J - I/s)(J - (eps/s^3) I) = 0, and J has trace (d - 2 + eps/(q + eps))/s.",
    catalogue=("S29", "S30", "S31"),
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(J @ (J - identity() / s) @ (J - eps / s**3 * identity()), 0),
            by(centred, variance, square_of_root(s), why="Each factor removes one of the three eigenspaces."),
        ),
        Claim(
            Eq(trace(J), (d - 2 + RADIAL) / s),
            chain(trace(J))
            .to((d - 1 - q / (q + eps)) / s, by=(count, variance), why="P has trace d - 1, and v v^T has trace d q.")
            .to((d - 2 + RADIAL) / s, by=algebra, why="1 - q/(q + eps) = eps/(q + eps)."),
        ),
        Claim(
            Eq(trace(J @ J), (d - 2 + RADIAL**2) / s**2),
            by(count, centred, variance, square_of_root(s), why="The eigenvalues squared: d - 2 times 1/s^2, and once eps^2/s^6."),
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3"), at(z=(0, 1), eps=2)),
    near_misses=(
        NearMiss(Eq(J @ (J - identity() / s), 0), why="This forgets the radial eigenvalue."),
        NearMiss(Eq(trace(J), (d - 1) / s), why="This is the trace at a constant input only."),
    ),
)
