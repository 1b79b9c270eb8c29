"""The Jacobian of the core: (P - v v^T/(d (q + eps)))/s."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, chain, derivative, square_of_root, unfold
from lnsym.lang import D, Eq, P, i, identity, j, jacobian, outer, positive

from ..definitions import J, d, eps, q, s, u, v, z

THEOREM = Derivation(
    title="The Jacobian of the core is (P - v v^T/(d(q + eps)))/s.",
    catalogue="S28",
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(eps),),
    claims=(
        Claim(
            Eq(D(u[i], z[j]), (P[i, j] - v[i] * v[j] / (d * (q + eps))) / s),
            chain(D(u[i], z[j]))
            .to(D(v[i] / s, z[j]), by=(unfold(u), derivative), why="The core is v over s.")
            .to(D(v[i], z[j]) / s - v[i] * D(s, z[j]) / s**2, by=derivative, why="The quotient rule.")
            .to(P[i, j] / s - v[i] * D(s, z[j]) / s**2, by=derivative, why="Moving z_j moves v_i by delta_ij and the mean by 1/d.")
            .to(P[i, j] / s - v[i] * (v[j] / (d * s)) / s**2, by=derivative, why="2 s ds = dq and dq = 2 v_j/d.")
            .to((P[i, j] - v[i] * v[j] / (d * (q + eps))) / s, by=square_of_root(s), why="The square of s is q + eps."),
        ),
        Claim(
            Eq(jacobian(u, z), J),
            by(derivative, square_of_root(s), why="J names the matrix of these entries, (P - v v^T/(d(q + eps)))/s."),
            label="J is this matrix",
        ),
    ),
    points=(at(z=(1, 2, 3), eps="1/3"),),
    near_misses=(
        NearMiss(Eq(jacobian(u, z), (P - outer(v, v) / (q + eps)) / s), why="The rank-one term carries 1/d."),
        NearMiss(Eq(jacobian(u, z), (identity() - outer(v, v) / (d * (q + eps))) / s), why="The mean moves too: P and not the identity."),
    ),
)
