"""Without eps the Jacobian of the core is (P - v v^T/(d q))/sigma, and the radial direction is lost."""

from lnsym.derivation import Claim, Derivation, NearMiss, algebra, at, centred, chain, derivative, fold, split, squares, variance
from lnsym.lang import D, Eq, P, core, dot, i, j, jacobian, outer, positive

from ..definitions import J, d, eps, q, sigma, v, z

THEOREM = Derivation(
    title="At eps = 0 and q > 0 the Jacobian of the core is (P - v v^T/(d q))/sigma; it sends v to 0.",
    catalogue=("S28", "S30"),
    cites=("000 ¶4", "004 ¶12"),
    given=(positive(q),),
    claims=(
        Claim(
            Eq(D(core(z, 0)[i], z[j]), ((P - outer(v, v) / (d * q)) / sigma)[i, j]),
            chain(D(core(z, 0)[i], z[j]))
            .to(D(v[i] / sigma, z[j]), by=(fold(q), centred, split, derivative), why="At eps = 0 the core is v over sigma.")
            .to(
                P[i, j] / sigma - v[i] * (v[j] / (d * sigma)) / q,
                by=(derivative, squares),
                why="The quotient rule with 2 sigma d(sigma) = dq = 2 v_j/d.",
            )
            .to(((P - outer(v, v) / (d * q)) / sigma)[i, j], by=algebra, why="1/sigma is a common factor."),
        ),
        Claim(
            Eq(jacobian(v / sigma, z)(v), 0),
            chain(jacobian(v / sigma, z)(v))
            .to(((P - outer(v, v) / (d * q)) / sigma)(v), by=(derivative, squares), why="The Jacobian just found.")
            .to((v - v * dot(v, v) / (d * q)) / sigma, by=centred, why="Pv = v, and v v^T v = v (v.v).")
            .to(0, by=variance, why="The squared norm of v is d q."),
            label="the radial eigenvalue is 0",
        ),
    ),
    points=(at(z=(1, 2, 3)), at(z=(0, 2))),
    near_misses=(
        NearMiss(Eq(J(v), 0), given=(positive(eps),), why="With eps > 0 the radial direction keeps the eigenvalue eps/s^3."),
        NearMiss(Eq(jacobian(v / sigma, z), P / sigma), why="sigma moves with z: the rank-one term is missing."),
    ),
)
