"""The rank-one term of the Jacobian carries 1/d: J = (P - u u^T/d)/s and not (P - u u^T)/s."""

from lnsym.derivation import Claim, Derivation, NearMiss, at, by, derivative, squares
from lnsym.lang import Eq, P, identity, jacobian, outer, positive

from ..definitions import d, eps, s, u, z

THEOREM = Derivation(
    title="The rank-one term of the Jacobian carries 1/d.",
    catalogue="N01",
    given=(positive(eps),),
    claims=(Claim(Eq(jacobian(u, z), (P - outer(u, u) / d) / s), by(derivative, squares, why="dq = 2v/d keeps the 1/d.")),),
    points=(at(z=(1, 2, 3), eps="1/3"),),
    near_misses=(
        NearMiss(Eq(jacobian(u, z), (P - outer(u, u)) / s), why="The 1/d is missing: dq is 2v/d, not 2v."),
        NearMiss(Eq(jacobian(u, z), (identity() - outer(u, u) / d) / s), why="The mean moves too: P and not the identity."),
        NearMiss(Eq(jacobian(u, z), P / s), why="The root moves too, which brings the rank-one term."),
    ),
)
