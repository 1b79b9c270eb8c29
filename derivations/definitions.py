"""The notions of the book: z, d, mu, v, q, eps, s, r, rho, u, y, P, J. Imports the author's words only."""

from __future__ import annotations

from lnsym.kernel.terms import Array, Definition, Family, Theory, Word, hole
from lnsym.lang import P, outer, sqrt, symbols, vector

d, eps, mu, q, s, r, rho, a, c, t = symbols("d eps mu q s r rho a c t")
mu_, q_, s_ = symbols("mu' q' s'")
z, v, u, y, h, g, w, gamma, beta = map(vector, ("z", "v", "u", "y", "h", "g", "w", "gamma", "beta"))
z_, v_, u_ = map(vector, ("z'", "v'", "u'"))


def _jacobian() -> Array:
    places = (hole(1), hole(2))
    return Array(places, Word("J", (), places, ((P - outer(v, v) / (d * (q + eps))) / s)[places]))


J = _jacobian()
sigma = sqrt(q)

THEORY = Theory(
    families=(Family("z", "v", "mu", "q"), Family("z'", "v'", "mu'", "q'")),
    definitions=(
        Definition("s", sqrt(q + eps)),
        Definition("s'", sqrt(q_ + eps)),
        Definition("r", 1 / s),
        Definition("rho", q / (q + eps)),
        Definition("u", v / s),
        Definition("u'", v_ / s_),
        Definition("y", gamma * u + beta),
    ),
    positive=frozenset({"d", "n", "N", "T"}),
)
